// A shortest-path tree after a search that has stretched: stretches tell no parents, as distances may still fall.
#pragma once

#include "offering.cuh"
#include "level.cuh"

// Each vertex that lacks a parent looks for a neighbour that is one step nearer. Only where arcs have both directions.
__device__ __forceinline__ void ask_neighbours(const Graph& graph, const Tree& tree) {
    for (long long first = thread_index() / 32 * 32; first < graph.vertices; first += thread_count()) {
        const long long vertex = first + lane_index();
        const unsigned length = vertex < graph.vertices ? tree.distance[vertex] : UNREACHABLE;
        const bool looks = length != UNREACHABLE && !tree.is_inside(int(vertex));
        const arc_t begin = looks ? __ldg(&graph.offsets[vertex]) : 0;
        const arc_t count = looks ? __ldg(&graph.offsets[vertex + 1]) - begin : 0;
        visit_own_arcs<1>(begin, count, [&](const arc_t(&arc)[1], const int (&owner)[1]) {
            const unsigned of_owner = __shfl_sync(ALL_LANES, length, owner[0]);
            if (arc[0] == NO_ARC) return;
            const int target = __ldg(&graph.targets[arc[0]]);
            if (tree.distance[target] + 1 == of_owner) atomicMin(&tree.parents[first + owner[0]], unsigned(target));
        });
    }
}

// Where there was a stretch, at the end of a search. A vertex with very many arcs would ask for long.
__device__ __forceinline__ void find_parents(Level level, bool has_few_arcs, int source) {
    const Tree tree = {source, level.distance, reinterpret_cast<unsigned*>(level.parents)};
    if (level.undirected && !has_few_arcs) return ask_neighbours(level.graph, tree);
    offer(level.graph, tree, true);
}
