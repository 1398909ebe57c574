// Parallel BFS: one launch a level, one thread a vertex, the frontier is read from the distance array alone.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// A queue costs atomics and a new grid for each level; here every vertex looks at its own distance, and only those of
// the current level look at their neighbours. The price is V threads a level, however small the frontier. Threads race
// to write distance[v], but all of them write level + 1.
//
// Launches: one for each level that has vertices, the last of which finds nothing new.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 3.1, algorithms 1 and 2.
// Left out: the parent array that algorithm 1 there creates and fills, and algorithm 2 neither takes nor writes.

#include "warpath.cuh"

extern "C" __global__ void expand(unsigned level, int vertices, const arc_t* offsets, const int* targets,
                                  unsigned* distance, int* changed) {
    const long long u = thread_index();
    if (u >= vertices || distance[u] != level) return;
    bool found = false;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (level + 1 < distance[v]) {
            distance[v] = level + 1;
            found = true;
        }
    }
    if (found) *changed = 1;
}
