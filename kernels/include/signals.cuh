// Signals: numbers in global memory that only grow, by which blocks announce their progress to other blocks.
//
// A block that has read a signal sees what the raising block wrote before it, provided that a barrier of the block
// comes between the writes and `before_signals`, and between `after_signals` and the reads.
#pragma once

#include "warpath.cuh"

// The fence between writes and the raising of signals.
__device__ __forceinline__ void before_signals() {
#ifdef WARPATH_HOST
    __atomic_thread_fence(__ATOMIC_RELEASE);
#else
    asm volatile("fence.release.gpu;" ::: "memory");
#endif
}

__device__ __forceinline__ void raise_signal(int* signal, int value) {
#ifdef WARPATH_HOST
    __atomic_store_n(signal, value, __ATOMIC_RELAXED);
#else
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(signal), "r"(value) : "memory");
#endif
}

__device__ __forceinline__ int read_signal(const int* signal) {
#ifdef WARPATH_HOST
    return __atomic_load_n(signal, __ATOMIC_RELAXED);
#else
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(signal) : "memory");
    return value;
#endif
}

// The fence between the reading of signals and reads of what they announce.
__device__ __forceinline__ void after_signals() {
#ifdef WARPATH_HOST
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#else
    asm volatile("fence.acquire.gpu;" ::: "memory");
#endif
}
