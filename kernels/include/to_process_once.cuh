// The filter of Rejaud's To-Process-Edge algorithm as the report's text has it: two kernels, which look at every edge
// once.
//
// `find` leaves each warp's edges that leave a changed vertex at the beginning of the warp's own part of `found`, and
// counts them. `filter`, one block of 64 threads, turns the counts into positions and copies what each warp has found
// to its position in T: thread i does so for warp i. (to_process.cuh looks at the edges twice instead, and lets the
// warps that have looked write to T.)
#pragma once

#include "edges.cuh"

template <typename Changed>
__device__ void find_to_process_once(arc_t length, const Edge* L, Changed changed, arc_t* found, int* counts) {
    const Load load = warp_load(length);
    const unsigned lower_lanes = (1u << lane_index()) - 1;
    int count = 0;
    for (long long i = load.beg + lane_index(); i < load.end + lane_index(); i += 32) {
        const bool to_process = i < load.end && changed(L[i].src);
        const unsigned ballot = __ballot_sync(ALL_LANES, to_process);
        if (to_process) found[load.beg + count + __popc(ballot & lower_lanes)] = i;
        count += __popc(ballot);
    }
    if (lane_index() == 0) counts[warp_id()] = count;
}

// Launched with one block of 64 threads, the most warps that a configuration has.
extern "C" __global__ void filter(int warps, arc_t length, const int* counts, const arc_t* found, arc_t* length_of_T,
                                  arc_t* T) {
    __shared__ unsigned_arc_t scratch[32];
    const int warp = threadIdx.x;
    const int count = warp < warps ? counts[warp] : 0;
    unsigned_arc_t total;
    const unsigned_arc_t y = block_exclusive_sum(count, scratch, total);
    if (warp == 0) *length_of_T = total;
    const long long beg = (length + warps - 1LL) / warps * warp;
    for (int k = 0; k < count; ++k) T[y + k] = found[beg + k];
}
