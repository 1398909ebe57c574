// SSSP in two phases with thread coarsening: sssp/two_kernel where a thread does the work of CF threads that are as far
// apart as the grid has threads.
//
// Returns the cost of a cheapest path from the source to every vertex, UNREACHABLE where there is none.
//
// In sssp/coarsened a thread's vertices are neighbours, so those of neighbouring threads are CF apart, and a warp reads
// CF times as many lines of memory. Here the lanes of a warp have neighbouring vertices in each step, as they have
// without coarsening: what is left is the loss of parallelism. A coarsening factor of 1 is sssp/two_kernel.
//
// Launches: two a round; the last round commits nothing.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 4.3. The paper does not say
// which threads it merges: these, or neighbouring ones as in sssp/coarsened. Of its factors it names 16 alone; 2, 4 and
// 8 are assumed.

#include "warpath.cuh"

extern "C" __global__ void relax(int vertices, const arc_t* offsets, const int* targets, const int* weights, bool* mask,
                                 const unsigned* cost, unsigned* updating) {
    for (long long u = thread_index(); u < vertices; u += thread_count()) {
        if (!mask[u]) continue;
        mask[u] = false;
        for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            atomicMin(&updating[targets[arc]], cost[u] + weights[arc]);
        }
    }
}

extern "C" __global__ void commit(int vertices, bool* mask, unsigned* cost, const unsigned* updating, int* changed) {
    for (long long v = thread_index(); v < vertices; v += thread_count()) {
        if (cost[v] <= updating[v]) continue;
        cost[v] = updating[v];
        mask[v] = true;
        *changed = 1;
    }
}
