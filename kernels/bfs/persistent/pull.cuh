// What pulling needs: whether a vertex has a visited neighbour.
#pragma once

#include "bitmap.cuh"

constexpr int PULLED = 2;  // arcs that a lane pulls along at a time

struct Graph {
    int vertices;
    int arcs;
    const int* offsets;
    const int* targets;
};

// Whether one of the lane's arcs leads to a visited vertex. Each lane tries its first arcs alone; for each lane that is
// then undecided all lanes try together. Numbers of arcs are unsigned: a step may exceed 2^31 - 1.
__device__ __forceinline__ bool meets_visited(const int* targets, const unsigned* visited, unsigned begin,
                                              unsigned end) {
    constexpr unsigned alone = 16;
    bool met = false;
    const unsigned stop = min(end, begin + alone);
    for (unsigned arc = begin; arc < stop && !met; arc += PULLED) {
        int target[PULLED];
        for (int k = 0; k < PULLED; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NO_VERTEX;
        for (int k = 0; k < PULLED; ++k) met |= target[k] != NO_VERTEX && has_bit(visited, target[k]);
    }
    unsigned undecided = __ballot_sync(ALL_LANES, !met && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const unsigned last = __shfl_sync(ALL_LANES, end, lane);
        unsigned arc = __shfl_sync(ALL_LANES, stop, lane);
        bool found = false;
        for (; arc < last && !found; arc += 32) {
            const unsigned own = arc + lane_index();
            found = __any_sync(ALL_LANES, own < last && has_bit(visited, __ldg(&targets[own])));
        }
        if (lane_index() == lane) met = found;
    }
    return met;
}

__device__ __forceinline__ void swap(unsigned*& one, unsigned*& other) {
    unsigned* const before = one;
    one = other;
    other = before;
}
