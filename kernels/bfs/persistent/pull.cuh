// Pulling: every unvisited vertex looks for a visited neighbour, and stops at the first.
//
// A visited neighbour of an unvisited vertex is in the frontier, because the vertex would have been found earlier
// otherwise; so the bits of visited vertices are enough. New bits go into a second copy. Only where arcs have both
// directions.
//
// The neighbour that is visited first is most often the one with the most arcs, the vertex's hub. Hubs are found while
// preparing and stand side by side, so that the arcs of most vertices are not read.
#pragma once

#include "bitmap.cuh"

constexpr int PULLED = 2;  // arcs that a lane pulls along at a time

struct Graph {
    int vertices;
    arc_t arcs;
    const arc_t* offsets;
    const int* targets;
    const int* hubs;  // HUBS of each vertex, or NO_VERTEX
};

// Returns `suits` of another lane; of most kinds it is the same in all lanes.
template <typename Suits>
__device__ __forceinline__ Suits of_lane(Suits suits, int) {
    return suits;
}

// Returns a target of one of the lane's arcs for which suits(target) holds, or NO_VERTEX. Each lane tries its first
// arcs alone; for each lane that has found none then all lanes try together. Numbers of arcs are unsigned: a step may
// exceed the largest.
template <typename Suits>
__device__ __forceinline__ int find_target(const int* targets, unsigned_arc_t begin, unsigned_arc_t end, Suits suits) {
    constexpr unsigned alone = 16;
    int found = NO_VERTEX;
    const unsigned_arc_t stop = min(end, begin + alone);
    for (unsigned_arc_t arc = begin; arc < stop && found == NO_VERTEX; arc += PULLED) {
        int target[PULLED];
        for (int k = 0; k < PULLED; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NO_VERTEX;
        for (int k = 0; k < PULLED; ++k) {
            if (target[k] != NO_VERTEX && suits(target[k])) found = target[k];
        }
    }
    unsigned undecided = __ballot_sync(ALL_LANES, found == NO_VERTEX && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const Suits lane_suits = of_lane(suits, lane);
        const unsigned_arc_t last = __shfl_sync(ALL_LANES, end, lane);
        unsigned_arc_t arc = __shfl_sync(ALL_LANES, stop, lane);
        unsigned lanes = 0;
        for (; arc < last && lanes == 0; arc += 32) {
            const unsigned_arc_t own = arc + lane_index();
            lanes = __ballot_sync(ALL_LANES, own < last && lane_suits(__ldg(&targets[own])));
        }
        if (lane_index() == lane && lanes != 0) found = __ldg(&targets[arc - 32 + __ffs(lanes) - 1]);
    }
    return found;
}

__device__ __forceinline__ bool has_visited_hub(const int* hubs, const unsigned* visited, long long vertex) {
    bool met = false;
    int hub[HUBS > 0 ? HUBS : 1];
#pragma unroll
    for (int k = 0; k < HUBS; ++k) hub[k] = __ldg(&hubs[vertex * HUBS + k]);
#pragma unroll
    for (int k = 0; k < HUBS; ++k) met |= hub[k] != NO_VERTEX && has_bit(visited, hub[k]);
    return met;
}

// Returns what the thread has found. Marks vertices without arcs as visited too.
__device__ __forceinline__ FrontierSize pull(const Graph& graph, unsigned level, const unsigned* visited,
                                             unsigned* next_visited, unsigned* distance, MemberScratch scratch) {
    unsigned found = 0;
    unsigned_arc_t found_arcs = 0;
    for_each_member(
        words_of(graph.vertices), scratch, [&](unsigned word) { return ~visited[word]; },
        [&](int vertex, unsigned* new_bits) {
            const bool valid = vertex >= 0 && vertex < graph.vertices;
            const arc_t begin = valid ? __ldg(&graph.offsets[vertex]) : 0;
            const arc_t end = valid ? __ldg(&graph.offsets[vertex + 1]) : 0;
            bool met = valid && has_visited_hub(graph.hubs, visited, vertex);
            met |= find_target(graph.targets, begin, met ? begin : end,
                               [&](int target) { return has_bit(visited, target); }) != NO_VERTEX;
            const bool isolated = valid && begin == end;
            if (met) distance[vertex] = level + 1;
            if (met || isolated) {
                atomicOr(new_bits, 1u << vertex % 32);
                found += met;
                found_arcs += end - begin;
            }
        },
        [&](unsigned word, unsigned unvisited, unsigned changed) { next_visited[word] = ~unvisited | changed; });
    return frontier_size(found, found_arcs);
}

// Lists the vertices that the last level pulled, except those with fewer arcs than `least`.
__device__ __forceinline__ void list_frontier(const Graph& graph, const unsigned* visited, const unsigned* before,
                                              int least, MemberScratch scratch, NextFrontier next, Outbox& outbox) {
    for_each_member(
        words_of(graph.vertices), scratch, [&](unsigned word) { return visited[word] & ~before[word]; },
        [&](int vertex, unsigned*) {
            const bool selected = vertex >= 0 && graph.offsets[vertex] + least <= graph.offsets[vertex + 1];
            outbox.push(vertex, selected, graph.offsets, next);
        },
        [](unsigned, unsigned, unsigned) {});
    outbox.flush(graph.offsets, next);
}

__device__ __forceinline__ void swap(unsigned*& one, unsigned*& other) {
    unsigned* const before = one;
    one = other;
    other = before;
}

// Finds the hubs of every vertex, one after the other: of all targets that come after the last hub, the first in order
// of arcs and number.
extern "C" __global__ void find_hubs(int vertices, const arc_t* offsets, const int* targets, int* hubs) {
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        unsigned last_degree = ~0u;
        int last = -1;
        for (int k = 0; k < HUBS; ++k) {
            unsigned degree = 0;
            int hub = NO_VERTEX;
            for (unsigned_arc_t arc = offsets[vertex] + lane_index(); arc < unsigned_arc_t(offsets[vertex + 1]);
                 arc += 32) {
                const int target = targets[arc];
                const unsigned own = offsets[target + 1] - offsets[target];
                const bool is_left = own < last_degree || (own == last_degree && target < last);
                if (is_left && (own > degree || (own == degree && target > hub))) degree = own, hub = target;
            }
            last_degree = __reduce_max_sync(ALL_LANES, degree);
            last = int(__reduce_max_sync(ALL_LANES, degree == last_degree ? unsigned(hub + 1) : 0u)) - 1;
            if (lane_index() == 0) hubs[vertex * HUBS + k] = last;
        }
    }
}
