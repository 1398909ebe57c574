// A region of a graph in the shared memory of its block, and hops in it.
#pragma once

// IN_GROUP arcs are read together.
#if ARCS_IN_SHARED
using Packed = unsigned short;
#else
using Packed = unsigned;
#endif

__shared__ bool is_full;  // vertices that wait did not fit into a queue

#include "region_memory.cuh"

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
            Arcs arcs;
#pragma unroll
            for (int k = 0; k < EACH; ++k) arcs.arc[k] = Packed(NO_TARGET);
            if (group < end) arcs = local.arcs[group * LANES + lane];
            ++group;
            unsigned target[EACH], before[EACH];
            bool falls[EACH], leaves = false;
#pragma unroll
            for (int k = 0; k < EACH; ++k) {
                target[k] = arcs.arc[k];
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
