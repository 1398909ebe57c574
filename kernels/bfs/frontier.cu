// BFS with boolean arrays: one launch a level, one thread a vertex, an array that marks the frontier.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// A queue would need its indices maintained and a new grid for each level; V threads that each look at their own entry
// of the frontier need neither. A vertex leaves the frontier, becomes visited, and adds its unvisited neighbours.
//
// Launches: one for each level that has vertices, the last of which finds nothing new.
//
// Harish and Narayanan 2007, "Accelerating Large Graph Algorithms on the GPU Using CUDA", section 3.2, algorithms 1, 2.
// Corrected:
// - Algorithm 2 there reads and writes one frontier array in one launch. A vertex added to it can be processed in the
//   same launch, unordered with vertices of the level before: its neighbours may keep a cost that is one too high. Here
//   the next level goes into a second array, and the host swaps the two.
// - The cost of a neighbour on the same level that is not marked visited yet would be overwritten. The text has the
// test
//   that prevents it ("if more than its own cost plus one"), the pseudo-code does not.
// Chosen here: a flag tells whether the frontier is empty, as in the paper's SSSP.

#include "warpath.cuh"

extern "C" __global__ void expand(int vertices, const arc_t* offsets, const int* targets, bool* frontier,
                                  bool* next_frontier, bool* visited, unsigned* cost, int* grown) {
    const long long u = thread_index();
    if (u >= vertices || !frontier[u]) return;
    frontier[u] = false;
    visited[u] = true;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (!visited[v] && cost[v] > cost[u] + 1) {
            cost[v] = cost[u] + 1;
            next_frontier[v] = true;
            *grown = 1;
        }
    }
}
