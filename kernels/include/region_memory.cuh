// A region of a graph in the shared memory of its block: the layout, and the slots of its border.
//
// Who includes this says before what a word of an arc is (Packed) and how many arcs are read together (IN_GROUP).
// warpath/algorithms/regions.py makes the layout.
#pragma once

#include "bitmap.cuh"
#include "vote.cuh"

#if ARCS_IN_SHARED
constexpr unsigned NO_TARGET = 0xffff, OUTSIDE = 0x8000;
#else
constexpr unsigned NO_TARGET = 0xffffffff, OUTSIDE = 0x80000000;
#endif
constexpr int EACH = IN_GROUP / LANES;  // arcs of a lane
constexpr int GROUP_WORDS = IN_GROUP * sizeof(Packed) / 4;

// Arcs of a vertex for one lane. Targets are numbers in its region or, from OUTSIDE on, of slots.
struct alignas(EACH * sizeof(Packed) > 16 ? 16 : EACH * sizeof(Packed)) Arcs {
    Packed arc[EACH];
};

struct Region {
    int first, vertices;  // of all vertices by region
    int border;           // vertices that other regions have arcs to; they come first, and each has a slot
    int slots;            // where its slots begin
    int groups, outside;  // groups of arcs, and targets outside of it
    int data;             // where its arrays begin, in words
    int group_data;       // where its groups begin, if they are not in shared memory
};

// The arrays of a region in shared memory.
struct Local {
    unsigned* length;  // twice the distance of each vertex, and 1 if it waits to have its arcs followed
    const Arcs* arcs;
    const int* outside;           // the slots of targets outside
    const unsigned short* first;  // the first group of each vertex
    unsigned short* queues;       // of even and of odd hops
    unsigned vertices;

    // The place of a length of 0 in the lane's bank.
    __device__ __forceinline__ unsigned unused() const { return vertices + lane_index(); }

    __device__ __forceinline__ unsigned short* queue_of(unsigned hop) const { return queues + hop % 2 * QUEUED; }
    __device__ __forceinline__ unsigned slot(unsigned target) const {
#if ARCS_IN_SHARED
        return outside[target - OUTSIDE];
#else
        return target - OUTSIDE;
#endif
    }
};

extern __shared__ __align__(16) unsigned dynamic_shared[];
__shared__ unsigned counts[4];  // of the queues of hops, in turn

// Copies a region into shared memory; nothing is reached.
__device__ __forceinline__ Local load_region(const Region& region, const unsigned* data, const uint4* arcs) {
    Local local;
#if ARCS_IN_SHARED
    const unsigned words = GROUP_WORDS * region.groups + region.outside + (region.vertices + 2) / 2;
    local.arcs = reinterpret_cast<const Arcs*>(dynamic_shared);
    local.outside = reinterpret_cast<const int*>(dynamic_shared) + GROUP_WORDS * region.groups;
    local.first = reinterpret_cast<const unsigned short*>(local.outside + region.outside);
#else
    const unsigned words = (region.vertices + 2) / 2;
    local.arcs = reinterpret_cast<const Arcs*>(arcs) + LANES * (long long)region.group_data;
    local.first = reinterpret_cast<const unsigned short*>(dynamic_shared);
#endif
    local.length = dynamic_shared + (words + 3) / 4 * 4;
    local.queues = reinterpret_cast<unsigned short*>(local.length + region.vertices + 32);
    local.vertices = region.vertices;
    const uint4* const packed = reinterpret_cast<const uint4*>(data + region.data);
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < (words + 3) / 4; i += BLOCK) {
        reinterpret_cast<uint4*>(dynamic_shared)[i] = __ldg(&packed[i]);
    }
    for (int vertex = threadIdx.x; vertex < region.vertices; vertex += BLOCK) local.length[vertex] = 2 * UNREACHABLE;
    if (threadIdx.x < 32) local.length[local.unused()] = 0;
    if (threadIdx.x < 4) counts[threadIdx.x] = 0;
    return local;
}

// Clears the slots of the block's border, and queues the source if it is in this region.
__device__ __forceinline__ void begin(const Region& region, const Local& local, const int* places, int source,
                                      unsigned* slots) {
    for (int slot = threadIdx.x; slot < region.border; slot += BLOCK) slots[region.slots + slot] = UNREACHABLE;
    __syncthreads();
    const unsigned start = places[source] - region.first;
    if (threadIdx.x == 0 && start < unsigned(region.vertices)) {
        local.length[start] = 1;
        local.queues[0] = start;
        counts[0] = 1;
    }
}

// What the slots of a block's border say, as far as one pass over them goes.
struct News {
    unsigned slot[POLLED], distance[POLLED];

    __device__ __forceinline__ News(const unsigned* slots, unsigned count, unsigned pass) {
#pragma unroll
        for (int k = 0; k < POLLED; ++k) {
            slot[k] = threadIdx.x + (pass * POLLED + k) * BLOCK;
            distance[k] = UNREACHABLE;
            if (slot[k] < count) distance[k] = load_relaxed(&slots[slot[k]]);
        }
    }
};
