// A search on a graph that is divided into regions, one for each block, which keeps the region in its shared memory.
//
// A block goes on by itself in shared memory, hop after hop, from the vertices that it has reached below a threshold of
// its own; when there are none, it raises the threshold. It never waits for others: where an arc leaves its region, it
// lowers the distance in the slot of the target, a number in global memory, and goes on. Meanwhile it looks at the
// slots of its own border. A distance may be too large at first; then it falls later, and the arcs of its vertex are
// relaxed again. So all are right when nothing is left to do (hops.cuh says why).
#pragma once

#include "region.cuh"
#include "vote.cuh"

struct Progress {
    unsigned barrier, hops;
    unsigned votes[2];
};

// Queues the vertices whose distances fall; all threads take part, between two barriers of the block.
__device__ __forceinline__ void take(const News& news, const Local& local, const Front& front) {
#pragma unroll
    for (int k = 0; k < POLLED; ++k) {
        if (news.distance[k] == UNREACHABLE) continue;
        const unsigned before = local.length[news.slot[k]];
        local.length[news.slot[k]] = min(before, 2 * news.distance[k] + 1);
        if (is_due(before, news.distance[k], front.threshold)) {
            queue_vertex(news.slot[k], local.queue_of(front.hop), &counts[front.hop % 4]);
        }
    }
}

// Makes up to HOPS_A_POLL hops. Returns whether there was one to make. A barrier of the block is the last thing.
__device__ __forceinline__ bool make_hops(const Local& local, Front& front, unsigned delta, unsigned* slots) {
    bool works = false;
    for (int k = 0; k < HOPS_A_POLL; ++k) {
        if (counts[front.hop % 4] == 0 && has_others()) raise_threshold(local, front, delta);
        const unsigned queued = min(counts[front.hop % 4], unsigned(QUEUED));
        if (queued == 0) {
            __syncthreads();
            break;
        }
        works = true;
        if (threadIdx.x == 0) counts[(front.hop + 2) % 4] = 0;
        make_hop(local, front, queued, slots);
        ++front.hop;
        __syncthreads();
    }
    return works;
}

// Goes on until nothing is left to do in any block. Returns the number of hops.
__device__ __forceinline__ unsigned go_on(const Region& region, const Local& local, unsigned delta, unsigned* slots,
                                          unsigned* votes) {
    const unsigned passes = max(1, (region.border + POLLED * BLOCK - 1) / (POLLED * BLOCK));
    Vote vote;
    Front front = {delta};
    unsigned quiet = 0;  // passes without work since the last vote was complete, as the first thread knows
    for (unsigned pass = 0;; pass = pass + 1 < passes ? pass + 1 : 0) {
        const News news(slots + region.slots, region.border, pass);
        const unsigned seen = threadIdx.x == 0 ? vote.look(votes) : 0;
        bool works = make_hops(local, front, delta, slots);
        take(news, local, front);
        synchronize_host_grid();
        __syncthreads();
        works |= counts[front.hop % 4] != 0 || has_others();
        quiet = works ? 0 : quiet + 1;
        vote.had_work |= works;
        const bool votes_now = threadIdx.x == 0 && quiet >= passes && !vote.is_waiting;
        bool is_over = false;
        if (threadIdx.x == 0 && !works && vote.is_waiting) {
            is_over = vote.is_over(seen);
            if (!vote.is_waiting) quiet = 0;
        }
        if (votes_now) vote.give(votes);
        synchronize_host_grid();
        if (!works && __syncthreads_or(is_over)) return front.hop;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    cross(const Region* regions, const unsigned* data, const uint4* arcs, const int* places, const int* order,
          int source, unsigned delta, unsigned* distance, unsigned* slots, Progress* progress) {
    const Region region = regions[blockIdx.x];
    const Local local = load_region(region, data, arcs);
    if (threadIdx.x < 2) leasts[threadIdx.x] = UNREACHABLE;
    if (threadIdx.x == 0) has_more = false;
    begin(region, local, places, source, slots);
    if (thread_index() == 0) progress->votes[0] = progress->votes[1] = progress->hops = 0;
    grid_barrier(&progress->barrier);
    const unsigned hops = go_on(region, local, delta, slots, progress->votes);
    if (threadIdx.x == 0) atomicMax(&progress->hops, hops);
    for (int vertex = threadIdx.x; vertex < region.vertices; vertex += BLOCK) {
        distance[order[region.first + vertex]] = local.length[vertex] / 2;
    }
}
