// Floyd-Warshall: for each k in turn, one thread for each pair (u, v) relaxes it by way of k.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// In step k nothing in row k or column k changes, because matrix[k, k] is 0: threads may read them while the threads
// that own them write the same values back. UNREACHABLE + UNREACHABLE still fits an unsigned.
//
// Launches: one that places the arcs in the matrix, then one for each k.
//
// Harish and Narayanan 2007, algorithm 6 (its line 4 is the kernel); Pathak et al. 2021, algorithm 14.
// Added to both: the diagonal starts at 0, which neither says.

#include "adjacency.cuh"
#include "warpath.cuh"

extern "C" __global__ void through(int n, int k, unsigned* matrix) {
    const long long u = static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y;
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= n || v >= n) return;
    matrix[u * n + v] = min(matrix[u * n + v], matrix[u * n + k] + matrix[static_cast<long long>(k) * n + v]);
}
