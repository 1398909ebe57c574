// To-Process-Edge, out of core: only edges whose source changed in the last round are relaxed, from a packed list T.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// Bellman-Ford relaxes every edge in every round. Here a filter goes first: every warp counts the edges of its load
// that leave a changed vertex, one block of 64 threads turns the counts into positions by a prefix sum, and every warp
// copies its edges to its position in T. The computation then shares T evenly among the warps. A vertex changed if its
// distance differs from the copy made before the last computation.
//
// Launches: find, filter, collect and edge_process in each round, of which there are V - 1 at most. It ends sooner when
// the first three find nothing, which does not count as a round. The filter (its three kernels) and the computation
// (its kernel and the copy) are timed separately.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 3.
// Chosen here, where the report leaves it open: a warp looks for its edges again when it copies them; and the warps of
// the grid copy, not the filter's one block.
// The times printed there are not of whole searches: 0.2 ms is too short to read LiveJournal's 69 million edges.

#include "to_process.cuh"

extern "C" __global__ void find(arc_t length, const Edge* L, const unsigned* distance_prev,
                                const unsigned* distance_cur, int* counts) {
    find_to_process(length, L, [=](int u) { return distance_cur[u] != distance_prev[u]; }, counts);
}

extern "C" __global__ void collect(arc_t length, const Edge* L, const unsigned* distance_prev,
                                   const unsigned* distance_cur, const arc_t* places, arc_t* T) {
    collect_to_process(length, L, [=](int u) { return distance_cur[u] != distance_prev[u]; }, places, T);
}

extern "C" __global__ void edge_process(arc_t length, const arc_t* T, const Edge* L, const unsigned* distance_prev,
                                        unsigned* distance_cur) {
    const Load load = warp_load(length);
    for (long long i = load.beg + lane_index(); i < load.end; i += 32) {
        const Edge edge = L[T[i]];
        const unsigned candidate = distance_prev[edge.src] + edge.weight;
        if (candidate < distance_prev[edge.dest]) atomicMin(&distance_cur[edge.dest], candidate);
    }
}
