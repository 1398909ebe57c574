// Pushing: the arcs of a frontier lead to unvisited vertices, which are claimed, told their distance and listed.
#pragma once

#include "pull.cuh"

enum : int { PUSHED = 4 };  // arcs that a lane pushes along at a time

// Pushes along one arc or several of each lane, with the vertices that they leave; all lanes take part.
template <int ARCS>
__device__ __forceinline__ void push_along(const Graph& graph, unsigned level, unsigned* visited, unsigned* distance,
                                           int* parents, NextFrontier next, const arc_t (&arc)[ARCS],
                                           const int (&tail)[ARCS], Outbox& outbox) {
    int target[ARCS];
    bool found[ARCS];
    for (int k = 0; k < ARCS; ++k) target[k] = arc[k] == NO_ARC ? NO_VERTEX : __ldg(&graph.targets[arc[k]]);
    for (int k = 0; k < ARCS; ++k) found[k] = target[k] != NO_VERTEX && !has_bit(visited, target[k]);
    for (int k = 0; k < ARCS; ++k) found[k] = found[k] && claim_bit(visited, target[k]);
    for (int k = 0; k < ARCS; ++k) {
        if (found[k]) distance[target[k]] = level + 1;
        if (TREE && found[k]) parents[target[k]] = tail[k];
        outbox.push(target[k], found[k], graph.offsets, next);
    }
}

// Pushes along the arcs of a list that all blocks share.
__device__ __forceinline__ void push_list(const Graph& graph, unsigned level, Frontier frontier, unsigned* visited,
                                          unsigned* distance, int* parents, NextFrontier next, Outbox& outbox) {
    int from = NO_VERTEX;
    for_each_arc<PUSHED>(
        frontier, graph.offsets, [&](int vertex) { from = vertex; },
        [&](const arc_t(&arc)[PUSHED], const int (&owner)[PUSHED]) {
            int tail[PUSHED];
            for (int k = 0; k < PUSHED; ++k) tail[k] = TREE ? __shfl_sync(ALL_LANES, from, owner[k]) : NO_VERTEX;
            push_along<PUSHED>(graph, level, visited, distance, parents, next, arc, tail, outbox);
        });
    outbox.flush(graph.offsets, next);
}
