// How a block goes on by itself from vertices whose distances it has lowered, hop after hop, where a round of all
// blocks would be a chain of waits.
//
// Other blocks do the same meanwhile, and lower distances of the same vertices. Nothing is lost provided that
// - each fall of a distance is the atomicMin of one thread, which keeps the vertex with this very distance for its
//   block, or leaves it for all blocks to look at after their barrier;
// - a vertex kept tells its neighbours, unless its distance has fallen since: whoever lowered it has then done as
//   above.
//
// So neighbours hear of the last fall, in whatever order blocks work. To tell them of others is wasted, never wrong.
#pragma once

#include "bitmap.cuh"

constexpr int HOP_LANES = 4;                  // that share the arcs of a vertex
constexpr unsigned KEPT = BLOCK / HOP_LANES;  // vertices from which a block goes on by itself, at most

// A vertex, its distance when it was listed, its first arc, how many arcs it has.
using KeptVertex = int4;

struct Kept {
    KeptVertex* items;
    unsigned* count;  // above KEPT if there was no room for some

    __device__ __forceinline__ bool add(int vertex, unsigned length, int2 arcs) const {
        if (arcs.y > HOP_ARCS) return false;
        const unsigned place = atomicAdd(count, 1);
        if (place < KEPT) items[place] = make_int4(vertex, length, arcs.x, arcs.y);
        return place < KEPT;
    }
};

// Two lists that take turns, and three counts, so that one barrier a hop is enough.
struct KeptLists {
    KeptVertex (*lists)[KEPT];
    unsigned* counts;

    __device__ __forceinline__ Kept of(unsigned hop) const { return {lists[hop % 2], &counts[hop % 3]}; }
};

// The shared memory of a block that searches: for each warp a list of members of a set and an outbox, and what the
// block keeps.
struct Workspace {
    int lists[BLOCK / 32][OUTBOX], outboxes[BLOCK / 32][OUTBOX];
    unsigned changed[BLOCK / 32][MOST_WIDTH];
    KeptVertex kept[2][KEPT];
    unsigned kept_counts[3];
};

// Whether the vertex's distance has fallen since it was kept, so that another thread has seen to it.
__device__ __forceinline__ bool outdated(const unsigned* distance, const KeptVertex& item) {
    return __ldcg(&distance[item.x]) < unsigned(item.y);
}

// Before vertices are kept in a round.
__device__ __forceinline__ void clear(const KeptLists& kept) {
    if (threadIdx.x < 3) kept.counts[threadIdx.x] = 0;
    __syncthreads();
}

// The first arc of a vertex and how many it has.
__device__ __forceinline__ int2 arcs_from(const int* offsets, int vertex) {
    const int first = __ldg(&offsets[vertex]);
    return make_int2(first, __ldg(&offsets[vertex + 1]) - first);
}

// Up to HOPS hops, or until there are no vertices to go on from, or too many for one block. Calls follow(item, arc,
// next) with an arc for some lanes, NO_ARC for the others, and in the end leave(item) for what is left, with the
// vertex -1 for lanes that have none; all lanes of a warp take part.
template <typename Follow, typename Leave>
__device__ __forceinline__ void go_on(const KeptLists& kept, Follow follow, Leave leave) {
    const auto nobody = [] { return make_int4(-1, 0, 0, 0); };  // no lvalue, which would keep items in local memory
    unsigned hop = 0, count;
    __syncthreads();
    for (;; ++hop) {
        count = *kept.of(hop).count;
        if (count == 0 || count > KEPT || hop == HOPS) break;
        if (threadIdx.x == 0) *kept.of(hop + 2).count = 0;
        const unsigned mine = threadIdx.x / HOP_LANES;
        const KeptVertex item = mine < count ? kept.of(hop).items[mine] : nobody();
        for (int i = threadIdx.x % HOP_LANES; __any_sync(ALL_LANES, i < item.w); i += HOP_LANES) {
            follow(item, i < item.w ? item.z + i : NO_ARC, kept.of(hop + 1));
        }
        __syncthreads();
    }
    count = min(count, KEPT);
    if (threadIdx.x / 32 * 32 < count) leave(threadIdx.x < count ? kept.of(hop).items[threadIdx.x] : nobody());
}
