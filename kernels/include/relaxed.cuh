// Words in global memory that blocks wait for without a fence.
#pragma once

#include "warpath.cuh"

__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long* address) {
#ifdef WARPATH_HOST
    return __ldcg(address);
#else
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
#endif
}

__device__ __forceinline__ void store_relaxed(unsigned long long* address, unsigned long long value) {
#ifdef WARPATH_HOST
    *address = value;
#else
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
#endif
}

// Where blocks of a GPU would go on by themselves; on the CPU one would spin before the others have had a turn.
__device__ __forceinline__ void synchronize_host_grid() {
#ifdef WARPATH_HOST
    host::synchronize_grid({__FILE__, __LINE__});
#endif
}
