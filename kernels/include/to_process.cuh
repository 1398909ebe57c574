// The filter of Rejaud's To-Process-Edge algorithm: which edges leave a vertex that changed, packed into a list T.
//
// `find` counts these edges in each warp's load, `filter` turns the counts into the positions where warps write, and in
// `collect` each warp copies its edges there. The algorithms differ in `changed(vertex)`. Rejaud's text can be read so
// that the filter's one block copies; here the warps that have counted do.
#pragma once

#include "edges.cuh"

template <typename Changed>
__device__ void find_to_process(arc_t length, const Edge* L, Changed changed, int* counts) {
    const Load load = warp_load(length);
    int count = 0;
    for (long long i = load.beg + lane_index(); i < load.end + lane_index(); i += 32) {
        count += __popc(__ballot_sync(ALL_LANES, i < load.end && changed(L[i].src)));
    }
    if (lane_index() == 0) counts[warp_id()] = count;
}

template <typename Changed>
__device__ void collect_to_process(arc_t length, const Edge* L, Changed changed, const arc_t* offsets, arc_t* T) {
    const Load load = warp_load(length);
    const unsigned lower_lanes = (1u << lane_index()) - 1;
    arc_t y = offsets[warp_id()];
    for (long long i = load.beg + lane_index(); i < load.end + lane_index(); i += 32) {
        const bool to_process = i < load.end && changed(L[i].src);
        const unsigned ballot = __ballot_sync(ALL_LANES, to_process);
        if (to_process) T[y + __popc(ballot & lower_lanes)] = i;
        y += __popc(ballot);
    }
}

// The offset of every warp's first edge in T, and the length of T. One block of 64 threads, the most warps that a
// configuration has.
extern "C" __global__ void filter(int warps, const int* counts, arc_t* offsets, arc_t* length_of_T) {
    __shared__ unsigned_arc_t scratch[32];
    const int warp = threadIdx.x;
    unsigned_arc_t total;
    const unsigned_arc_t offset = block_exclusive_sum(warp < warps ? counts[warp] : 0, scratch, total);
    if (warp < warps) offsets[warp] = offset;
    if (warp == 0) *length_of_T = total;
}
