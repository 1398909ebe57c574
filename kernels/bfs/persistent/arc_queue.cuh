// Arcs that a block is to follow in the next level, in its shared memory: groups of up to GROUP arcs of one vertex, one
// for so many lanes.
#pragma once

#include "bitmap.cuh"

struct alignas(16) ArcGroup {
    int vertex, first, end;  // the vertex that they leave, the group's first arc, and the end of the vertex's arcs
};

// An arc, or NO_ARC, and the vertex that it leaves.
struct ArcFrom {
    int arc, tail;
};

__device__ __forceinline__ ArcFrom arc_of(const ArcGroup& group, unsigned slot) {
    const int arc = group.first + int(slot % GROUP);
    return {arc < group.end ? arc : NO_ARC, group.vertex};
}

enum : unsigned { ALONE = 16 };  // groups that a lane fills in by itself, at most

struct ArcQueue {
    ArcGroup* groups;
    unsigned* count;  // above QUEUE if there was no room for some

    // Adds the arcs of a vertex in lanes where `selected` holds; all lanes take part, and fill long stretches together.
    // Returns whether there was room.
    __device__ __forceinline__ bool add(int vertex, int first, int end, bool selected) const {
        const unsigned needed = selected && end - first <= QUEUE_DEGREE ? unsigned(end - first + GROUP - 1) / GROUP : 0;
        unsigned position = needed != 0 ? atomicAdd(count, needed) : 0;
        const bool fits = needed != 0 && position + needed <= QUEUE;
        if (!fits) end = first;  // leaves the rest of the queue without arcs
        unsigned stop = min(position + needed, QUEUE);
        for (unsigned lanes = __ballot_sync(ALL_LANES, needed > ALONE); lanes != 0; lanes &= lanes - 1) {
            const int lane = __ffs(lanes) - 1;
            const int from = __shfl_sync(ALL_LANES, first, lane), until = __shfl_sync(ALL_LANES, end, lane);
            const int tail = __shfl_sync(ALL_LANES, vertex, lane);
            const unsigned begin = __shfl_sync(ALL_LANES, position, lane), last = __shfl_sync(ALL_LANES, stop, lane);
            for (unsigned i = begin + lane_index(); i < last; i += 32) {
                groups[i] = {tail, from + int(i - begin) * GROUP, until};
            }
            if (lane_index() == lane) stop = 0;
        }
        for (; position < stop; ++position, first += GROUP) groups[position] = {vertex, first, end};
        return fits;
    }
};
