// A graph with a weight for each arc.
#pragma once

#include "warpath.cuh"

struct Graph {
    int vertices;
    const arc_t* offsets;
    const int* targets;
    const int* weights;
    int leaf;  // a vertex with at most so many arcs leads nowhere

    // What blocks know of arcs ahead.
    struct alignas(8) Known {
        int target, weight;
    };
    __device__ __forceinline__ Known know(arc_t number) const { return {targets[number], weights[number]}; }
    // The target and the weight of an arc.
    __device__ __forceinline__ int2 arc(arc_t number) const {
        return make_int2(__ldg(&targets[number]), __ldg(&weights[number]));
    }
};
