// To-Process-Edge, out of core, with the filter as the text has it: two kernels, which look at every edge once.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// The computation is that of sssp/tpe_outcore. Its filter is of three kernels and looks at the edges twice; here a warp
// lists the edges that it identifies, and the filter's one block of 64 threads copies the lists into T, a thread for
// each warp. That saves a pass over the edges, takes as much memory again as T, and leaves the copying to 64 threads.
//
// Launches: find, filter and edge_process in each round, of which there are V - 1 at most. It ends sooner when the
// first two find nothing, which does not count as a round. The filter (its two kernels) and the computation (its kernel
// and the copy) are timed separately.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 3.
// Chosen here: "every warp" that copies is a thread of the filter's block, which has as many threads as there are warps
// at most.

#include "to_process_once.cuh"

extern "C" __global__ void find(arc_t length, const Edge* L, const unsigned* distance_prev,
                                const unsigned* distance_cur, arc_t* found, int* counts) {
    find_to_process_once(length, L, [=](int u) { return distance_cur[u] != distance_prev[u]; }, found, counts);
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
