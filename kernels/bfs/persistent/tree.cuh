// A shortest-path tree: the parents of vertices to which a search has given a distance and no parent.
#pragma once

#include "pull.cuh"

struct Progress {
    unsigned barrier, unused;
    FrontierSize many;  // vertices whose arcs all blocks share
};

__shared__ int outboxes[BLOCK / 32][OUTBOX];

// Two bits of each distance, of 32 vertices in a pair. Neighbours' distances differ by one at most where arcs have both
// directions, so that these tell which neighbour is nearer; a 16th of the distances stays in the L2 cache.
__device__ __forceinline__ void shorten(int vertices, const unsigned* distance, uint2* low) {
    for (long long first = thread_index() / 32 * 32; first < vertices; first += thread_count()) {
        const long long vertex = first + lane_index();
        const unsigned own = vertex < vertices ? distance[vertex] : 0;
        const unsigned ones = __ballot_sync(ALL_LANES, own & 1), twos = __ballot_sync(ALL_LANES, own & 2);
        if (lane_index() == 0) low[first / 32] = make_uint2(ones, twos);
    }
}

struct IsNearer {
    const uint2* low;
    unsigned own;

    __device__ __forceinline__ bool operator()(int target) const {
        const uint2 bits = low[target / 32];
        const unsigned place = target % 32;
        return ((bits.x >> place & 1) | (bits.y >> place & 1) << 1) == ((own - 1) & 3);
    }
};

__device__ __forceinline__ IsNearer of_lane(IsNearer is_nearer, int lane) {
    return {is_nearer.low, __shfl_sync(ALL_LANES, is_nearer.own, lane)};
}

// Where arcs have both directions: a neighbour one step nearer. Most often the hub is one. A vertex at distance 2 whose
// only parent is the last of 100,000 neighbours would keep one warp for longer than the search takes; so vertices of
// which PIECE arcs do not suffice are left to all blocks. `is_left` says whether there is anything to do, if not null.
extern "C" __global__ void __launch_bounds__(BLOCK)
    find_parents(int vertices, const arc_t* offsets, const int* targets, const int* hubs, int source,
                 const unsigned* distance, const unsigned* is_left, uint2* low, Listed* many, Progress* progress,
                 int* parents) {
    if (is_left && !*is_left) return;
    const NextFrontier next = {many, &progress->many};
    Outbox outbox = {outboxes[threadIdx.x / 32], 0};
    if (thread_index() == 0) progress->many = 0;
    shorten(vertices, distance, low);
    grid_barrier(&progress->barrier);
    for (long long first = thread_index() / 32 * 32; first < vertices; first += thread_count()) {
        const int vertex = int(first + lane_index());
        const unsigned own = vertex < vertices ? distance[vertex] : 0;
        const bool has_parent = own != 0 && own != UNREACHABLE;
        const IsNearer is_nearer{low, own};
        int parent = !has_parent ? NO_VERTEX : own == 1 ? source : parents[vertex];
        const int hub = has_parent && parent == NO_VERTEX ? hubs[vertex] : NO_VERTEX;
        if (hub != NO_VERTEX && is_nearer(hub)) parent = hub;
        const bool looks = has_parent && parent == NO_VERTEX;
        const unsigned_arc_t begin = looks ? offsets[vertex] : 0, end = looks ? offsets[vertex + 1] : 0;
        const int found = find_target(targets, begin, min(end, begin + PIECE), is_nearer);
        if (has_parent) parents[vertex] = looks ? found : parent;
        outbox.push(vertex, looks && found == NO_VERTEX, offsets, next);
    }
    outbox.flush(offsets, next);
    grid_barrier(&progress->barrier);
    int vertex = NO_VERTEX;
    unsigned own = 0;
    for_each_arc<1>(
        {many, __ldcg(&progress->many)}, offsets, [&](int listed) { vertex = listed, own = distance[listed]; },
        [&](const arc_t(&arc)[1], const int (&owner)[1]) {
            const IsNearer is_nearer = of_lane({low, own}, owner[0]);
            const int child = __shfl_sync(ALL_LANES, vertex, owner[0]);
            const int target = arc[0] == NO_ARC ? NO_VERTEX : targets[arc[0]];
            if (target != NO_VERTEX && is_nearer(target)) parents[child] = target;
        });
}

// Otherwise each vertex tells its targets; of several parents the one with the largest number stays.
__device__ __forceinline__ void tell(int vertex, unsigned own, int target, const unsigned* distance, int* parents) {
    if (distance[target] == own + 1) atomicMax(&parents[target], vertex);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    tell_parents(int vertices, const arc_t* offsets, const int* targets, const int*, int, const unsigned* distance,
                 const unsigned* is_left, uint2*, Listed* many, Progress* progress, int* parents) {
    if (is_left && !*is_left) return;
    const NextFrontier next = {many, &progress->many};
    Outbox outbox = {outboxes[threadIdx.x / 32], 0};
    if (thread_index() == 0) progress->many = 0;
    grid_barrier(&progress->barrier);
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        const unsigned own = distance[vertex];
        if (own == UNREACHABLE) continue;
        const unsigned_arc_t begin = offsets[vertex], end = offsets[vertex + 1];
        const bool has_many = end - begin > PIECE;
        outbox.push(int(vertex), has_many && lane_index() == 0, offsets, next);
        for (unsigned_arc_t arc = begin + lane_index(); !has_many && arc < end; arc += 32) {
            tell(int(vertex), own, targets[arc], distance, parents);
        }
    }
    outbox.flush(offsets, next);
    grid_barrier(&progress->barrier);
    int vertex = NO_VERTEX;
    unsigned own = 0;
    for_each_arc<1>(
        {many, __ldcg(&progress->many)}, offsets, [&](int listed) { vertex = listed, own = distance[listed]; },
        [&](const arc_t(&arc)[1], const int (&owner)[1]) {
            const int tail = __shfl_sync(ALL_LANES, vertex, owner[0]);
            const unsigned length = __shfl_sync(ALL_LANES, own, owner[0]);
            if (arc[0] != NO_ARC) tell(tail, length, targets[arc[0]], distance, parents);
        });
}
