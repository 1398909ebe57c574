// BFS with boolean arrays over vertices that are structs: the index of the first edge, and how many there are.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// The algorithm is bfs/frontier with another layout of the graph: one 8-byte struct is read where bfs/frontier reads
// two neighbouring offsets. With a barrier, a block marks all its frontier vertices visited before any looks at
// neighbours.
//
// Kernel calls, which the report counts: one for each level that has vertices, the last of which finds nothing new;
// 3 for the report's figure 1.
//
// Singh 2017, "BFS graph traversal algorithm using CUDA", section 4 (kernel: figure 6, host: figure 7).
// Corrected:
// - One frontier array is read and written in one launch, as in Harish and Narayanan's algorithm 2, with the races that
//   bfs/frontier.cu describes. Here too there are two arrays, and the cost is compared before it is overwritten.
// - __syncthreads() is inside the branch that only frontier vertices take, which is undefined: moved out of it. It
//   synchronises one block, not all, so the comparison is needed nevertheless.
// - `id > number_of_nodes` lets one thread too many pass, and every thread after it requests one more call instead of
//   returning, so that the calls never end where there are such threads. The number of blocks is compared with the
//   threads of a block instead of the number of vertices. The edges are allocated with the number of vertices.
// - Section 4.3 has Cost[V] <- Cost[V - 1] + 1, from the vertex numbered one less instead of the one that found V.
// Left out: the kernel's printf of every vertex that it processes. The report's GPU times include it.
//
// Different here:
// - The time of a solve is that of all of its calls. There the timer is reset after every call, so the time printed is
//   that of the last: 0.105, 0.108, 0.110 and 0.109 ms for 5, 7, 13 and 3 calls. It is the phase `last_call_ms` here.
// - Vertices that no path leads to are UNREACHABLE, where figure 9 prints 0 and section 4.3 says infinity.
// - `update` is 1 when something changed, where it is true while nothing did.
//
// As there: one block of as many threads as vertices (figure 6), and blocks of 512 where there are more (section 4.4);
// other blocks are launches of their own. The arrays are initialised, and `update` is reset, outside of the clock,
// which runs from a call until `update` is copied back (figure 7), in compiled host code.

#include "warpath.cuh"

struct Vertex {
    arc_t first;  // index of its first edge, f_index in the report
    arc_t count;  // number of its edges, tnodes in the report
};

extern "C" __global__ void expand(int number_of_vertices, const Vertex* vertices, const int* edges, bool* frontier,
                                  bool* next_frontier, bool* visited, unsigned* cost, int* update) {
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
        if (!visited[neighbour] && cost[neighbour] > cost[id] + 1) {
            cost[neighbour] = cost[id] + 1;
            next_frontier[neighbour] = true;
            *update = 1;
        }
    }
}
