// Queue BFS: one launch a level, one thread for each vertex in the queue of that level.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none, and
// the vertex that each was reached from (-1 for the source and for unreachable vertices).
//
// Work is linear: only vertices of the level are looked at. Two atomics make it right: of all threads that find a
// neighbour unvisited, the one whose atomicMin still returns infinity owns it, and atomicAdd on the size of the next
// queue gives it a position there. A plain test comes first, because an atomic costs more than a read.
//
// Launches: one for each level that has vertices, the last of which leaves the next queue empty.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 3.2, algorithms 3 and 4.
// Corrected: the sizes of the queues, used there, are not passed; parents start at infinity, but at -1 in scan BFS (-1
// here in both).

#include "warpath.cuh"

extern "C" __global__ void expand(unsigned level, const arc_t* offsets, const int* targets, unsigned* distance,
                                  int* parent, int current_size, const int* current, int* following,
                                  int* following_size) {
    const long long i = thread_index();
    if (i >= current_size) return;
    const int u = current[i];
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (distance[v] == UNREACHABLE && atomicMin(&distance[v], level + 1) == UNREACHABLE) {
            parent[v] = u;
            following[atomicAdd(following_size, 1)] = v;
        }
    }
}
