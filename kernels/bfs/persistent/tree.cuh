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

// Where arcs have both directions: a neighbour one step nearer. Most often the hub is one.
extern "C" __global__ void find_parents(int vertices, const arc_t* offsets, const int* targets, const int* hubs,
                                        const unsigned* distance, const uint2* low, int* parents) {
    for (long long first = thread_index() / 32 * 32; first < vertices; first += thread_count()) {
        const long long vertex = first + lane_index();
        const unsigned own = vertex < vertices ? distance[vertex] : 0;
        const bool has_parent = own != 0 && own != UNREACHABLE;
        const IsNearer is_nearer{low, own};
        int parent = NO_VERTEX;
        for (int k = 0; k < HUBS && has_parent; ++k) {
            const int hub = __ldg(&hubs[vertex * HUBS + k]);
            if (parent == NO_VERTEX && hub != NO_VERTEX && is_nearer(hub)) parent = hub;
        }
        const bool looks = has_parent && parent == NO_VERTEX;
        const int found = find_target(targets, looks ? offsets[vertex] : 0, looks ? offsets[vertex + 1] : 0, is_nearer);
        if (vertex < vertices) parents[vertex] = looks ? found : parent;
    }
}

// Otherwise each vertex tells its targets; of several parents the one with the largest number stays. Parents are
// NO_VERTEX before.
extern "C" __global__ void tell_parents(int vertices, const arc_t* offsets, const int* targets,
                                        const unsigned* distance, int* parents) {
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        const unsigned own = distance[vertex];
        if (own == UNREACHABLE) continue;
        for (arc_t arc = offsets[vertex] + arc_t(lane_index()); arc < offsets[vertex + 1]; arc += 32) {
            const int target = targets[arc];
            if (distance[target] == own + 1) atomicMax(&parents[target], int(vertex));
        }
    }
}
