// SSSP in two phases as first published, before the hardware had atomics: it loses updates and is kept that way.
//
// Returns a cost for every vertex that some path has, not always the cheapest; UNREACHABLE where there is none.
//
// Marked vertices relax their arcs into an updating array, and a second kernel commits what became cheaper. Two marked
// vertices with a common neighbour may both find it dearer than what they offer; whichever writes last wins, and the
// cheaper offer may be gone for good, since its vertex is not marked again. sssp/two_kernel is the correction.
//
// It ends after at most V rounds all the same: a cost committed in round r is that of a walk of r arcs, and was lower
// than what its vertex had before; a walk that comes back to a vertex cannot be, with weights that are not negative.
//
// Launches: two a round; the last round commits nothing.
//
// Harish and Narayanan 2007, "Accelerating Large Graph Algorithms on the GPU Using CUDA", section 3.3, algorithms 3
// to 5; Pathak et al. 2021, section 4.1, algorithms 10 to 12, which tells of the race.
// Slips there: W is indexed by the neighbour (W[nid]); a weight belongs to an arc. The flag of the text ("toggles a
// flag if any mask is set") is missing from the pseudo-code of 2007. The last line of `commit` is in that one only.

#include "warpath.cuh"

extern "C" __global__ void relax(int vertices, const int* offsets, const int* targets, const int* weights, bool* mask,
                                 const unsigned* cost, unsigned* updating) {
    const long long u = thread_index();
    if (u >= vertices || !mask[u]) return;
    mask[u] = false;
    for (int arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
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
