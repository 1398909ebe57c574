// A search on a graph that is divided into regions, one for each block, which keeps the region in its shared memory.
//
// A block goes on by itself from the vertices that it has reached, hop after hop, in shared memory. It never waits for
// others: where an arc leaves its region, it lowers the distance in the slot of the target, a number in global memory,
// and goes on. Meanwhile it looks at the slots of its own border. A distance may be too large at first; then it falls
// later, and the arcs of its vertex are followed again. So all are right when nothing is left to do (hops.cuh says
// why).
#pragma once

#include "region.cuh"
#include "tally.cuh"

struct Progress {
    unsigned barrier, levels;
    unsigned votes[2];
};

extern __shared__ __align__(16) unsigned dynamic_shared[];

// Copies a region into shared memory; nothing is reached.
__device__ __forceinline__ Local load_region(const Region& region, const unsigned* data, const uint4* arcs) {
    Local local;
#if ARCS_IN_SHARED
    const unsigned words = 2 * region.groups + region.outside + (region.vertices + 2) / 2;
    local.arcs = reinterpret_cast<const Targets*>(dynamic_shared);
    local.outside = reinterpret_cast<const int*>(dynamic_shared) + 2 * region.groups;
    local.first = reinterpret_cast<const unsigned short*>(local.outside + region.outside);
#else
    const unsigned words = (region.vertices + 2) / 2;
    local.arcs = reinterpret_cast<const Targets*>(arcs) + LANES * (long long)region.group_data;
    local.first = reinterpret_cast<const unsigned short*>(dynamic_shared);
#endif
    local.length = dynamic_shared + (words + 3) / 4 * 4;
    local.queues = reinterpret_cast<unsigned short*>(local.length + region.vertices + 32);
    local.vertices = region.vertices;
    const uint4* const packed = reinterpret_cast<const uint4*>(data + region.data);
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < (words + 3) / 4; i += BLOCK) {
        reinterpret_cast<uint4*>(dynamic_shared)[i] = __ldg(&packed[i]);
    }
    for (int vertex = threadIdx.x; vertex < region.vertices; vertex += BLOCK) local.length[vertex] = 2 * UNREACHABLE;
    if (threadIdx.x < 32) local.length[local.unused()] = 0;
    if (threadIdx.x < 4) counts[threadIdx.x] = 0;
    if (threadIdx.x == 0) is_full = false;
    return local;
}

// What the slots of a block's border say, as far as one pass over them goes.
struct News {
    unsigned slot[POLLED], distance[POLLED];

    __device__ __forceinline__ News(const unsigned* slots, unsigned count, unsigned pass) {
#pragma unroll
        for (int k = 0; k < POLLED; ++k) {
            slot[k] = threadIdx.x + (pass * POLLED + k) * BLOCK;
            distance[k] = UNREACHABLE;
            if (slot[k] < count) distance[k] = load_relaxed(&slots[slot[k]]);
        }
    }

    // Queues the vertices whose distances fall; all threads take part, between two barriers of the block.
    __device__ __forceinline__ void take(const Local& local, unsigned hop) const {
        bool falls[POLLED];
#pragma unroll
        for (int k = 0; k < POLLED; ++k) {
            falls[k] = false;
            if (distance[k] == UNREACHABLE) continue;
            const unsigned now = 2 * distance[k] + 1, before = local.length[slot[k]];
            if (now < before) local.length[slot[k]] = now;
            falls[k] = is_due(before, now);
        }
        queue_all(slot, falls, local.queue_of(hop), &counts[hop % 4]);
    }
};

// Makes up to HOPS_A_POLL hops. Returns whether there was one to make. A barrier of the block is the last thing.
__device__ __forceinline__ bool make_hops(const Local& local, unsigned& hop, unsigned* slots) {
    bool works = false;
    for (int k = 0; k < HOPS_A_POLL; ++k) {
        const unsigned queued = min(counts[hop % 4], unsigned(QUEUED));
        if (queued == 0) {
            __syncthreads();
            break;
        }
        works = true;
        if (threadIdx.x == 0) counts[(hop + 2) % 4] = 0;
        make_hop(local, hop, queued, slots);
        ++hop;
        __syncthreads();
    }
    return works;
}

// Goes on until nothing is left to do in any block.
__device__ __forceinline__ void go_on(const Region& region, const Local& local, unsigned* slots, unsigned* votes) {
    const unsigned passes = max(1, (region.border + POLLED * BLOCK - 1) / (POLLED * BLOCK));
    Vote vote;
    unsigned hop = 0, quiet = 0;  // passes without work since the last vote was complete, as the first thread knows
    for (unsigned pass = 0;; pass = pass + 1 < passes ? pass + 1 : 0) {
        const News news(slots + region.slots, region.border, pass);
        bool works = make_hops(local, hop, slots);
        news.take(local, hop);
        synchronize_host_grid();
        __syncthreads();
        works |= counts[hop % 4] != 0;
        if (!works && is_full) {
            queue_waiting(local, region.vertices, hop);
            works = true;
        }
        quiet = works ? 0 : quiet + 1;
        vote.had_work |= works;
        const bool votes_now = threadIdx.x == 0 && quiet >= passes && !vote.is_waiting;
        bool is_over = false;
        if (threadIdx.x == 0 && !works && vote.is_waiting) {
            is_over = vote.is_over(vote.look(votes));
            if (!vote.is_waiting) quiet = 0;
        }
        synchronize_host_grid();
        if (votes_now) vote.give(votes);
        if (!works && __syncthreads_or(is_over)) return;
    }
}

// Stores the distances in the order of the graph, and the number of levels.
__device__ __forceinline__ void store(const Region& region, const Local& local, const int* order, unsigned* distance,
                                      unsigned* levels) {
    unsigned deepest = 0;
    for (int vertex = threadIdx.x; vertex < region.vertices; vertex += BLOCK) {
        const unsigned own = local.length[vertex] / 2;
        distance[order[region.first + vertex]] = own;
        if (own != UNREACHABLE) deepest = max(deepest, own + 1);
    }
    deepest = __reduce_max_sync(ALL_LANES, deepest);
    if (lane_index() == 0) atomicMax(levels, deepest);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(const Region* regions, const unsigned* data, const uint4* arcs, const int* places, const int* order,
           int source, unsigned* distance, unsigned* slots, Progress* progress) {
    const Region region = regions[blockIdx.x];
    const Local local = load_region(region, data, arcs);
    for (int slot = threadIdx.x; slot < region.border; slot += BLOCK) slots[region.slots + slot] = UNREACHABLE;
    __syncthreads();
    const unsigned start = places[source] - region.first;
    if (threadIdx.x == 0 && start < unsigned(region.vertices)) {
        local.length[start] = 1;
        local.queues[0] = start;
        counts[0] = 1;
    }
    if (thread_index() == 0) progress->votes[0] = progress->votes[1] = progress->levels = 0;
    grid_barrier(&progress->barrier);
    go_on(region, local, slots, progress->votes);
    store(region, local, order, distance, &progress->levels);
}
