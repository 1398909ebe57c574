// SSSP in two phases: relax the arcs of marked vertices into an updating array, then commit what became cheaper.
//
// Returns the cost of a cheapest path from the source to every vertex, UNREACHABLE where there is none.
//
// Dijkstra settles one vertex a step; here all vertices whose cost fell in the last round relax their arcs at once.
// Costs are read from one array and written to another, so that a round sees only what the round before it committed.
// When two marked vertices share a neighbour the lower cost has to stay: comparison and assignment are one atomicMin,
// where the first version (sssp/racy) lets either write win.
//
// Launches: two a round; the last round commits nothing.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", algorithms 10 to 12 with the correction
// of section 4.2. Corrected: weights there are indexed by the neighbour (W[nid]) instead of the arc.

#include "warpath.cuh"

extern "C" __global__ void relax(int vertices, const arc_t* offsets, const int* targets, const int* weights, bool* mask,
                                 const unsigned* cost, unsigned* updating) {
    const long long u = thread_index();
    if (u >= vertices || !mask[u]) return;
    mask[u] = false;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        atomicMin(&updating[targets[arc]], cost[u] + weights[arc]);
    }
}

extern "C" __global__ void commit(int vertices, bool* mask, unsigned* cost, const unsigned* updating, int* changed) {
    const long long v = thread_index();
    if (v >= vertices || cost[v] <= updating[v]) return;
    cost[v] = updating[v];
    mask[v] = true;
    *changed = 1;
}
