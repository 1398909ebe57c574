// A graph with a weight for each arc.
#pragma once

#include "warpath.cuh"

struct Graph {
    int vertices;
    const int* offsets;
    const int* targets;
    const int* weights;
    int leaf;  // a vertex with at most so many arcs leads nowhere
};
