// BFS with boolean arrays as first published: one frontier, which a launch reads and writes. Kept that way.
//
// Returns the number of edges on some path from the source to every vertex, not always a shortest; UNREACHABLE where
// there is none.
//
// bfs/frontier is the correction. Without it, threads of one launch interfere in two ways:
// - A vertex that a thread adds to the frontier may be processed in the same launch, and its neighbours with it. That
//   saves launches, but its cost may still be that of a longer path.
// - A neighbour that is in the frontier too and not marked visited yet gets a cost that is one too high, and is added
//   to the frontier again. The text has the test that would prevent it ("if more than its own cost plus one").
//
// It ends nevertheless: what a launch adds was unvisited in it and is visited by the end of the next one, so of every
// two launches that add vertices one visits a vertex for the first time.
//
// Launches: until one adds no vertex to the frontier, which may be fewer than levels.
//
// Harish and Narayanan 2007, "Accelerating Large Graph Algorithms on the GPU Using CUDA", section 3.2, algorithms 1, 2.
// Chosen here: a flag tells whether a launch added to the frontier, as in the paper's SSSP; algorithm 1 only says
// "while not empty".

#include "warpath.cuh"

extern "C" __global__ void expand(int vertices, const arc_t* offsets, const int* targets, bool* frontier, bool* visited,
                                  unsigned* cost, int* grown) {
    const long long u = thread_index();
    if (u >= vertices || !frontier[u]) return;
    frontier[u] = false;
    visited[u] = true;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (!visited[v]) {
            cost[v] = cost[u] + 1;
            frontier[v] = true;
            *grown = 1;
        }
    }
}
