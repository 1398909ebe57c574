// A shortest-path tree from the distances of a search.
//
// The parent of a vertex is the tail of an arc that leads to it on a shortest path. Arcs with a weight lead away from
// the source, so any of them will do. Arcs of weight 0 might lead in a circle: they make parents of those vertices only
// that have a parent already, round after round until nothing changes.
#pragma once

#include "classes.cuh"
#include "offering.cuh"

// Where arcs have both directions: each vertex that lacks a parent looks for one. Returns whether another round might
// find more.
__device__ __forceinline__ bool ask(const ClassedGraph& graph, const Tree& tree, bool is_first) {
    bool goes_on = false;
    for (long long begin = thread_index() / 32 * 32; begin < graph.vertices; begin += thread_count()) {
        const long long vertex = begin + lane_index();
        const bool valid = vertex < graph.vertices && vertex != tree.source;
        const unsigned length = valid ? tree.distance[vertex] : UNREACHABLE;
        const bool looks = length != UNREACHABLE && (is_first || tree.parents[vertex] == NOBODY);
        const arc_t first = looks ? __ldg(&graph.offsets[vertex]) : 0,
                    end = looks ? __ldg(&graph.offsets[vertex + 1]) : 0;
        // Looks no further than the class of arcs as heavy as the path to the vertex.
        const unsigned parent = classes::look_through<1>(
            graph, first, end, length, NOBODY,
            [&](int2 arc, unsigned length, unsigned best) {
                const bool suits = arc.y > 0 ? is_first : !is_first && tree.is_inside(arc.x);
                return suits && tree.distance[arc.x] + arc.y == length ? unsigned(arc.x) : best;
            },
            [&](int2 arc, unsigned length, unsigned best) {
                return best == NOBODY && classes::border_at(arc.y) <= (is_first ? length : 0);
            });
        if (vertex < graph.vertices && (is_first || parent != NOBODY)) tree.parents[vertex] = parent;
        goes_on = goes_on || (looks && (parent == NOBODY) == is_first);
    }
    return goes_on;
}

// `state` is a barrier's number and the last round, counted from 1, after which another might find more.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    grow_tree(int vertices, const arc_t* offsets, const int2* arcs, int is_directed, int source,
              const unsigned* distance, unsigned* parents, unsigned* state) {
    const ClassedGraph graph = {vertices, offsets, arcs};
    const Tree tree = {source, distance, parents};
    for (long long vertex = thread_index(); is_directed && vertex < vertices; vertex += thread_count()) {
        parents[vertex] = NOBODY;
    }
    if (thread_index() == 0) state[1] = 0;
    grid_barrier(state);
    for (unsigned round = 1;; ++round) {
        const bool goes_on = is_directed ? offer(graph, tree, round == 1) : ask(graph, tree, round == 1);
        if (__any_sync(ALL_LANES, goes_on) && lane_index() == 0) state[1] = round;
        grid_barrier(state);
        if (__ldcg(&state[1]) < round) return;
    }
}
