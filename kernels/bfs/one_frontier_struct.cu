// BFS over vertices that are structs, with one frontier as printed, which a launch reads and writes. Kept that way.
//
// Returns the number of edges on some path from the source to every vertex, not always a shortest; UNREACHABLE where
// there is none.
//
// The kernel of bfs/one_frontier over structs, with a barrier between the marking of vertices and the search for
// neighbours. In one block, and so on the report's graphs of at most 64 vertices, the barrier makes it right: all
// threads have looked at the frontier, and marked their vertices visited, before any adds one. The threads of other
// blocks do not wait for it, so with more than 512 vertices it is wrong as bfs/one_frontier is.
//
// Kernel calls: until one adds no vertex to the frontier, with one block as many as there are levels.
//
// Singh 2017, "BFS graph traversal algorithm using CUDA", section 4 (kernel: figure 6, host: figure 7).
// Corrected, because it would not run: the barrier is moved out of the branch that only frontier vertices take; threads
// past the last vertex do nothing, where `id > number_of_nodes` would ask for calls without end; blocks of 512 where
// there are more vertices (section 4.4).
// Left out: the kernel's printf of every vertex that it processes. The report's GPU times include it.
// The clock is the one of bfs/frontier_struct.

#include "warpath.cuh"

struct Vertex {
    arc_t first;  // index of its first edge, f_index in the report
    arc_t count;  // number of its edges, tnodes in the report
};

extern "C" __global__ void expand(int number_of_vertices, const Vertex* vertices, const int* edges, bool* frontier,
                                  bool* visited, unsigned* cost, int* update) {
    const long long id = thread_index();
    const bool processed = id < number_of_vertices && frontier[id] && !visited[id];
    if (processed) {
        frontier[id] = false;
        visited[id] = true;
    }
    __syncthreads();
    if (!processed) return;
    const arc_t end = vertices[id].first + vertices[id].count;
    for (arc_t i = vertices[id].first; i < end; ++i) {
        const int neighbour = edges[i];
        if (!visited[neighbour]) {
            cost[neighbour] = cost[id] + 1;
            frontier[neighbour] = true;
            *update = 1;
        }
    }
}
