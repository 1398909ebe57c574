// Bellman-Ford: one thread an edge, every edge relaxed in each of V rounds.
//
// Returns the weight of a lightest path from the source to every node, UNREACHABLE where there is none.
//
// There are more edges than nodes, so a thread an edge is the greater parallelism, and no thread has a loop. Nothing
// asks whether a round still changed anything: the basic algorithm pays for all V rounds.
//
// Launches: one that initialises, then V.
//
// Agarwal and Dutta 2015, "New Approach of Bellman Ford Algorithm on GPU using CUDA", section 4.1, algorithms 1 to 3.
// Slips there: neither kernel has a bound, so threads past the last node or edge write outside; V - 1 rounds suffice
// (section 4 says so) and algorithm 1 has V, kept here. The comparison is outside of the atomic, as in the paper:
// atomicMin compares again.

#include "warpath.cuh"

extern "C" __global__ void init_node_weight(int nodes, int source, unsigned* node_weight) {
    const long long id = thread_index();
    if (id >= nodes) return;
    node_weight[id] = id == source ? 0 : UNREACHABLE;
}

extern "C" __global__ void relax(int edges, const int* start_node, const int* end_node, const int* edge_weight,
                                 unsigned* node_weight) {
    const long long id = thread_index();
    if (id >= edges) return;
    const unsigned candidate = node_weight[start_node[id]] + edge_weight[id];
    if (node_weight[end_node[id]] > candidate) atomicMin(&node_weight[end_node[id]], candidate);
}
