// The two rates that bound shortest paths, to compare algorithms with: bytes copied on the device a second, and
// relaxations min(a, b + c) of 32-bit integers a second.

#include "warpath.cuh"

extern "C" __global__ void copy(long long words, const uint4* from, uint4* to) {
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = thread_index(); i < words; i += threads) to[i] = from[i];
}

// RELAXATIONS independent values a thread hide the latency of each; with the seed the compiler cannot compute any of
// them.
extern "C" __global__ void relax(int rounds, unsigned seed, unsigned* sink) {
    unsigned cost[RELAXATIONS];
    const unsigned weight = seed ^ threadIdx.x;
    for (int i = 0; i < RELAXATIONS; ++i) cost[i] = weight * (i + 1);
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < RELAXATIONS; ++i) cost[i] = min(cost[i], cost[(i + 1) % RELAXATIONS] + weight);
    }
    unsigned least = cost[0];
    for (int i = 1; i < RELAXATIONS; ++i) least = min(least, cost[i]);
    if (least == 0xffffffffu) *sink = least;  // never happens, but the compiler cannot know
}
