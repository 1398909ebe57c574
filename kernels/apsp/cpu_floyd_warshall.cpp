// Floyd-Warshall: the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is
// none. Sequential, in three plain loops; UNREACHABLE + UNREACHABLE still fits an unsigned, so sums need no test.

#include <algorithm>
#include <climits>

constexpr unsigned UNREACHABLE = INT_MAX;

extern "C" void search(long long n, const int* offsets, const int* targets, const int* weights, unsigned* matrix) {
    std::fill_n(matrix, n * n, UNREACHABLE);
    for (long long u = 0; u < n; ++u) {
        for (int arc = offsets[u]; arc < offsets[u + 1]; ++arc) matrix[u * n + targets[arc]] = weights[arc];
        matrix[u * n + u] = 0;
    }
    for (long long k = 0; k < n; ++k) {
        for (long long i = 0; i < n; ++i) {
            const unsigned to_k = matrix[i * n + k];
            for (long long j = 0; j < n; ++j) {
                matrix[i * n + j] = std::min(matrix[i * n + j], to_k + matrix[k * n + j]);
            }
        }
    }
}
