// A shortest-path tree from distances, where arcs are known by their tails alone: tails offer themselves to heads.
#pragma once

#include "bitmap.cuh"

enum : unsigned { NOBODY = ~0u };

struct Tree {
    int source;
    const unsigned* distance;
    unsigned* parents;

    __device__ __forceinline__ bool is_inside(int vertex) const {
        return vertex == source || parents[vertex] != NOBODY;
    }
};

// Offers each vertex to its targets, of which those that lack a parent take the first offer; all warps share the arcs
// evenly. graph.arc(number) returns target and weight. In the first round arcs with a weight count, later those of
// weight 0 from vertices inside. Returns whether another round might find more.
template <typename Graph>
__device__ __forceinline__ bool offer(const Graph& graph, const Tree& tree, bool is_first) {
    bool goes_on = false;
    int own = NO_VERTEX;
    unsigned length = UNREACHABLE;
    const unsigned_arc_t arcs = graph.offsets[graph.vertices];
    share_arcs<READ_TOGETHER, true>(
        graph.vertices, arcs, [&](unsigned vertex) { return unsigned_arc_t(__ldg(&graph.offsets[vertex])); },
        [&](unsigned vertex, unsigned_arc_t& before, arc_t& shift) {
            before = __ldg(&graph.offsets[vertex]), shift = 0;
            own = int(vertex), length = tree.distance[vertex];
            if (is_first) return;
            const bool has_zero = before < arcs && graph.arc(arc_t(before)).y == 0;  // lighter arcs come first
            if (!has_zero || !tree.is_inside(own)) length = UNREACHABLE;
        },
        [&](const arc_t(&arc)[READ_TOGETHER], const int (&owner)[READ_TOGETHER]) {
            int2 to[READ_TOGETHER];
            unsigned reached[READ_TOGETHER];
            for (int k = 0; k < READ_TOGETHER; ++k) {
                const unsigned from = __shfl_sync(ALL_LANES, length, owner[k]);
                to[k] = make_int2(tree.source, 0);
                if (arc[k] != NO_ARC && from != UNREACHABLE) to[k] = graph.arc(arc[k]);
                reached[k] = from + to[k].y;
            }
            for (int k = 0; k < READ_TOGETHER; ++k) {
                const int tail = __shfl_sync(ALL_LANES, own, owner[k]);
                if (to[k].x == tree.source || reached[k] >= UNREACHABLE) continue;
                if (tree.distance[to[k].x] != reached[k]) continue;
                if (is_first && to[k].y == 0) goes_on = true;
                if (is_first != (to[k].y > 0)) continue;
                const bool takes = atomicCAS(&tree.parents[to[k].x], NOBODY, unsigned(tail)) == NOBODY;
                goes_on = goes_on || (takes && !is_first);
            }
        });
    return goes_on;
}
