// The filter of Rejaud's To-Process-Edge algorithm: which edges leave a vertex that changed, packed into a list T.
//
// `find` counts them for each warp's load, `filter` turns the counts into the place where each warp writes, `collect`
// lets every warp copy its edges there. How a change is recognised is what the algorithms differ in: `changed(vertex)`.
#pragma once

#include "edges.cuh"

constexpr int MOST_WARPS = 64;  // of every published configuration; the number of threads of `filter`

template <typename Changed>
__device__ void find_to_process(int length, const Edge* L, Changed changed, int* counts) {
    const Load load = warp_load(length);
    int count = 0;
    for (long long i = load.beg + lane_id(); i < load.end + lane_id(); i += 32) {
        count += __popc(__ballot_sync(0xffffffff, i < load.end && changed(L[i].src)));
    }
    if (lane_id() == 0) counts[warp_id()] = count;
}

template <typename Changed>
__device__ void collect_to_process(int length, const Edge* L, Changed changed, const int* offsets, int* T) {
    const Load load = warp_load(length);
    const unsigned lower_lanes = (1u << lane_id()) - 1;
    int y = offsets[warp_id()];
    for (long long i = load.beg + lane_id(); i < load.end + lane_id(); i += 32) {
        const bool to_process = i < load.end && changed(L[i].src);
        const unsigned ballot = __ballot_sync(0xffffffff, to_process);
        if (to_process) T[y + __popc(ballot & lower_lanes)] = i;
        y += __popc(ballot);
    }
}

// One block of 64 threads: the offset of every warp's first edge in T, and the length of T. Warps that the
// configuration does not have are padded with 0 and left out of the result.
extern "C" __global__ void filter(int warps, const int* counts, int* offsets, int* length_of_T) {
    __shared__ int sum[MOST_WARPS];
    const int warp = threadIdx.x;
    const int count = warp < warps ? counts[warp] : 0;
    sum[warp] = count;
    __syncthreads();
    for (int step = 1; step < MOST_WARPS; step *= 2) {
        const int before = warp >= step ? sum[warp - step] : 0;
        __syncthreads();
        sum[warp] += before;
        __syncthreads();
    }
    if (warp < warps) offsets[warp] = sum[warp] - count;
    if (warp == MOST_WARPS - 1) *length_of_T = sum[warp];
}
