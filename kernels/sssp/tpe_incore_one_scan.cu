// To-Process-Edge, in core, with the filter as the text has it: two kernels, which look at every edge once.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// The computation is that of sssp/tpe_incore, and the filter that of sssp/tpe_outcore_one_scan.
//
// Launches: find, filter and edge_process in each round, of which there are V - 1 at most. It ends sooner when the
// first two find nothing, which does not count as a round. The filter (its two kernels) and the computation (its kernel
// and the clearing of marks) are timed separately.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 3, "Incore".
// Chosen here: a mark a vertex tells a changed source, as in sssp/tpe_incore.

#include "to_process_once.cuh"

extern "C" __global__ void find(arc_t length, const Edge* L, const bool* changed, arc_t* found, int* counts) {
    find_to_process_once(length, L, [=](int u) { return changed[u]; }, found, counts);
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
