// Floyd-Warshall: for each k in turn, one thread for each vertex u relaxes the paths from u through k to all others.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// The paper gives it as what not to do: V threads where apsp/fw_pair has V x V, and each goes along a whole row, so
// that neighbouring threads read addresses that are a row apart.
//
// Launches: one that places the arcs in the matrix, then one for each k.
//
// Harish and Narayanan 2007, "Accelerating Large Graph Algorithms on the GPU Using CUDA", section 3.4, in words only.
// Chosen here, where the paper says nothing: the loop over k is the host's, as in algorithm 6, and the diagonal starts
// at 0.

#include "adjacency.cuh"

extern "C" __global__ void through(int n, int k, unsigned* matrix) {
    const long long u = thread_index();
    if (u >= n) return;
    unsigned* row = matrix + u * n;
    const unsigned* row_k = matrix + static_cast<long long>(k) * n;
    for (int v = 0; v < n; ++v) row[v] = min(row[v], row[k] + row_k[v]);
}
