// Bellman-Ford: one thread an edge, every edge relaxed in each of V rounds.
//
// Returns the weight of a lightest path from the source to every node, UNREACHABLE where there is none.
//
// There are more edges than nodes, so a thread an edge gives more parallelism, and no thread has a loop. The basic
// algorithm does not check whether a round changed anything: it always makes V rounds.
//
// Launches: one that initialises, then V.
//
// Agarwal and Dutta 2015, "New Approach of Bellman Ford Algorithm on GPU using CUDA", section 4.1, algorithms 1 to 3.
// Corrected: neither kernel there checks its bounds, so threads past the last node or edge write outside of the arrays.
// Kept: V rounds as in algorithm 1, though V - 1 suffice (section 4); the comparison before atomicMin, which compares
// again.

#include "warpath.cuh"

extern "C" __global__ void init_node_weight(int nodes, int source, unsigned* node_weight) {
    const long long id = thread_index();
    if (id >= nodes) return;
    node_weight[id] = id == source ? 0 : UNREACHABLE;
}

extern "C" __global__ void relax(arc_t edges, const int* start_node, const int* end_node, const int* edge_weight,
                                 unsigned* node_weight) {
    const long long id = thread_index();
    if (id >= edges) return;
    const unsigned candidate = node_weight[start_node[id]] + edge_weight[id];
    if (node_weight[end_node[id]] > candidate) atomicMin(&node_weight[end_node[id]], candidate);
}
