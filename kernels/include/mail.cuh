// Messages between the blocks of a cluster. Each block has an inbox in its shared memory for every sender, so that a
// sender needs no atomics but on its own counters and nobody waits for a reply. Inboxes exist twice, so that they are
// read while those of the next round fill.
//
// A round ends without a barrier and, what counts more, without a fence, which would wait for all that was written to
// global memory and empty the first-level cache: every message is an asynchronous store that reports its bytes to an
// mbarrier of the receiver, and the last thing that a sender tells it is how many bytes to expect. Whoever has received
// from all knows that all have read what they got in the round before, so two of everything are enough.
//
// A message that finds no room is not sent; the sender sees that and all blocks learn it.
#pragma once

#include "cluster.cuh"

// Flags beside a count of messages: the sender did something in this round; it had a message too many; it has something
// that does not fit messages.
constexpr unsigned BUSY = 1u << 31, CROWDED = 1u << 30, REFUSED = 1u << 29, FLAGS = BUSY | CROWDED | REFUSED;

#if CLUSTER > 1 && !defined(WARPATH_HOST)
#define ASYNCHRONOUS 1
#else
#define ASYNCHRONOUS 0
#endif

#ifdef WARPATH_HOST
static char* volatile shared_of_block[CLUSTER];
#endif

template <typename Message>
struct Mail {
    unsigned long long* arrival;  // [2] the mbarriers
    uint2* letters;               // [2][CLUSTER] from each block: a count of messages and flags; a number
    Message* inbox;               // [2][CLUSTER][capacity]
    Message* own_box;             // [2][own_capacity] from the block itself
    unsigned* sent;               // [CLUSTER + 1] messages to each block in this round; to nobody if one was refused
    unsigned capacity, own_capacity;

    // At the beginning of dynamic shared memory.
    __device__ Mail(void* shared, unsigned capacity)
        : arrival(static_cast<unsigned long long*>(shared)),
          letters(reinterpret_cast<uint2*>(arrival + 2)),
          inbox(reinterpret_cast<Message*>(letters + 2 * CLUSTER)),
          own_box(inbox + 2 * CLUSTER * capacity),
          sent(reinterpret_cast<unsigned*>(own_box + 2 * CLUSTER * capacity)),
          capacity(capacity),
          own_capacity(CLUSTER * capacity) {}

    __device__ __forceinline__ void* end() const { return sent + CLUSTER + 4; }

    __device__ __forceinline__ Message* box(unsigned round, unsigned sender) const {
        return inbox + (round % 2 * CLUSTER + sender) * capacity;
    }
    __device__ __forceinline__ Message* box_of_own(unsigned round) const { return own_box + round % 2 * own_capacity; }
    __device__ __forceinline__ uint2* letter(unsigned round, unsigned sender) const {
        return letters + round % 2 * CLUSTER + sender;
    }
    __device__ __forceinline__ unsigned messages(unsigned round, unsigned sender) const {
        return letter(round, sender)->x & ~FLAGS;
    }

