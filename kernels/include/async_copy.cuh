// Asynchronous copies of 16 bytes from global to shared memory.
#pragma once

#include "warpath.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

// OFFSET words from `shared` on. The offset is part of the instruction and costs no addition.
template <int OFFSET = 0>
__device__ __forceinline__ void copy_async(unsigned* shared, const unsigned* global) {
#ifdef WARPATH_HOST
    memcpy(shared + OFFSET, global, 16);
#else
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0 + %2], [%1], 16;" ::"r"(address), "l"(global), "n"(OFFSET * 4)
                 : "memory");
#endif
}

// Commits the copies that this thread has begun so far: `await_copies` waits for committed copies.
__device__ __forceinline__ void commit_copies() {
#ifndef WARPATH_HOST
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

__device__ __forceinline__ void await_copies() {
#ifndef WARPATH_HOST
    asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}
