// BFS with boolean arrays over an adjacency matrix: a byte for each pair of vertices.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// bfs/frontier_struct with the row of a matrix in place of a list: a vertex looks at every other one. The report says
// that lists are faster and does not measure it; this is how it is measured here.
//
// Kernel calls: one for each level that has vertices, the last of which finds nothing new.
//
// Singh 2017, "BFS graph traversal algorithm using CUDA", sections 2.1 (matrix) and 7. The clock and what is corrected
// are those of bfs/frontier_struct. The matrix is filled while preparing.

#include "warpath.cuh"

extern "C" __global__ void fill(int number_of_vertices, const arc_t* offsets, const int* targets, bool* adjacent) {
    const long long id = thread_index();
    if (id >= number_of_vertices) return;
    bool* row = adjacent + id * number_of_vertices;
    for (int i = 0; i < number_of_vertices; ++i) row[i] = false;
    for (arc_t arc = offsets[id]; arc < offsets[id + 1]; ++arc) row[targets[arc]] = true;
}

extern "C" __global__ void expand(int number_of_vertices, const bool* adjacent, bool* frontier, bool* next_frontier,
                                  bool* visited, unsigned* cost, int* update) {
    const long long id = thread_index();
    const bool processed = id < number_of_vertices && frontier[id] && !visited[id];
    if (processed) {
        frontier[id] = false;
        visited[id] = true;
    }
    __syncthreads();
    if (!processed) return;
    const bool* row = adjacent + id * number_of_vertices;
    for (int neighbour = 0; neighbour < number_of_vertices; ++neighbour) {
        if (row[neighbour] && !visited[neighbour] && cost[neighbour] > cost[id] + 1) {
            cost[neighbour] = cost[id] + 1;
            next_frontier[neighbour] = true;
            *update = 1;
        }
    }
}
