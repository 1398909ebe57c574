// Exchanges between the threads of a block, and between the blocks of a grid, across a barrier.

#include "warpath.cuh"

extern "C" __global__ void reverse(int rounds, int* values) {
    __shared__ int buffer[1024];
    int* mine = values + thread_index();
    for (int round = 0; round < rounds; ++round) {
        buffer[threadIdx.x] = *mine;
        __syncthreads();
        *mine = buffer[blockDim.x - 1 - threadIdx.x] + 1;
        __syncthreads();
    }
}

extern "C" __global__ void vote(const int* choices, int* count, int* any, int* all) {
    const long long i = thread_index();
    count[i] = __syncthreads_count(choices[i]);
    any[i] = __syncthreads_or(choices[i]);
    all[i] = __syncthreads_and(choices[i]);
}

// Thread t ends after t rounds; later barriers do not wait for it.
extern "C" __global__ void shrink(int rounds, int* present) {
    for (unsigned round = 0; round < rounds; ++round) {
        if (threadIdx.x < round) return;
        const int count = __syncthreads_count(1);
        if (threadIdx.x == blockDim.x - 1) present[round] = count;
    }
}

// Each block adds up what all blocks wrote in the round before.
extern "C" __global__ void gather(int rounds, unsigned* state, unsigned* sums) {
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x == 0) {
            unsigned sum = 1;
            for (unsigned block = 0; block < gridDim.x; ++block) sum += __ldcg(&sums[round * gridDim.x + block]);
            sums[(round + 1) * gridDim.x + blockIdx.x] = sum;
        }
        grid_barrier(state);
    }
}

extern "C" __global__ void scan(const unsigned* values, unsigned* before, unsigned* totals) {
    __shared__ unsigned scratch[32];
    const long long i = thread_index();
    unsigned total;
    before[i] = block_exclusive_sum(values[i], scratch, total);
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
    before[i] += block_exclusive_sum(values[i], scratch, total);
}
