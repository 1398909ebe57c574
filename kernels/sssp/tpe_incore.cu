// To-Process-Edge, in core: only edges whose source changed in the last round are relaxed, in one distance array.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// Like sssp/tpe_outcore, with distances read and updated in place: no copy between rounds, and a round may already use
// what it has found. Without a copy to compare with, the computation marks the vertices that it changes; the marks are
// cleared when T is complete, before the next computation.
//
// Launches: find, filter, collect and edge_process in each round, of which there are V - 1 at most. It ends sooner when
// the first three find nothing, which does not count as a round. The filter (its three kernels) and the computation
// (its kernel and the clearing) are timed separately.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 3, "Incore".
// Chosen here: a mark a vertex tells a changed source. The report does not say how one array is enough.

#include "to_process.cuh"

extern "C" __global__ void find(arc_t length, const Edge* L, const bool* changed, int* counts) {
    find_to_process(length, L, [=](int u) { return changed[u]; }, counts);
}

extern "C" __global__ void collect(arc_t length, const Edge* L, const bool* changed, const arc_t* places, arc_t* T) {
    collect_to_process(length, L, [=](int u) { return changed[u]; }, places, T);
}

extern "C" __global__ void edge_process(arc_t length, const arc_t* T, const Edge* L, unsigned* distance,
                                        bool* changed) {
    const Load load = warp_load(length);
    for (long long i = load.beg + lane_index(); i < load.end; i += 32) {
        const Edge edge = L[T[i]];
        const unsigned candidate = distance[edge.src] + edge.weight;
        if (candidate < distance[edge.dest]) {
            atomicMin(&distance[edge.dest], candidate);
            changed[edge.dest] = true;
        }
    }
}
