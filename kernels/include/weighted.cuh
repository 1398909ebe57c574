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

// The same, the arcs of each vertex in order of weight.
struct SortedGraph {
    int vertices;
    const arc_t* offsets;
    const int2* arcs;  // targets and weights
};
