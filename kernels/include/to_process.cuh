// The filter of Rejaud's To-Process-Edge algorithm: which edges leave a vertex that changed, packed into a list T.
//
// `find` counts them for each warp's load, `filter` turns the counts into the place where each warp writes, `collect`
// lets every warp copy its edges there. How a change is recognised is what the algorithms differ in: `changed(vertex)`.
// Rejaud's text can be read as copying in the filter's one block; here the whole grid, whose warps they are, copies.
#pragma once

#include "edges.cuh"

template <typename Changed>
__device__ void find_to_process(int length, const Edge* L, Changed changed, int* counts) {
    const Load load = warp_load(length);
    int count = 0;
    for (long long i = load.beg + lane_index(); i < load.end + lane_index(); i += 32) {
        count += __popc(__ballot_sync(ALL_LANES, i < load.end && changed(L[i].src)));
    }
    if (lane_index() == 0) counts[warp_id()] = count;
}

template <typename Changed>
__device__ void collect_to_process(int length, const Edge* L, Changed changed, const int* offsets, int* T) {
    const Load load = warp_load(length);
    const unsigned lower_lanes = (1u << lane_index()) - 1;
    int y = offsets[warp_id()];
    for (long long i = load.beg + lane_index(); i < load.end + lane_index(); i += 32) {
        const bool to_process = i < load.end && changed(L[i].src);
        const unsigned ballot = __ballot_sync(ALL_LANES, to_process);
        if (to_process) T[y + __popc(ballot & lower_lanes)] = i;
        y += __popc(ballot);
    }
}

// One block of 64 threads: the offset of every warp's first edge in T, and the length of T. Warps that the
// configuration does not have are padded with 0 and left out of the result.
extern "C" __global__ void filter(int warps, const int* counts, int* offsets, int* length_of_T) {
    __shared__ unsigned scratch[32];
    const int warp = threadIdx.x;
    unsigned total;
    const unsigned offset = block_exclusive_sum(warp < warps ? counts[warp] : 0, scratch, total);
    if (warp < warps) offsets[warp] = offset;
    if (warp == 0) *length_of_T = total;
}
