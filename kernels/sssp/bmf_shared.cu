// Bellman-Ford, out of core with shared memory: a segmented scan finds the minimum for each target before the atomic.
//
// Returns the distance from the source to every vertex, UNREACHABLE where there is no path.
//
// With edges sorted by target, neighbouring threads offer distances for the same vertex and their atomics contend. So
// the block puts its offers into shared memory and scans them: after log2(block) steps the last offer of each run of
// equal targets is the least of the run, and only it goes to global memory. The scan and its barriers are spent on
// every edge: the report finds this version its slowest.
//
// Launches: one a round, until a round changes nothing, V - 1 at most. Between rounds a device-to-device copy.
//
// Rejaud, "CS516 Project 2 CUDA Report", section 2, "Outcore with Shared memory".
// Chosen here: the edges are split among warps as in sssp/bmf_outcore, so a block's offers are those of its warps side
// by side. The targets still ascend along the block, and where a run is cut in two, each part makes an offer.

#include "edges.cuh"

extern "C" __global__ void edge_process(arc_t length, const Edge* L, const unsigned* distance_prev,
                                        unsigned* distance_cur, int* changed) {
    constexpr int NO_VERTEX = -1;
    __shared__ int target[1024];
    __shared__ unsigned offer[1024];
    const unsigned thread = threadIdx.x;
    const Load load = warp_load(length);

    for (long long done = 0; done < load_size(length); done += 32) {  // equally often in every warp: there are barriers
        const long long i = load.beg + done + lane_index();
        const bool edge = i < load.end;
        target[thread] = edge ? L[i].dest : NO_VERTEX;
        offer[thread] = edge ? distance_prev[L[i].src] + L[i].weight : UNREACHABLE;
        __syncthreads();

        for (unsigned reach = 1; reach < blockDim.x; reach *= 2) {
            const bool same = thread >= reach && target[thread - reach] == target[thread];
            const unsigned before = same ? offer[thread - reach] : UNREACHABLE;
            __syncthreads();
            offer[thread] = min(offer[thread], before);
            __syncthreads();
        }

        const int v = target[thread];
        const bool last = thread == blockDim.x - 1 || target[thread + 1] != v;
        if (last && v != NO_VERTEX && offer[thread] < distance_prev[v]) {
            atomicMin(&distance_cur[v], offer[thread]);
            *changed = 1;
        }
        __syncthreads();
    }
}
