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
#pragma once

#include "relaxing.cuh"

// HOP_LANES share the arcs of a vertex.
enum : unsigned { LOCAL_VERTICES = BLOCK / HOP_LANES };  // of a block's own list, at most

// The arcs of a vertex, and what is known of the first ones.
template <typename Arc>
struct Arcs {
    arc_t first = 0, end = 0;
    Arc known[HOP_LANES] = {};
};

// A vertex of a block's own list, with the distance that it is listed with.
template <typename Arc>
struct alignas(16) LocalVertex : Entry {
    Arc known[HOP_LANES];  // of its arcs
};

template <typename Arc>
struct LocalList {
    LocalVertex<Arc>* items;
    unsigned* count;  // above LOCAL_VERTICES if there was no room for some

    // Returns whether there was room for the vertex, and it has few enough arcs.
    __device__ __forceinline__ bool add(int vertex, unsigned length, const Arcs<Arc>& arcs) const {
        if (arcs.end - arcs.first > HOP_ARCS) return false;
        const unsigned position = atomicAdd(count, 1);
        if (position >= LOCAL_VERTICES) return false;
        static_cast<Entry&>(items[position]) = {vertex, length, arcs.first, arcs.end};
        for (int i = 0; i < HOP_LANES; ++i) items[position].known[i] = arcs.known[i];
        return true;
    }
};

// Two lists that alternate from hop to hop, and three counts: so one barrier a hop is enough.
template <typename Arc>
struct LocalLists {
    LocalVertex<Arc>* lists;
    unsigned* counts;

    __device__ __forceinline__ LocalList<Arc> of(unsigned hop) const {
        return {lists + hop % 2 * LOCAL_VERTICES, &counts[hop % 3]};
    }
};

// By all threads, before vertices are listed in a round.
template <typename Arc>
__device__ __forceinline__ void clear(const LocalLists<Arc>& local) {
    if (threadIdx.x < 3) local.counts[threadIdx.x] = 0;
    __syncthreads();
}

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

template <typename Arc>
__device__ __forceinline__ Arcs<Arc> arcs_from(const arc_t* offsets, int vertex) {
    return {__ldg(&offsets[vertex]), __ldg(&offsets[vertex + 1])};
}

// Returns the arcs of a vertex, with what read(arc) returns for the first ones: a plain load, which the compiler does
// not move before an atomicMin, the longest wait.
template <typename Arc, typename Read>
__device__ __forceinline__ Arcs<Arc> known_arcs_from(const arc_t* offsets, int vertex, Read read) {
    Arcs<Arc> arcs = arcs_from<Arc>(offsets, vertex);
#pragma unroll
    for (int i = 0; i < HOP_LANES; ++i) {
        if (i < arcs.end - arcs.first) arcs.known[i] = read(arcs.first + i);
    }
    return arcs;
}

// The target of an arc after its distance was lowered.
template <typename Arc>
struct Lowered {
    unsigned before = 0;  // its distance; 0 where there is no arc, so that nothing falls
    bool falls = false;   // and has to be listed
    Arcs<Arc> arcs;
};

// Lowers the distance of `target` to `length`, in lanes where `valid` holds. A single wait for memory brings all that
// the next hop needs: the distance before, the arcs of the target with what is known of the first ones, by
// find_arcs(target), and whether the vertex's own distance has fallen since it was listed.
template <typename Arc, typename FindArcs>
__device__ __forceinline__ Lowered<Arc> lower(const LocalVertex<Arc>& item, bool valid, int target, unsigned length,
                                              unsigned* distance, FindArcs find_arcs) {
    Lowered<Arc> result;
    unsigned from = 0;
    if (valid) {
        result.before = atomicMin(&distance[target], length);
        from = load_near(&distance[item.vertex]);
        result.arcs = find_arcs(target);
    }
    result.falls = length < result.before && from == item.length;
    return result;
}

// Makes up to HOPS hops, until no vertices are listed or too many. Calls follow(item, valid, arc, next) with what
// read(arc) returned for an arc of an item, and at the end leave(item, valid) for the vertices still listed; all lanes
// of a warp take part in each call, some without an arc or an item.
template <typename Arc, typename Read, typename Follow, typename Leave>
__device__ __forceinline__ void make_hops(const LocalLists<Arc>& local, Read read, Follow follow, Leave leave) {
    const unsigned own = threadIdx.x / HOP_LANES, lane = threadIdx.x % HOP_LANES;
    const auto arcs_of = [&](const LocalVertex<Arc>& item, unsigned count) {
        return own < count ? int(item.end - item.first) : 0;
    };
    unsigned hop = 0, count;
    __syncthreads();
    LocalVertex<Arc>& first = local.of(0).items[own];
    if (int(lane) < arcs_of(first, *local.of(0).count)) first.known[lane] = read(first.first + lane);
    __syncthreads();
    for (;; ++hop) {
        count = *local.of(hop).count;
        if (count == 0 || count > LOCAL_VERTICES || hop == HOPS) break;
        if (threadIdx.x == 0) *local.of(hop + 2).count = 0;
        if (threadIdx.x / 32 * 32 / HOP_LANES < count) {
            const LocalVertex<Arc>& item = local.of(hop).items[own];
            const int arcs = arcs_of(item, count);
            Arc arc = item.known[lane];
            for (int i = lane;;) {
                follow(item, i < arcs, arc, local.of(hop + 1));
                i += HOP_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
                if (i < arcs) arc = read(item.first + i);
            }
        }
        __syncthreads();
    }
    count = min(count, LOCAL_VERTICES);
    if (threadIdx.x / 32 * 32 < count) leave(local.of(hop).items[threadIdx.x % LOCAL_VERTICES], threadIdx.x < count);
}
