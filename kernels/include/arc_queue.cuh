// Arcs that a block is to follow in the next level, in its shared memory: groups of up to GROUP arcs of one vertex, one
// for so many lanes.
#pragma once

#include "bitmap.cuh"

struct alignas(8) ArcGroup {
    int first, end;  // the group's first arc, and the end of its vertex's arcs
};

struct ArcQueue {
    ArcGroup* groups;
    unsigned* count;  // above QUEUE if there was no room for some

    // Adds the arcs of a vertex. Returns whether there was room.
    __device__ __forceinline__ bool add(int first, int end) const {
        if (end - first > QUEUE_DEGREE) return false;
        const unsigned needed = unsigned(end - first + GROUP - 1) / GROUP;
        unsigned position = atomicAdd(count, needed);
        const bool fits = position + needed <= QUEUE;
        for (const unsigned stop = min(position + needed, QUEUE); position < stop; ++position, first += GROUP) {
            groups[position] = {first, fits ? end : first};
        }
        return fits;
    }

    // The arc in a slot, or NO_ARC.
    __device__ __forceinline__ int arc(unsigned slot) const {
        const ArcGroup group = groups[slot / GROUP];
        const int arc = group.first + int(slot % GROUP);
        return arc < group.end ? arc : NO_ARC;
    }
};
