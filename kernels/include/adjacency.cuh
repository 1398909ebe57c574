// The matrix before Floyd-Warshall: 0 on the diagonal, the weights of arcs, and UNREACHABLE elsewhere, which the caller
// has filled it with. A row has `width` columns, at least as many as vertices.
#pragma once

#include "warpath.cuh"

extern "C" __global__ void set_arcs(int vertices, int width, const arc_t* offsets, const int* targets,
                                    const int* weights, unsigned* matrix) {
    const long long u = thread_index();
    if (u >= vertices) return;
    unsigned* row = matrix + u * width;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) row[targets[arc]] = weights[arc];
    row[u] = 0;
}
