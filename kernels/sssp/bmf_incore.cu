// Bellman-Ford, in core: edges split evenly among warps, one distance array read and updated inside the kernel.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// Like sssp/bmf_outcore without the second array: no copy between rounds, and a warp may use what another has found in
// the same round, so that a distance can travel over several edges in one launch.
//
// Launches: one a round, until a round changes nothing, V - 1 at most. Their number depends on the timing of the warps.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 2, "Incore".

#include "edges.cuh"

extern "C" __global__ void edge_process(arc_t length, const Edge* L, unsigned* distance, int* changed) {
    const Load load = warp_load(length);
    for (long long i = load.beg + lane_index(); i < load.end; i += 32) {
        const int v = L[i].dest;
        const unsigned candidate = distance[L[i].src] + L[i].weight;
        if (candidate < distance[v]) {
            atomicMin(&distance[v], candidate);
            *changed = 1;
        }
    }
}
