// Copies from global to shared memory, 16 bytes each, that go on while the thread that asked for them computes.
#pragma once

#include "warpath.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

// To `TO` words beyond `shared`: that is part of the instruction and costs no addition.
template <int TO = 0>
__device__ __forceinline__ void copy_async(unsigned* shared, const unsigned* global) {
#ifdef WARPATH_HOST
    memcpy(shared + TO, global, 16);
#else
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0 + %2], [%1], 16;" ::"r"(address), "l"(global), "n"(TO * 4) : "memory");
#endif
}

// The copies that this thread has asked for so far begin, and a later `await_copies` waits for them.
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
