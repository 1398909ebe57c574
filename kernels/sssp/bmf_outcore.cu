// Bellman-Ford, out of core: edges split evenly among warps, the last round's distances read and this round's written.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// The grid is small and fixed; each warp goes through one contiguous load of the edge list, its lanes side by side. If
// the edges are sorted by source, neighbouring lanes read one distance and write many; if by target, they read many and
// their atomicMin contend for one, which the report finds up to three times slower.
//
// Launches: one a round, until a round changes nothing, V - 1 at most. Between rounds a device-to-device copy.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 2, first pseudo-code.
// Corrected: line 21 there swaps the two arrays, where the text below it says copy. A swap would be wrong: the array
// written next would lack what the last round found.

#include "edges.cuh"

extern "C" __global__ void edge_process(arc_t length, const Edge* L, const unsigned* distance_prev,
                                        unsigned* distance_cur, int* changed) {
    const Load load = warp_load(length);
    for (long long i = load.beg + lane_index(); i < load.end; i += 32) {
        const int u = L[i].src;
        const int v = L[i].dest;
        const int w = L[i].weight;
        if (distance_prev[u] + w < distance_prev[v]) {
            atomicMin(&distance_cur[v], distance_prev[u] + w);
            *changed = 1;
        }
    }
}
