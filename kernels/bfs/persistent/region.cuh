// A region of a graph in the shared memory of its block, and hops in it.
#pragma once

#include "bitmap.cuh"

#if ARCS_IN_SHARED
constexpr int IN_GROUP = 4;  // arcs that are read together
constexpr unsigned NO_TARGET = 0xffff, OUTSIDE = 0x8000;
using Packed = unsigned short;
#else
constexpr int IN_GROUP = 8;
constexpr unsigned NO_TARGET = 0xffffffff, OUTSIDE = 0x80000000;
using Packed = unsigned;
#endif

constexpr int EACH = IN_GROUP / LANES;  // arcs of a lane

// Targets of a vertex for one lane: numbers in its region or, from OUTSIDE on, of slots.
struct alignas(EACH * sizeof(Packed) > 16 ? 16 : EACH * sizeof(Packed)) Targets {
    Packed number[EACH];
};

struct Region {
    int first, vertices;  // of all vertices by region
    int border;           // vertices that other regions have arcs to; they come first, and each has a slot
    int slots;            // where its slots begin
    int groups, outside;  // groups of arcs, and targets outside of it
    int data;             // where its arrays begin, in words
    int group_data;       // where its groups begin, if they are not in shared memory
};

// The arrays of a region in shared memory.
struct Local {
    unsigned* length;  // twice the distance of each vertex, and 1 if it waits in a queue
    const Targets* arcs;
    const int* outside;           // the slots of targets outside
    const unsigned short* first;  // the first group of each vertex
    unsigned short* queues;       // of even and of odd hops
    unsigned vertices;

    // The place of a length of 0 in the lane's bank.
    __device__ __forceinline__ unsigned unused() const { return vertices + lane_index(); }

    __device__ __forceinline__ unsigned short* queue_of(unsigned hop) const { return queues + hop % 2 * QUEUED; }
    __device__ __forceinline__ Targets targets(unsigned group, unsigned lane) const {
        return arcs[group * LANES + lane];
    }
    __device__ __forceinline__ unsigned slot(unsigned target) const {
#if ARCS_IN_SHARED
        return outside[target - OUTSIDE];
#else
        return target - OUTSIDE;
#endif
    }
};

__shared__ bool is_full;        // vertices that wait did not fit into a queue
__shared__ unsigned counts[4];  // of the queues of hops, in turn

// A vertex that falls to `now` has to be queued if it does not wait already.
__device__ __forceinline__ bool is_due(unsigned before, unsigned now) { return now < before && before % 2 == 0; }

// Queues up to COUNT vertices of each lane; all lanes take part.
template <int COUNT>
__device__ __forceinline__ void queue_all(const unsigned (&vertex)[COUNT], const bool (&selected)[COUNT],
                                          unsigned short* queue, unsigned* count) {
    unsigned before[COUNT], total = 0;
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
        const unsigned lanes = __ballot_sync(ALL_LANES, selected[k]);
        before[k] = total + __popc(lanes & lanes_before());
        total += __popc(lanes);
    }
    if (total == 0) return;
    unsigned base = 0;
    if (lane_index() == 0) base = atomicAdd(count, total);
    base = __shfl_sync(ALL_LANES, base, 0);
    if (base + total > QUEUED) is_full = true;
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
        if (selected[k] && base + before[k] < QUEUED) queue[base + before[k]] = vertex[k];
    }
}

// Follows the arcs of all vertices in the queue of a hop, LANES of which share those of a vertex. Lanes without an arc
// lower a number that nobody uses.
__device__ __forceinline__ void make_hop(const Local& local, unsigned hop, unsigned queued, unsigned* slots) {
    const unsigned short* const queue = local.queue_of(hop);
    unsigned short* const next = local.queue_of(hop + 1);
    unsigned* const count = &counts[(hop + 1) % 4];
    const unsigned lane = threadIdx.x % LANES;
    for (unsigned i = threadIdx.x / LANES; i / (32 / LANES) * (32 / LANES) < queued; i += BLOCK / LANES) {
        const unsigned vertex = i < queued ? queue[i] : local.unused();
        unsigned group = i < queued ? local.first[vertex] : 0;
        const unsigned end = i < queued ? local.first[vertex + 1] : 0;
        unsigned length = 0;
        if (lane == 0) length = atomicAnd(&local.length[vertex], ~1u);
        if (LANES > 1) length = __shfl_sync(ALL_LANES, length, lane_index() / LANES * LANES);
        const unsigned distance = length / 2 + 1, now = 2 * distance + 1;
        do {
            Targets targets;
#pragma unroll
            for (int k = 0; k < EACH; ++k) targets.number[k] = Packed(NO_TARGET);
            if (group < end) targets = local.targets(group, lane);
            ++group;
            unsigned target[EACH], before[EACH];
            bool falls[EACH], leaves = false;
#pragma unroll
            for (int k = 0; k < EACH; ++k) {
                target[k] = targets.number[k];
                leaves |= target[k] >= OUTSIDE && target[k] != NO_TARGET;
                before[k] = atomicMin(&local.length[target[k] < OUTSIDE ? target[k] : local.unused()], now);
            }
            if (leaves) {
#pragma unroll
                for (int k = 0; k < EACH; ++k) {
                    if (target[k] >= OUTSIDE && target[k] != NO_TARGET) {
                        atomicMin(&slots[local.slot(target[k])], distance);
                    }
                }
            }
#pragma unroll
            for (int k = 0; k < EACH; ++k) falls[k] = is_due(before[k], now);
            queue_all(target, falls, next, count);
        } while (__any_sync(ALL_LANES, group < end));
    }
}

// Queues vertices that wait and did not fit before.
__device__ __forceinline__ void queue_waiting(const Local& local, int vertices, unsigned hop) {
    __syncthreads();
    if (threadIdx.x == 0) is_full = false;
    __syncthreads();
    for (int first = threadIdx.x / 32 * 32; first < vertices; first += BLOCK) {
        const unsigned vertex[1] = {first + lane_index()};
        const bool waits[1] = {int(vertex[0]) < vertices && local.length[vertex[0]] % 2 != 0};
        queue_all(vertex, waits, local.queue_of(hop), &counts[hop % 4]);
    }
    __syncthreads();
}
