// Bellman-Ford from `source` over a list of edges: the weight of a lightest path to every node, UNREACHABLE where there
// is none. Sequential. Every edge is relaxed in each of V rounds, in place, though the first round that changes nothing
// could be the last (sssp/cpu_bellman_ford): the serial counterpart of sssp/bellman_ford.

#include <algorithm>
#include <climits>

constexpr unsigned UNREACHABLE = INT_MAX;

extern "C" void search(long long nodes, long long edges, const int* start_node, const int* end_node,
                       const int* edge_weight, long long source, unsigned* node_weight) {
    std::fill_n(node_weight, nodes, UNREACHABLE);
    node_weight[source] = 0;
    for (long long round = 0; round < nodes; ++round) {
        for (long long edge = 0; edge < edges; ++edge) {
            const unsigned candidate = node_weight[start_node[edge]] + edge_weight[edge];
            if (candidate < node_weight[end_node[edge]]) node_weight[end_node[edge]] = candidate;
        }
    }
}
