// SSSP in two phases as printed in 2021, before its correction: it loses updates, and is kept that way.
//
// Returns the cost of some path from the source to every vertex, not always a cheapest; UNREACHABLE where there is
// none.
//
// Comparison and assignment of `relax` are not one atomic operation: of two offers at once the higher may stay
// (sssp/racy describes it, and why it ends nevertheless). The difference to sssp/racy is the end of `commit`, where
// that writes the updating cost of every vertex in every round, which changes nothing: an offer is made only below the
// updating cost, so this never lies above the cost. The difference to sssp/two_kernel is the atomic minimum alone.
//
// Launches: two a round; the last round commits nothing.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 4.1, algorithms 10 to 12.
// Corrected: weights there are indexed by the neighbour (W[nid]) instead of the arc.

#include "warpath.cuh"

extern "C" __global__ void relax(int vertices, const arc_t* offsets, const int* targets, const int* weights, bool* mask,
                                 const unsigned* cost, unsigned* updating) {
    const long long u = thread_index();
    if (u >= vertices || !mask[u]) return;
    mask[u] = false;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (updating[v] > cost[u] + weights[arc]) updating[v] = cost[u] + weights[arc];
    }
}

extern "C" __global__ void commit(int vertices, bool* mask, unsigned* cost, const unsigned* updating, int* changed) {
    const long long v = thread_index();
    if (v >= vertices || cost[v] <= updating[v]) return;
    mask[v] = true;
    *changed = 1;
    cost[v] = updating[v];
}
