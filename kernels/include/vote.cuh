// How blocks that never wait for each other find out that nothing is left to do.
//
// Nothing is left if all blocks were without work at one moment, and nothing was on its way to one of them. A block
// votes when it has nothing to do and has looked for news since the vote before was complete, and says whether it had
// anything to do since it voted last. If no block had, each one was without work when the vote before was complete, and
// has seen since that nothing was on its way to it.
#pragma once

#include "warpath.cuh"

__device__ __forceinline__ unsigned load_relaxed(const unsigned* address) {
#ifdef WARPATH_HOST
    return __ldcg(address);
#else
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
#endif
}

__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long* address) {
#ifdef WARPATH_HOST
    return __ldcg(address);
#else
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
#endif
}

// Of one thread of a block. Two words in global memory alternate: a fast block may vote again while a slow one has not
// seen that the vote is complete. A word has the votes and, above, those of blocks that had something to do.
struct Vote {
    unsigned number = 0;
    bool is_waiting = false, had_work = true;
    unsigned before_even = 0, before_odd = 0;  // what the words were

    __device__ __forceinline__ void give(unsigned* words) {
        __threadfence();
        atomicAdd(&words[number % 2], had_work ? 0x10001u : 1u);
        is_waiting = true, had_work = false;
    }
    __device__ __forceinline__ unsigned look(const unsigned* words) const { return load_relaxed(&words[number % 2]); }
    // Returns whether the search is over, by the word that was looked at.
    __device__ __forceinline__ bool is_over(unsigned now) {
        const unsigned given = now - (number % 2 ? before_odd : before_even);
        if ((given & 0xffff) != gridDim.x) return false;
        (number % 2 ? before_odd : before_even) = now;
        ++number, is_waiting = false;
        __threadfence();
        return given >> 16 == 0;
    }
};

// Where blocks of a GPU would go on by themselves; on the CPU one would spin before the others have had a turn.
__device__ __forceinline__ void synchronize_host_grid() {
#ifdef WARPATH_HOST
    host::synchronize_grid({__FILE__, __LINE__});
#endif
}
