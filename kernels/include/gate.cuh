// Gates in shared memory by which the warps of a block wait for each other's data, and not for each other.
//
// A gate opens when as many arrivals have been counted as it was set up for, and then counts anew for its next round.
// What was done before the arrivals is seen by whoever has awaited the round; copies count if the arrival comes after
// them. Nobody may be more than a round behind. On a GPU a gate is an mbarrier.
#pragma once

#include "async_copy.cuh"

struct Gate {
#ifdef WARPATH_HOST
    unsigned arrivals, each_round;

    void set_up(unsigned arrivals_each_round) { arrivals = 0, each_round = arrivals_each_round; }
    void arrive() { ++arrivals; }
    void arrive_after_copies() { ++arrivals; }  // which are done at once
    bool is_open(unsigned round) const { return arrivals / each_round > round; }
#else
    unsigned long long barrier;

    // Before a barrier of the block.
    __device__ __forceinline__ void set_up(unsigned arrivals_each_round) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals_each_round) : "memory");
    }

    __device__ __forceinline__ void arrive() {
        asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(address())
                     : "memory");
    }

    // As soon as the copies are done that this thread has asked for so far.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address()) : "memory");
    }

    __device__ __forceinline__ bool is_open(unsigned round) const {
        unsigned open;
        asm volatile(
            "{\n.reg .pred open;\n"
#if __CUDA_ARCH__ >= 900
            "mbarrier.try_wait.parity.shared::cta.b64 open, [%1], %2;\n"  // may wait a little
#else
            "mbarrier.test_wait.parity.shared::cta.b64 open, [%1], %2;\n"
#endif
            "selp.u32 %0, 1, 0, open;\n}"
            : "=r"(open)
            : "r"(address()), "r"(round % 2)
            : "memory");
        return open;
    }

    __device__ __forceinline__ unsigned address() const {
        return static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    }
#endif

    __device__ __forceinline__ void await(unsigned round) const {
        while (!is_open(round)) {
#ifdef WARPATH_HOST
            __nanosleep(0);
#endif
        }
    }
};
