// The times of a grid's barriers, for builds that `warpath levels` makes; no run includes this.
//
// devices/traced.py puts this before a kernel. Each function by which blocks wait for each other becomes a macro that
// calls it through one of the functions below. They note when block 0 went on, how long blocks waited, and how many
// levels of the search were done. Clocks of multiprocessors differ, so each block's wait is by its own clock.
#pragma once

#include "warpath.cuh"

// The headers with such functions are compiled before these are macros. Where a kernel's host code does not pass their
// constants, it does without them.
#ifdef TARGET_BITS
#include "../bfs/persistent/exchange.cuh"
#endif
#ifdef MOST_BLOCKS
#include "../bfs/persistent/tally.cuh"
#endif

#ifdef WARPATH_HOST
#include <time.h>
#endif

constexpr unsigned TRACED_NO_LEVELS = ~0u;
constexpr unsigned TRACED_END = 1u << 31;

// Found where a kernel has no variable of that name: the barrier is within a level, or the search has none.
constexpr unsigned level = TRACED_NO_LEVELS;

// The number of levels that a variable `level` tells, whatever a kernel means by that name.
__device__ __forceinline__ unsigned traced_levels(unsigned levels) { return levels; }
template <typename Other>
__device__ __forceinline__ unsigned traced_levels(const Other&) {
    return TRACED_NO_LEVELS;
}

struct TracedBarrier {
    unsigned long long levels;  // that are done
    unsigned long long passed;  // when block 0 went on, in ticks
    unsigned long long passed_ns;
    unsigned long long waited;    // ticks that blocks waited, together
    unsigned long long shortest;  // ... and the last to arrive: what the barrier itself takes
    unsigned long long blocks;
};

constexpr unsigned TRACED_BLOCKS = 1 << 12;
__device__ TracedBarrier traced[TRACED_BARRIERS];
__device__ unsigned traced_of_block[TRACED_BLOCKS];

#ifdef WARPATH_HOST
inline unsigned long long traced_nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}
inline unsigned long long traced_ticks() { return traced_nanoseconds(); }
#else
__device__ __forceinline__ unsigned long long traced_nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
__device__ __forceinline__ unsigned long long traced_ticks() { return clock64(); }
#endif

// By one thread of each block: what it waited since `begin`.
__device__ __forceinline__ void note_wait(unsigned levels, unsigned long long begin) {
    if (blockIdx.x >= TRACED_BLOCKS) return;
    const unsigned long long end = traced_ticks();
    const unsigned number = traced_of_block[blockIdx.x]++;
    if (number >= TRACED_BARRIERS) return;
    TracedBarrier& barrier = traced[number];
    atomicAdd(&barrier.waited, end - begin);
    atomicMin(&barrier.shortest, end - begin);
    if (blockIdx.x != 0) return;
    barrier.levels = levels;
    barrier.passed = end;
    barrier.passed_ns = traced_nanoseconds();
    barrier.blocks = gridDim.x;
}

// A barrier that all threads of all blocks call.
template <typename Barrier>
__device__ __forceinline__ void traced_barrier(unsigned levels, Barrier barrier) {
    __syncthreads();
    const unsigned long long begin = traced_ticks();
    barrier();
    if (thread_rank() == 0) note_wait(levels, begin);
}

// A wait at the end of a level, by one thread of each block.
template <typename Wait>
__device__ __forceinline__ auto traced_wait(unsigned levels, Wait wait) {
    const unsigned long long begin = traced_ticks();
    const auto waited = wait();
    note_wait(levels | TRACED_END, begin);
    return waited;
}

// A wait at the end of a level, by all threads of each block, of which the first notes it.
template <typename Listen>
__device__ __forceinline__ auto traced_listen(unsigned levels, Listen listen) {
    const unsigned long long begin = traced_ticks();
    const auto heard = listen();
    if (thread_rank() == 0) note_wait(levels | TRACED_END, begin);
    return heard;
}

// Makes room for the barriers of a launch.
extern "C" __global__ void clear_trace() {
    const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number < TRACED_BLOCKS) traced_of_block[number] = 0;
    if (number < TRACED_BARRIERS) traced[number] = {0, 0, 0, 0, ~0ull, 0};
}

// Copies the barriers of the last launch; `count` gets their number.
extern "C" __global__ void copy_trace(unsigned long long* count, unsigned long long* barriers) {
    const unsigned number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number == 0) *count = traced_of_block[0];
    if (number >= min(traced_of_block[0], TRACED_BARRIERS)) return;
    const TracedBarrier& barrier = traced[number];
    unsigned long long* const row = barriers + 6ull * number;
    row[0] = barrier.levels, row[1] = barrier.passed, row[2] = barrier.passed_ns;
    row[3] = barrier.waited, row[4] = barrier.shortest, row[5] = barrier.blocks;
}

#define grid_barrier(...) traced_barrier(traced_levels(level), [&] { grid_barrier(__VA_ARGS__); })
#ifdef TARGET_BITS
#define listen(...) traced_listen(level, [&] { return listen(__VA_ARGS__); })
#endif
#ifdef MOST_BLOCKS
#define wait(...) traced_wait(state.level, [&] { return wait(__VA_ARGS__); })
#endif
