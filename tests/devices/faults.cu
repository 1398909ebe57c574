// Faults on purpose. Only the host device runs these: a GPU would hang, or report little.

#include "warpath.cuh"

extern "C" __global__ void barrier_in_a_branch(int* out) {
    if (threadIdx.x % 32 == 5) {
        __syncwarp();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

extern "C" __global__ void two_barriers(int* out) {
    if (threadIdx.x < 3) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}

extern "C" __global__ void absent_lane(int* out) {
    if (threadIdx.x == 7) out[0] = __shfl_sync(0xff, out[0], 0);
    __syncthreads();
}

extern "C" __global__ void not_in_mask(int* out) { out[0] = __ballot_sync(0x1, 1); }

extern "C" __global__ void one_block_leaves(unsigned* state) {
    if (blockIdx.x == 1) return;
    grid_barrier(state);
}

extern "C" __global__ void waits_for_the_grid(unsigned* state) { grid_barrier(state); }

extern "C" __global__ void trap(int* out) {
    if (thread_index() == 70) __trap();
    out[0] = 0;
}

// Reads shared memory before writing it.
extern "C" __global__ void uninitialised(int* fixed, int* dynamic) {
    extern __shared__ int dynamic_shared[];
    __shared__ int buffer[4];
    fixed[blockIdx.x] = buffer[1];
    dynamic[blockIdx.x] = dynamic_shared[1];
    buffer[1] = dynamic_shared[1] = 0;
}
