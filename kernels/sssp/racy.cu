// SSSP in two phases as first published, before the hardware had atomics: it loses updates, and is kept that way.
//
// Returns the cost of some path from the source to every vertex, not always a cheapest; UNREACHABLE where there is
// none.
//
// Marked vertices relax their arcs into an updating array, and a second kernel commits the costs that fell. Two marked
// vertices with a common neighbour may both offer less than its cost. The last write wins, and if the lower offer is
// lost, it is lost for good, because its vertex is not marked again. sssp/two_kernel is the correction.
//
// It ends after at most V rounds nevertheless: a cost committed in round r is that of a walk of r arcs, and lower than
// the vertex's cost before. With weights of at least 0 that cannot be a walk that returns to a vertex.
//
// Launches: two a round; the last round commits nothing.
//
// Harish and Narayanan 2007, "Accelerating Large Graph Algorithms on the GPU Using CUDA", section 3.3, algorithms 3
// to 5; Pathak et al. 2021, section 4.1, algorithms 10 to 12, which describes the race.
// Corrected: weights there are indexed by the neighbour (W[nid]) instead of the arc. The flag of the text ("toggles a
// flag if any mask is set") is missing from the pseudo-code of 2007, which alone has the last line of `commit`.

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

extern "C" __global__ void commit(int vertices, bool* mask, unsigned* cost, unsigned* updating, int* changed) {
    const long long v = thread_index();
    if (v >= vertices) return;
    if (cost[v] > updating[v]) {
        cost[v] = updating[v];
        mask[v] = true;
        *changed = 1;
    }
    updating[v] = cost[v];
}
