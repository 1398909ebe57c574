// BFS with a queue of the current level and one of the next, over vertices that are structs.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// bfs/frontier_struct with queues in place of boolean arrays: only vertices of the level are looked at, and an atomic
// finds a place in the next queue. The report says that a compact list is faster than a queue and does not measure it;
// this is how it is measured here. The host reads nothing but `update`: of the three sizes, one is that of the current
// queue, one that of the next, and one is cleared for the call after this one.
//
// Kernel calls: one for each level that has vertices, the last of which finds nothing new.
//
// Singh 2017, "BFS graph traversal algorithm using CUDA", sections 3 and 7. The clock and the launch are those of
// bfs/frontier_struct.

#include "warpath.cuh"

struct Vertex {
    arc_t first;
    arc_t count;
};

extern "C" __global__ void expand(const Vertex* vertices, const int* edges, const int* current, int* following,
                                  int* sizes, int turn, unsigned* cost, int* update) {
    const long long i = thread_index();
    if (i == 0) sizes[(turn + 2) % 3] = 0;
    if (i >= sizes[turn]) return;
    const int id = current[i];
    const unsigned next = cost[id] + 1;
    const arc_t end = vertices[id].first + vertices[id].count;
    for (arc_t arc = vertices[id].first; arc < end; ++arc) {
        const int neighbour = edges[arc];
        if (cost[neighbour] == UNREACHABLE && atomicMin(&cost[neighbour], next) == UNREACHABLE) {
            following[atomicAdd(&sizes[(turn + 1) % 3], 1)] = neighbour;
            *update = 1;
        }
    }
}
