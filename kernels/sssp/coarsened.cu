// SSSP in two phases with thread coarsening: sssp/two_kernel where a thread does the work of CF neighbouring threads.
//
// Returns the cost of a cheapest path from the source to every vertex, UNREACHABLE where there is none.
//
// Fewer and longer threads save the start of threads and give each more independent instructions. They also reduce the
// parallelism, which the paper finds to matter more. A coarsening factor of 1 is sssp/two_kernel.
//
// Launches: two a round; the last round commits nothing.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 4.3.
// Chosen here: neighbouring threads are merged, so that a thread's vertices are contiguous. The paper does not say.

#include "warpath.cuh"

extern "C" __global__ void relax(int coarsening, int vertices, const arc_t* offsets, const int* targets,
                                 const int* weights, bool* mask, const unsigned* cost, unsigned* updating) {
    const long long first = thread_index() * coarsening;
    for (long long u = first; u < first + coarsening && u < vertices; ++u) {
        if (!mask[u]) continue;
        mask[u] = false;
        for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            atomicMin(&updating[targets[arc]], cost[u] + weights[arc]);
        }
    }
}

extern "C" __global__ void commit(int coarsening, int vertices, bool* mask, unsigned* cost, const unsigned* updating,
                                  int* changed) {
    const long long first = thread_index() * coarsening;
    for (long long v = first; v < first + coarsening && v < vertices; ++v) {
        if (cost[v] <= updating[v]) continue;
        cost[v] = updating[v];
        mask[v] = true;
        *changed = 1;
    }
}
