// A region of a graph in the shared memory of its block, and hops in it.
#pragma once

// IN_GROUP arcs are read together.
#if ARCS_IN_SHARED
using Packed = unsigned;  // target, and weight above
#else
using Packed = unsigned long long;
#endif

__shared__ bool has_more;  // vertices wait that are in no queue: at the threshold or beyond, or it had no room

// Reads `has_more` where it is asked for and not before: while a queue has vertices, other warps may write it.
__device__ __forceinline__ bool has_others() { return *static_cast<volatile bool*>(&has_more); }

#include "region_memory.cuh"

constexpr Packed NO_PACKED = NO_TARGET;
#if ARCS_IN_SHARED
__device__ __forceinline__ unsigned target_of(Packed arc) { return arc & 0xffff; }
__device__ __forceinline__ unsigned weight_of(Packed arc) { return arc >> 16; }
#else
__device__ __forceinline__ unsigned target_of(Packed arc) { return unsigned(arc); }
__device__ __forceinline__ unsigned weight_of(Packed arc) { return unsigned(arc >> 32); }
#endif

// What a block knows of its vertices beside their lengths. Below the threshold those that wait are in a queue.
struct Front {
    unsigned threshold;
    unsigned hop = 0, raised = 0;
};

__shared__ unsigned leasts[2];  // least distances of vertices that wait, in turn

// Notes that the distance of a vertex has fallen to `distance`. Returns whether it has to be queued.
__device__ __forceinline__ bool is_due(unsigned before, unsigned distance, unsigned threshold) {
    if (2 * distance + 1 >= before) return false;
    const bool waited = before % 2 != 0;
    if (distance >= threshold) {
        if (!waited) has_more = true;
        return false;
    }
    return !waited || before / 2 >= threshold;
}

__device__ __forceinline__ void queue_vertex(unsigned vertex, unsigned short* queue, unsigned* count) {
    const unsigned place = atomicAdd(count, 1);
    if (place < QUEUED)
        queue[place] = vertex;
    else
        has_more = true;
}

// Relaxes the arcs of all vertices in the queue of a hop, LANES of which share those of a vertex and read TOGETHER
// groups of them before they need the first. Lanes without an arc lower a number that nobody uses.
__device__ __forceinline__ void make_hop(const Local& local, const Front& front, unsigned queued, unsigned* slots) {
    constexpr int count = EACH * TOGETHER;
    const unsigned short* const queue = local.queue_of(front.hop);
    unsigned short* const next = local.queue_of(front.hop + 1);
    unsigned* const next_count = &counts[(front.hop + 1) % 4];
    const unsigned lane = threadIdx.x % LANES;
    for (unsigned i = threadIdx.x / LANES; i / (32 / LANES) * (32 / LANES) < queued; i += BLOCK / LANES) {
        const unsigned vertex = i < queued ? queue[i] : local.unused();
        unsigned group = i < queued ? local.first[vertex] : 0;
        const unsigned end = i < queued ? local.first[vertex + 1] : 0;
        if (lane == 0) atomicAnd(&local.length[vertex], ~1u);
        __syncwarp();  // who lowers the distance from now on queues the vertex again
        const unsigned from = static_cast<volatile unsigned*>(local.length)[vertex] / 2;
        do {
            Packed arc[count];
#pragma unroll
            for (int j = 0; j < TOGETHER; ++j) {
                Arcs arcs;
#pragma unroll
                for (int k = 0; k < EACH; ++k) arcs.arc[k] = NO_PACKED;
                if (group < end) arcs = local.arcs[group * LANES + lane];
                ++group;
#pragma unroll
                for (int k = 0; k < EACH; ++k) arc[j * EACH + k] = arcs.arc[k];
            }
            unsigned target[count], distance[count], before[count];
            bool leaves = false;
#pragma unroll
            for (int k = 0; k < count; ++k) {
                target[k] = target_of(arc[k]);
                distance[k] = min(from + weight_of(arc[k]), UNREACHABLE);
                leaves |= target[k] >= OUTSIDE && target[k] != NO_TARGET;
                const unsigned place = target[k] < OUTSIDE ? target[k] : local.unused();
                before[k] = atomicMin(&local.length[place], 2 * distance[k] + 1);
            }
            if (leaves) {
#pragma unroll
                for (int k = 0; k < count; ++k) {
                    if (target[k] >= OUTSIDE && target[k] != NO_TARGET) {
                        atomicMin(&slots[local.slot(target[k])], distance[k]);
                    }
                }
            }
#pragma unroll
            for (int k = 0; k < count; ++k) {
                if (is_due(before[k], distance[k], front.threshold)) queue_vertex(target[k], next, next_count);
            }
        } while (__any_sync(ALL_LANES, group < end));
    }
}

// Raises the threshold to `delta` above the least distance of a vertex that waits, and queues those below. None is in a
// queue before. All threads take part; a barrier of the block is the last thing.
__device__ __forceinline__ void raise_threshold(const Local& local, Front& front, unsigned delta) {
    unsigned& least = leasts[front.raised % 2];
    unsigned own = UNREACHABLE;
    for (unsigned vertex = threadIdx.x; vertex < local.vertices; vertex += BLOCK) {
        const unsigned length = local.length[vertex];
        if (length % 2 != 0) own = min(own, length / 2);
    }
    own = __reduce_min_sync(ALL_LANES, own);
    if (lane_index() == 0 && own != UNREACHABLE) atomicMin(&least, own);
    __syncthreads();
    if (least != UNREACHABLE) front.threshold = max(front.threshold, min(least + delta, UNREACHABLE));
    ++front.raised;
    if (threadIdx.x == 0) {
        has_more = false;
        leasts[front.raised % 2] = UNREACHABLE;
    }
    __syncthreads();
    for (unsigned vertex = threadIdx.x; vertex < local.vertices; vertex += BLOCK) {
        const unsigned length = local.length[vertex];
        if (length % 2 == 0) continue;
        if (length / 2 < front.threshold)
            queue_vertex(vertex, local.queue_of(front.hop), &counts[front.hop % 4]);
        else
            has_more = true;
    }
    __syncthreads();
}
