// Bellman-Ford with two flags a node: an edge is relaxed only when its start node changed in the round before.
//
// Returns the weight of a lightest path from the source to every node, UNREACHABLE where there is none.
//
// flag_1 marks the nodes that changed in the last round, flag_2 those that change in this one, and a kernel of its own
// copies the second to the first. All V rounds still run over all edges; most threads of most rounds only read a flag.
//
// Launches: one that initialises, then two for each of V rounds.
//
// Agarwal and Dutta 2015, "New Approach of Bellman Ford Algorithm on GPU using CUDA", section 4.2, algorithms 4 to 7.
// Corrected: algorithm 6 there indexes flags and weights by the node weight (F1[Na[id]], Na[Na[id]]) instead of the
// start node (F1[Sa[id]], Na[Sa[id]]); algorithm 4 invokes COPYFLAG for each edge, though algorithm 7 indexes nodes:
// one thread a node here; no kernel there checks its bounds.

#include "warpath.cuh"

extern "C" __global__ void init_node_weight(int nodes, int source, unsigned* node_weight, int* flag_1, int* flag_2) {
    const long long id = thread_index();
    if (id >= nodes) return;
    node_weight[id] = id == source ? 0 : UNREACHABLE;
    flag_1[id] = id == source;
    flag_2[id] = 0;
}

extern "C" __global__ void relax(arc_t edges, const int* start_node, const int* end_node, const int* edge_weight,
                                 unsigned* node_weight, const int* flag_1, int* flag_2) {
    const long long id = thread_index();
    if (id >= edges || flag_1[start_node[id]] != 1) return;
    const unsigned candidate = node_weight[start_node[id]] + edge_weight[id];
    if (node_weight[end_node[id]] > candidate) {
        atomicMin(&node_weight[end_node[id]], candidate);
        flag_2[end_node[id]] = 1;
    }
}

extern "C" __global__ void copy_flag(int nodes, int* flag_1, int* flag_2) {
    const long long id = thread_index();
    if (id >= nodes) return;
    flag_1[id] = flag_2[id];
    flag_2[id] = 0;
}