    // Before round 0, in which the owner of a vertex has one message; a barrier of the cluster must follow.
    __device__ void start(Message first, int vertex) const {
        if (threadIdx.x < CLUSTER) {
            const bool here = threadIdx.x == blockIdx.x && blockIdx.x == owner_of(vertex);
            *letter(0, threadIdx.x) = make_uint2(BUSY | here, 0);
        }
        if (threadIdx.x <= CLUSTER) sent[threadIdx.x] = 0;
        if (threadIdx.x == 0) {
            *box_of_own(0) = first;
#ifdef WARPATH_HOST
            shared_of_block[blockIdx.x] = reinterpret_cast<char*>(arrival);
#elif ASYNCHRONOUS
            for (int i = 0; i < 2; ++i) {
                asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&arrival[i])), "n"(CLUSTER));
            }
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
        }
    }

    // Waits until all messages of this round are here. Returns the flags of all senders together and the least of their
    // numbers; all threads take part.
    __device__ __forceinline__ uint2 receive(unsigned round) const {
        if (round > 0) await(round);
        const uint2 news = lane_index() < CLUSTER ? *letter(round, lane_index()) : make_uint2(0, ~0u);
        const unsigned flags = __reduce_or_sync(ALL_LANES, news.x) & FLAGS;
        return make_uint2(flags, __reduce_min_sync(ALL_LANES, news.y));
    }

    // Calls visit(place) for the messages of one round, with all lanes of a warp, of which some may get no place. A
    // warp has the messages of one other block, or a part of those from its own block, which are many where neighbours
    // are numbered alike.
    template <typename Visit>
    __device__ __forceinline__ void for_each(unsigned round, Visit visit) const {
        const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32, others = warps >= 2 * CLUSTER ? CLUSTER : 0;
        if (warp >= others) {
            part_of(box_of_own(round), messages(round, blockIdx.x), warp - others, warps - others, visit);
        }
        for (unsigned sender = warp; sender < CLUSTER; sender += warps) {
            if (sender != blockIdx.x) part_of(box(round, sender), messages(round, sender), 0, 1, visit);
        }
    }

    // Posts a message for the next round; false if there is no room for it.
    __device__ __forceinline__ bool post(unsigned round, unsigned receiver, Message message) const {
        const unsigned place = atomicAdd(&sent[receiver], 1);
        if (receiver == blockIdx.x) {
            if (place < own_capacity) box_of_own(round + 1)[place] = message;
            return place < own_capacity;
        }
        if (place < capacity) put(box(round + 1, blockIdx.x) + place, message, round, receiver);
        return place < capacity;
    }
    __device__ __forceinline__ void refuse() const { sent[CLUSTER] = 1; }

    // Tells every block how many messages it has got; called by all threads once each has posted its own.
    __device__ __forceinline__ void send(unsigned round, bool busy, unsigned number = 0) const {
        busy = __syncthreads_or(busy);
        if (threadIdx.x >= 32) return;
        const unsigned receiver = threadIdx.x, posted = receiver <= CLUSTER ? sent[receiver] : 0;
        const bool own = receiver == blockIdx.x;
        const unsigned room = own ? own_capacity : capacity, messages = min(posted, room);
        const bool crowded = __any_sync(ALL_LANES, receiver < CLUSTER && posted > room);
        const bool refused = __any_sync(ALL_LANES, receiver == CLUSTER && posted > 0);
        if (receiver <= CLUSTER) sent[receiver] = 0;
        __syncwarp();
        if (receiver >= CLUSTER) return;
        const unsigned flags = (busy ? BUSY : 0) | (crowded ? CROWDED : 0) | (refused ? REFUSED : 0);
        put(letter(round + 1, blockIdx.x), make_uint2(messages | flags, number), round, receiver);
#if ASYNCHRONOUS
        const unsigned bytes = (own ? 0 : messages * sizeof(Message)) + sizeof(uint2);
        asm volatile("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1;" ::"r"(
                         address_in(&arrival[(round + 1) % 2], receiver)),
                     "r"(bytes)
                     : "memory");
#endif
    }

  private:
    template <typename Visit>
    __device__ __forceinline__ static void part_of(Message* box, unsigned number, unsigned part, unsigned parts,
                                                   Visit visit) {
        for (unsigned i = part * 32; i < number; i += parts * 32) {
            visit(i + lane_index() < number ? box + i + lane_index() : nullptr);
        }
    }

    // Stores into block `receiver` at the place that `here` has in this one.
    template <typename T>
    __device__ __forceinline__ void put(T* here, T value, unsigned round, unsigned receiver) const {
#if defined(WARPATH_HOST)
        char* const base = shared_of_block[receiver];
        *reinterpret_cast<T*>(base + (reinterpret_cast<char*>(here) - reinterpret_cast<char*>(arrival))) = value;
#elif ASYNCHRONOUS
        const unsigned place = address_in(here, receiver), barrier = address_in(&arrival[(round + 1) % 2], receiver);
        if constexpr (sizeof(T) == 4) {
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(place),
                         "r"(value), "r"(barrier)
                         : "memory");
        } else {
            asm volatile(
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(place),
                "r"(value.x), "r"(value.y), "r"(barrier)
                : "memory");
        }
#else
        *here = value;
#endif
    }

    __device__ __forceinline__ void await(unsigned round) const {
#if defined(WARPATH_HOST)
        host::synchronize_grid({__FILE__, __LINE__});
#elif ASYNCHRONOUS
        const unsigned barrier = address(&arrival[round % 2]), phase = (round - 1) / 2 % 2;
        unsigned done;
        do {
            asm volatile(
                "{\n.reg .pred done;\n"
                "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                "selp.u32 %0, 1, 0, done;\n}"
                : "=r"(done)
                : "r"(barrier), "r"(phase)
                : "memory");
        } while (!done);
#else
        __syncthreads();
#endif
    }

#if ASYNCHRONOUS
    __device__ __forceinline__ static unsigned address(const void* here) {
        return static_cast<unsigned>(__cvta_generic_to_shared(here));
    }
    __device__ __forceinline__ static unsigned address_in(const void* here, unsigned block) {
        unsigned there;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(here)), "r"(block));
        return there;
    }
#endif
};

// A list of a block in its shared memory that warps append to.
struct BlockList {
    int* items;
    unsigned* count;

    __device__ __forceinline__ unsigned size() const { return *static_cast<volatile unsigned*>(count); }
    __device__ __forceinline__ void add(int item) const { items[atomicAdd(count, 1)] = item; }

    // All lanes of a warp take part.
    __device__ __forceinline__ void push(int item, bool wanted) const {
        const unsigned wanting = __ballot_sync(ALL_LANES, wanted);
        if (wanting == 0) return;
        unsigned first = 0;
        if (lane_index() == 0) first = atomicAdd(count, __popc(wanting));
        first = __shfl_sync(ALL_LANES, first, 0);
        if (wanted) items[first + __popc(wanting & ((1u << lane_index()) - 1))] = item;
    }
};
