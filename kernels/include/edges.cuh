// An edge list, and how Rejaud's kernels split it: every warp of the grid has one contiguous load of edges, which its
// lanes go through side by side (lines 3 to 7 of the report's pseudo-code).
#pragma once

#include "warpath.cuh"

struct Edge {
    int src;
    int dest;
    int weight;
};

struct Load {
    long long beg;
    long long end;
};

__device__ inline int warp_id() { return thread_index() / 32; }
__device__ inline int warp_num() { return gridDim.x * blockDim.x / 32; }

__device__ inline long long load_size(long long length) {
    return length % warp_num() == 0 ? length / warp_num() : length / warp_num() + 1;
}

__device__ inline Load warp_load(long long length) {
    const long long beg = load_size(length) * warp_id();
    return {beg, min(length, beg + load_size(length))};
}
