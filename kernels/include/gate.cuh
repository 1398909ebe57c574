// Gates in shared memory by which the warps of a block wait for each other's data, and not for each other.
//
// A gate opens when as many arrivals have been counted as it was set up for, and then counts anew for its next round.
// What was done before the arrivals is seen by whoever has awaited the round; copies count if the arrival comes after
// them. Nobody may be more than a round behind. On a GPU a gate is an mbarrier.
#pragma once

#include "async_copy.cuh"

// Whether a single thread can have a whole stretch of memory copied, which the memory system then does by itself.
#if defined(WARPATH_HOST) || __CUDA_ARCH__ >= 900
constexpr bool BULK_COPIES = true;
#else
constexpr bool BULK_COPIES = false;
#endif

struct Gate {
#ifdef WARPATH_HOST
    unsigned arrivals, each_round, copied;

    void set_up(unsigned arrivals_each_round) { arrivals = copied = 0, each_round = arrivals_each_round; }
    void arrive() { ++arrivals; }
    void arrive_after_copies() { ++arrivals; }  // which are done at once
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
        if (opened > round + 1) host::fault("a gate is more than a round ahead of who asks", here);
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

    // As soon as the copies are done that this thread has asked for so far.
    __device__ __forceinline__ void arrive_after_copies() {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address()) : "memory");
    }

#if __CUDA_ARCH__ >= 900
    // Arrives, but the round does not end before so many bytes have come by `copy_bulk`.
    __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
        asm volatile(
            "{\n.reg .b64 state;\nmbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n}" ::"r"(address()),
            "r"(bytes)
            : "memory");
    }

    // Both begin at a multiple of 16 bytes. The gate must lack an arrival until the one that expects the bytes. A bulk
    // copy goes another way to memory than loads and stores: what they did before is seen by it, and the set-up of the
    // gate, only after the fence in `after_signals`, by the thread that asks for the copy.
    __device__ __forceinline__ void copy_bulk(unsigned* shared, const unsigned* global, unsigned bytes) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                     "l"(global), "r"(bytes), "r"(address())
                     : "memory");
    }
#else
    // Never called, but `if constexpr (BULK_COPIES)` must find the names.
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
                "mbarrier.try_wait.parity.shared::cta.b64 open, [%1], %2;\n"  // sleeps a while if it must
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
