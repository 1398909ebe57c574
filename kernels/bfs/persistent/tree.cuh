// A shortest-path tree after a search that has stretched: stretches tell no parents, as distances may still fall.
#pragma once

#include "frontier.cuh"

// Each vertex tells its targets one step further that it is their parent; of several the one with the largest number
// stays. A warp takes 32 vertices, whose arcs its lanes share evenly. Nothing is to be done unless `stretched`.
extern "C" __global__ void tell_parents(int vertices, const arc_t* offsets, const int* targets,
                                        const unsigned* distance, const unsigned* stretched, int* parents) {
    if (!*stretched) return;
    for (long long first = thread_index() / 32 * 32; first < vertices; first += thread_count()) {
        const long long vertex = first + lane_index();
        const unsigned own = vertex < vertices ? distance[vertex] : UNREACHABLE;
        const arc_t begin = own != UNREACHABLE ? offsets[vertex] : 0;
        const arc_t count = own != UNREACHABLE ? offsets[vertex + 1] - begin : 0;
        visit_own_arcs<1>(begin, count, [&](const arc_t(&arc)[1], const int (&owner)[1]) {
            const unsigned length = __shfl_sync(ALL_LANES, own, owner[0]);
            if (arc[0] == NO_ARC) return;
            const int target = targets[arc[0]];
            if (distance[target] == length + 1) atomicMax(&parents[target], int(first) + owner[0]);
        });
    }
}
