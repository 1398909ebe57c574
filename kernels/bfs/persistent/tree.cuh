// A shortest-path tree from the distances of a search: the parent of each vertex that was reached from another.
#pragma once

#include "pull.cuh"

// Two bits of each distance, of 32 vertices in a pair. Neighbours' distances differ by one at most where arcs have both
// directions, so that these tell which neighbour is nearer; a 16th of the distances stays in the L2 cache.
extern "C" __global__ void shorten(int vertices, const unsigned* distance, uint2* low) {
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
        const uint2 bits = __ldg(&low[target / 32]);
        const unsigned place = target % 32;
        return ((bits.x >> place & 1) | (bits.y >> place & 1) << 1) == ((own - 1) & 3);
    }
};

__device__ __forceinline__ IsNearer of_lane(IsNearer is_nearer, int lane) {
    return {is_nearer.low, __shfl_sync(ALL_LANES, is_nearer.own, lane)};
}

// Whether the vertex has a parent, and not the source, which is the only one at distance 1.
__device__ __forceinline__ bool has_far_parent(unsigned distance) { return distance > 1 && distance != UNREACHABLE; }

// Where arcs have both directions: a neighbour one step nearer. Most often the hub is one. Of a vertex with more than
// PIECE arcs only so many are looked at here.
extern "C" __global__ void find_parents(int vertices, const arc_t* offsets, const int* targets, const int* hubs,
                                        int source, const unsigned* distance, const uint2* low, int* parents) {
    for (long long first = thread_index() / 32 * 32; first < vertices; first += thread_count()) {
        const long long vertex = first + lane_index();
        const unsigned own = vertex < vertices ? distance[vertex] : 0;
        const IsNearer is_nearer{low, own};
        int parent = own == 1 ? source : NO_VERTEX;
        if (has_far_parent(own)) {
            const int hub = __ldg(&hubs[vertex]);
            if (hub != NO_VERTEX && is_nearer(hub)) parent = hub;
        }
        const bool looks = has_far_parent(own) && parent == NO_VERTEX;
        const unsigned_arc_t begin = looks ? offsets[vertex] : 0, end = looks ? offsets[vertex + 1] : 0;
        const int found = find_target(targets, begin, min(end, begin + PIECE), is_nearer);
        if (vertex < vertices) parents[vertex] = looks ? found : parent;
    }
}

// The other arcs of vertices with many, in pieces that a warp takes each: a vertex at distance 2 whose only parent is
// the last of 100,000 neighbours would keep one warp for longer than the search takes.
struct Pieces {
    const int* owners;
    const arc_t* begins;
    const arc_t* offsets;

    __device__ __forceinline__ unsigned_arc_t end(int piece) const {
        return min(unsigned_arc_t(offsets[owners[piece] + 1]), unsigned_arc_t(begins[piece]) + PIECE);
    }
};

extern "C" __global__ void find_further_parents(int pieces, const int* owners, const arc_t* begins,
                                                const arc_t* offsets, const int* targets, const unsigned* distance,
                                                const uint2* low, int* parents) {
    const Pieces all = {owners, begins, offsets};
    for (int piece = thread_index() / 32; piece < pieces; piece += thread_count() / 32) {
        const int vertex = owners[piece];
        const unsigned own = distance[vertex];
        if (!has_far_parent(own) || __any_sync(ALL_LANES, __ldcg(&parents[vertex]) != NO_VERTEX)) continue;
        const IsNearer is_nearer{low, own};
        for (unsigned_arc_t arc = begins[piece] + lane_index(); arc < all.end(piece); arc += 32) {
            const int target = __ldg(&targets[arc]);
            if (is_nearer(target)) atomicMax(&parents[vertex], target);
        }
    }
}

// Otherwise each vertex tells its targets; of several parents the one with the largest number stays. Parents are
// NO_VERTEX before.
__device__ __forceinline__ void tell(int vertex, unsigned_arc_t begin, unsigned_arc_t end, const int* targets,
                                     const unsigned* distance, int* parents) {
    const unsigned own = distance[vertex];
    if (own == UNREACHABLE) return;
    for (unsigned_arc_t arc = begin + lane_index(); arc < end; arc += 32) {
        const int target = targets[arc];
        if (distance[target] == own + 1) atomicMax(&parents[target], vertex);
    }
}

extern "C" __global__ void tell_parents(int vertices, const arc_t* offsets, const int* targets,
                                        const unsigned* distance, int* parents) {
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        const unsigned_arc_t begin = offsets[vertex], end = offsets[vertex + 1];
        tell(vertex, begin, min(end, begin + PIECE), targets, distance, parents);
    }
}

extern "C" __global__ void tell_further_parents(int pieces, const int* owners, const arc_t* begins,
                                                const arc_t* offsets, const int* targets, const unsigned* distance,
                                                int* parents) {
    const Pieces all = {owners, begins, offsets};
    for (int piece = thread_index() / 32; piece < pieces; piece += thread_count() / 32) {
        tell(owners[piece], begins[piece], all.end(piece), targets, distance, parents);
    }
}
