// How a block goes on by itself from vertices whose distances it has lowered, hop after hop, where rounds of all blocks
// would be a chain of waits.
//
// Other blocks do the same meanwhile and lower distances of the same vertices. All distances are right in the end:
// - a distance falls by the atomicMin of one thread, which lists the vertex with this distance: for its own block, or
//   for all blocks after their next barrier;
// - or drops it, if the distance that it was reached from has fallen since the vertex there was listed. Then this is
//   not the last fall, because the last fall of that vertex leads to a shorter path;
// - the arcs of a listed vertex are relaxed.
// So the arcs of a vertex are relaxed after the last fall of its distance, in whatever order blocks work. That they may
// be relaxed after earlier falls too costs time and nothing else.
//
// Needs Graph, which a header before this one defines.
#pragma once

#include "relaxing.cuh"

// Of a block's own list, at most; HOP_LANES share the arcs of a vertex.
enum : unsigned { LOCAL_VERTICES = BLOCK / HOP_LANES };

// A vertex of a block's own list, with the distance that it is listed with, and what is known of its first arcs.
struct alignas(16) LocalVertex : Entry {
    Graph::Known known[HOP_LANES];
};

struct LocalList {
    LocalVertex* items;
    unsigned* count;  // above LOCAL_VERTICES if there was no room for some

    // Returns whether there was room for the vertex, and it has few enough arcs.
    __device__ __forceinline__ bool add(const LocalVertex& vertex) const {
        if (vertex.end - vertex.first > HOP_ARCS) return false;
        const unsigned position = atomicAdd(count, 1);
        if (position >= LOCAL_VERTICES) return false;
        static_cast<Entry&>(items[position]) = vertex;
        for (int i = 0; i < HOP_LANES; ++i) items[position].known[i] = vertex.known[i];
        return true;
    }
};

// Two lists that alternate from hop to hop, and three counts: so one barrier a hop is enough.
struct LocalLists {
    LocalVertex* lists;
    unsigned* counts;

    __device__ __forceinline__ LocalList of(unsigned hop) const {
        return {lists + hop % 2 * LOCAL_VERTICES, &counts[hop % 3]};
    }
    // By all threads, before vertices are listed in a round.
    __device__ __forceinline__ void clear() const {
        if (threadIdx.x < 3) counts[threadIdx.x] = 0;
        __syncthreads();
    }
};

// Reads a number that others may change, and brings those beside it into L2.
__device__ __forceinline__ unsigned load_near(const unsigned* address) {
#ifdef WARPATH_HOST
    return __ldcg(address);
#else
    unsigned value;
    asm volatile("ld.global.cg.L2::256B.u32 %0, [%1];" : "=r"(value) : "l"(address));
    return value;
#endif
}

// Finds the arcs of a vertex, and what is known of the first ones by a plain load, which the compiler does not move
// before an atomicMin, the longest wait.
__device__ __forceinline__ void find_arcs(const Graph& graph, LocalVertex& vertex) {
    vertex.first = __ldg(&graph.offsets[vertex.vertex]);
    vertex.end = __ldg(&graph.offsets[vertex.vertex + 1]);
#pragma unroll
    for (int i = 0; i < HOP_LANES; ++i) {
        if (i < vertex.end - vertex.first) vertex.known[i] = graph.know(vertex.first + i);
    }
}

// Makes up to HOPS hops, until no vertices are listed or too many. Calls list(target, before, falls, next) for the
// target of an arc, with what its distance was, or 0 where a lane has no arc, and whether it has to be listed; and at
// the end leave(item, valid) for the vertices still listed. All lanes of a warp take part in each call.
//
// A single wait for memory brings all that the next hop needs: the distance before, what find(target) finds of the
// target's arcs, and whether the vertex's own distance has fallen since it was listed.
template <typename Find, typename List, typename Leave>
__device__ __forceinline__ void make_hops(const Graph& graph, unsigned* distance, const LocalLists& local, Find find,
                                          List list, Leave leave) {
    const unsigned own = threadIdx.x / HOP_LANES, lane = threadIdx.x % HOP_LANES;
    const auto arcs_of = [&](const LocalVertex& item, unsigned count) {
        return own < count ? int(item.end - item.first) : 0;
    };
    unsigned hop = 0, count;
    __syncthreads();
    LocalVertex& first = local.of(0).items[own];
    if (int(lane) < arcs_of(first, *local.of(0).count)) first.known[lane] = graph.know(first.first + lane);
    __syncthreads();
    for (;; ++hop) {
        count = *local.of(hop).count;
        if (count == 0 || count > LOCAL_VERTICES || hop == HOPS) break;
        if (threadIdx.x == 0) *local.of(hop + 2).count = 0;
        if (threadIdx.x / 32 * 32 / HOP_LANES < count) {
            const LocalVertex& item = local.of(hop).items[own];
            const int arcs = arcs_of(item, count);
            Graph::Known arc = item.known[lane];
            for (int i = lane;;) {
                LocalVertex target = {{arc.target, item.length + arc.weight, 0, 0}, {}};
                unsigned before = 0, from = 0;
                if (i < arcs) {
                    before = atomicMin(&distance[target.vertex], target.length);
                    from = load_near(&distance[item.vertex]);
                    find(target);
                }
                list(target, before, target.length < before && from == item.length, local.of(hop + 1));
                i += HOP_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
                if (i < arcs) arc = graph.know(item.first + i);
            }
        }
        __syncthreads();
    }
    count = min(count, LOCAL_VERTICES);
    if (threadIdx.x / 32 * 32 < count) leave(local.of(hop).items[threadIdx.x % LOCAL_VERTICES], threadIdx.x < count);
}
