// A search on a graph that is divided into regions, one for each block, which keeps the region in its shared memory.
//
// A block goes on by itself from the vertices that it has reached, hop after hop, in shared memory. It never waits for
// others: where an arc leaves its region, it lowers the distance in the slot of the target, a number in global memory,
// and goes on. Meanwhile it looks at the slots of its own border. A distance may be too large at first; then it falls
// later, and the arcs of its vertex are followed again. So all are right when nothing is left to do (hops.cuh says
// why).
#pragma once

#include "region.cuh"

struct Progress {
    unsigned barrier, levels;
    unsigned votes[2];
};

// Queues the vertices whose distances fall; all threads take part, between two barriers of the block.
__device__ __forceinline__ void take(const News& news, const Local& local, unsigned hop) {
    bool falls[POLLED];
#pragma unroll
    for (int k = 0; k < POLLED; ++k) {
        falls[k] = false;
        if (news.distance[k] == UNREACHABLE) continue;
        const unsigned now = 2 * news.distance[k] + 1, before = local.length[news.slot[k]];
        if (now < before) local.length[news.slot[k]] = now;
        falls[k] = is_due(before, now);
    }
    queue_all(news.slot, falls, local.queue_of(hop), &counts[hop % 4]);
}

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
        take(news, local, hop);
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
    if (threadIdx.x == 0) is_full = false;
    begin(region, local, places, source, slots);
    if (thread_index() == 0) progress->votes[0] = progress->votes[1] = progress->levels = 0;
    grid_barrier(&progress->barrier);
    go_on(region, local, slots, progress->votes);
    store(region, local, order, distance, &progress->levels);
}
