// Numbers in global memory by which blocks tell each other how far they are. A signal only grows.
//
// What a block wrote before it raised a signal is seen by a block that has awaited it, provided that a barrier of the
// block comes between the writes and the raising, and between the awaiting and the reads.
#pragma once

#include "warpath.cuh"

// Between a thread's writes (and those it knows of by a barrier) and the raising of signals.
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
    int now;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(signal) : "memory");
    return now;
#endif
}

// Between the reading of signals and reads of what they announce.
__device__ __forceinline__ void after_signals() {
#ifdef WARPATH_HOST
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#else
    asm volatile("fence.acquire.gpu;" ::: "memory");
#if __CUDA_ARCH__ >= 900
    // The same for bulk copies (gate.cuh), which go another way: they read what other blocks have written, and
    // overwrite shared memory that this block has used for something else.
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
#endif
}
