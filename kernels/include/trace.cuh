// The times of a grid's barriers. `python -m warpath levels` includes this before a kernel; no run does.
//
// From here on grid_barrier is a macro. Around each barrier it notes how many levels the kernel has done, when block 0
// went on, and how long blocks waited. Clocks of multiprocessors differ, so each block's wait is by its own clock.
#pragma once

#include "warpath.cuh"

#ifdef WARPATH_HOST
#include <time.h>
#endif

// What `level` means where a kernel has no variable of that name: the barrier is within a level, or there are no
// levels.
constexpr unsigned level = ~0u;

struct TracedBarrier {
    unsigned long long levels;  // that are done
    unsigned long long passed;  // when block 0 went on, in ticks
    unsigned long long passed_ns;
    unsigned long long waited;    // ticks that blocks waited, together
    unsigned long long shortest;  // ... and the last to arrive: what the barrier itself takes
    unsigned long long blocks;
};

constexpr unsigned MOST_TRACED = 1 << 16;
constexpr unsigned MOST_BLOCKS = 1 << 12;
__device__ TracedBarrier traced[MOST_TRACED];
__device__ unsigned traced_of_block[MOST_BLOCKS];

#ifdef WARPATH_HOST
inline unsigned long long nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}
inline unsigned long long ticks() { return nanoseconds(); }
#else
__device__ __forceinline__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
__device__ __forceinline__ unsigned long long ticks() { return clock64(); }
#endif

template <typename Wait>
__device__ __forceinline__ void traced_barrier(unsigned levels, Wait wait) {
    __syncthreads();
    const unsigned long long begin = ticks();
    wait();
    if (thread_rank() != 0 || blockIdx.x >= MOST_BLOCKS) return;
    const unsigned long long end = ticks();
    const unsigned number = traced_of_block[blockIdx.x]++;
    if (number >= MOST_TRACED) return;
    TracedBarrier& barrier = traced[number];
    atomicAdd(&barrier.waited, end - begin);
    atomicMin(&barrier.shortest, end - begin);
    if (blockIdx.x != 0) return;
    barrier.levels = levels;
    barrier.passed = end;
    barrier.passed_ns = nanoseconds();
    barrier.blocks = gridDim.x;
}

// Makes room for the barriers of a launch.
extern "C" __global__ void clear_trace() {
    const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number < MOST_BLOCKS) traced_of_block[number] = 0;
    if (number < MOST_TRACED) traced[number] = {0, 0, 0, 0, ~0ull, 0};
}

// Copies the barriers of the last launch; `count` gets their number.
extern "C" __global__ void copy_trace(unsigned long long* count, unsigned long long* barriers) {
    const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number == 0) *count = traced_of_block[0];
    if (number >= min(traced_of_block[0], MOST_TRACED)) return;
    const TracedBarrier& barrier = traced[number];
    unsigned long long* const row = barriers + 6ull * number;
    row[0] = barrier.levels, row[1] = barrier.passed, row[2] = barrier.passed_ns;
    row[3] = barrier.waited, row[4] = barrier.shortest, row[5] = barrier.blocks;
}

#define grid_barrier(...) traced_barrier(level, [&] { grid_barrier(__VA_ARGS__); })
