// What each thread gets from a launch: its indices, arguments and defines.

#include "warpath.cuh"

extern "C" __global__ void identify(int* seen) {
    const unsigned blocks_before = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    int* mine = seen + 6 * (blocks_before * threads + thread_rank());
    mine[0] = blockIdx.x;
    mine[1] = blockIdx.y;
    mine[2] = blockIdx.z;
    mine[3] = threadIdx.x;
    mine[4] = threadIdx.y;
    mine[5] = threadIdx.z;
}

extern "C" __global__ void take(bool flag, int narrow, unsigned positive, long long wide, float single, double twice,
                                const int* nothing, double* taken) {
    taken[0] = flag;
    taken[1] = narrow;
    taken[2] = positive;
    taken[3] = wide;
    taken[4] = single;
    taken[5] = twice;
    taken[6] = nothing == nullptr;
}

extern "C" __global__ void count(int limit, int* counts) {
    const long long i = thread_index();
    if (i < limit) counts[i] += 1;
}

extern "C" __global__ void count_together(int limit, int* counts) {
    __syncthreads();
    const long long i = thread_index();
    if (i < limit) counts[i] += 1;
}

#ifndef FACTOR
#define FACTOR 2
#endif

extern "C" __global__ void scale(int* values) { values[thread_index()] *= FACTOR; }
