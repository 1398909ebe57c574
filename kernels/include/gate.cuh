// Gates in shared memory: the warps of a block wait for data, and not for each other.
//
// A gate counts arrivals. It opens when as many have been counted as it was set up for, and then counts the arrivals of
// its next round. A thread that has awaited a round sees what was done before the arrivals, and the copies that the
// arrivals come after. No thread may be more than a round behind. On a GPU a gate is an mbarrier.
#pragma once

#include "async_copy.cuh"

// Whether one thread can have a long stretch of memory copied; otherwise every thread copies 16 bytes at a time.
#ifndef BULK_COPIES
#if defined(WARPATH_HOST) || __CUDA_ARCH__ >= 900
#define BULK_COPIES 1
#else
#define BULK_COPIES 0
#endif
#endif

// Before `copy_bulk` by the same thread. Bulk copies access memory by another path than loads and stores: they see what
// was written before, and the set-up of a gate, only after this fence.
__device__ __forceinline__ void before_bulk_copies() {
#if !defined(WARPATH_HOST) && __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

struct Gate {
#ifdef WARPATH_HOST
    unsigned arrivals, each_round, copied;

    void set_up(unsigned arrivals_each_round) { arrivals = copied = 0, each_round = arrivals_each_round; }
    void arrive() { ++arrivals; }
    void arrive_after_copies() { ++arrivals; }  // copies are complete at once
    void arrive_expecting(unsigned bytes, WARPATH_HERE) {
        if (bytes != copied) host::fault("a gate expects other bytes than were copied", here);
        copied = 0, ++arrivals;
    }
    void copy_bulk(unsigned* shared, const unsigned* global, unsigned bytes, WARPATH_HERE) {
        const auto places = reinterpret_cast<unsigned long>(shared) | reinterpret_cast<unsigned long>(global);
        if ((places | bytes) % 16) host::fault("a bulk copy does not begin or end at a multiple of 16 bytes", here);
        memcpy(shared, global, bytes);
        copied += bytes;
    }
    bool is_open(unsigned round, WARPATH_HERE) const {
        const unsigned opened = arrivals / each_round;
        if (opened > round + 1) host::fault("a gate is more than a round ahead of a thread that awaits it", here);
        return opened > round;
    }
    void await(unsigned round) const {
        while (!is_open(round)) __nanosleep(0);
    }
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

    // Arrives when the copies that this thread has begun so far are complete.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address()) : "memory");
    }

#if __CUDA_ARCH__ >= 900
    // Arrives; the round does not end before `copy_bulk` has copied so many bytes.
    __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
        asm volatile(
            "{\n.reg .b64 state;\nmbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n}" ::"r"(address()),
            "r"(bytes)
            : "memory");
    }

    // Copies between addresses that are multiples of 16 bytes; `arrive_expecting` must follow in the same round.
    __device__ __forceinline__ void copy_bulk(unsigned* shared, const unsigned* global, unsigned bytes) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                     "l"(global), "r"(bytes), "r"(address())
                     : "memory");
    }
#else
    // Never called: declared because `if constexpr (BULK_COPIES)` outside of a template is compiled either way.
    __device__ void arrive_expecting(unsigned);
    __device__ void copy_bulk(unsigned*, const unsigned*, unsigned);
#endif

    __device__ __forceinline__ bool is_open(unsigned round) const {
        unsigned open;
        asm volatile(
            "{\n.reg .pred open;\n"
            "mbarrier.test_wait.parity.shared::cta.b64 open, [%1], %2;\n"
            "selp.u32 %0, 1, 0, open;\n}"
            : "=r"(open)
            : "r"(address()), "r"(round % 2)
            : "memory");
        return open;
    }

    __device__ __forceinline__ void await(unsigned round) const {
#if __CUDA_ARCH__ >= 900
        unsigned open;
        do {
            asm volatile(
                "{\n.reg .pred open;\n"
                "mbarrier.try_wait.parity.shared::cta.b64 open, [%1], %2;\n"  // suspends the thread for a limited time
                "selp.u32 %0, 1, 0, open;\n}"
                : "=r"(open)
                : "r"(address()), "r"(round % 2)
                : "memory");
        } while (!open);
#else
        while (!is_open(round)) continue;
#endif
    }

    __device__ __forceinline__ unsigned address() const {
        return static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    }
#endif
};
