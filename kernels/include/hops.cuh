// How a block goes on by itself from vertices whose distances it has lowered, hop after hop, where a round of all
// blocks would be a chain of waits.
//
// Other blocks do the same meanwhile, and lower distances of the same vertices. Nothing is lost provided that
// - each fall of a distance is the atomicMin of one thread, which keeps the vertex with this very distance for its
//   block, or leaves it for all blocks to look at after their barrier;
// - or forgets it, if the distance that it came from has fallen since the vertex there was kept: then it is not the
//   last fall, because that vertex's last one leads to a shorter way;
// - a vertex kept tells its neighbours.
//
// So neighbours hear of the last fall, in whatever order blocks work. To tell them of others is wasted, never wrong.
#pragma once

#include "bitmap.cuh"

constexpr int HOP_LANES = 4;                  // that share the arcs of a vertex
constexpr unsigned KEPT = BLOCK / HOP_LANES;  // vertices from which a block goes on by itself, at most

// A vertex, its distance when it was listed, its arcs (from `first` to `end`), and what is known of the first of them.
template <typename Arc>
struct alignas(16) KeptVertex {
    int vertex;
    unsigned length;
    int first, end;
    Arc arcs[HOP_LANES];
};

// The arcs of a vertex, and what is known of the first of them: nothing where it is kept for the first hop.
template <typename Arc>
struct Ahead {
    int first = 0, end = 0;
    Arc arcs[HOP_LANES] = {};
};

template <typename Arc>
struct Kept {
    KeptVertex<Arc>* items;
    unsigned* count;  // above KEPT if there was no room for some

    __device__ __forceinline__ bool add(int vertex, unsigned length, const Ahead<Arc>& ahead) const {
        if (ahead.end - ahead.first > HOP_ARCS) return false;
        const unsigned place = atomicAdd(count, 1);
        if (place >= KEPT) return false;
        KeptVertex<Arc>& item = items[place];
        item.vertex = vertex, item.length = length, item.first = ahead.first, item.end = ahead.end;
        for (int i = 0; i < HOP_LANES; ++i) item.arcs[i] = ahead.arcs[i];
        return true;
    }
};

// Two lists that take turns, and three counts, so that one barrier a hop is enough.
template <typename Arc>
struct KeptLists {
    static_assert(KEPT * sizeof(KeptVertex<Arc>) == BLOCK / 4 * KEPT_BYTES, "the host allots other lists");
    KeptVertex<Arc>* lists;
    unsigned* counts;

    __device__ __forceinline__ Kept<Arc> of(unsigned hop) const { return {lists + hop % 2 * KEPT, &counts[hop % 3]}; }
};

// The shared memory of a block that searches, beside the two lists: for each warp a list of members of a set and an
// outbox.
struct Workspace {
    int lists[BLOCK / 32][OUTBOX], outboxes[BLOCK / 32][OUTBOX];
    unsigned changed[BLOCK / 32][MOST_WIDTH];
    unsigned kept_counts[3];
};

// Before vertices are kept in a round.
template <typename Arc>
__device__ __forceinline__ void clear(const KeptLists<Arc>& kept) {
    if (threadIdx.x < 3) kept.counts[threadIdx.x] = 0;
    __syncthreads();
}

template <typename Arc>
__device__ __forceinline__ Ahead<Arc> arcs_from(const int* offsets, int vertex) {
    return {__ldg(&offsets[vertex]), __ldg(&offsets[vertex + 1])};
}

// What a lane has found out about the target of an arc: its distance before, and what is needed to go on from there.
template <typename Arc>
struct Found {
    unsigned before = 0;  // so that nothing falls where there is no arc
    bool falls = false;   // and is to be told
    Ahead<Arc> ahead;
};

// Lowers the distance of a target to `length`, for lanes that have one. All that the next hop needs to know comes by
// the same wait for memory: the distance is lowered without a look at it before, the arcs of the target are found
// meanwhile and what read(arc) gives of the first ones, and whether the vertex's own distance has fallen since it was
// kept. That read(arc) is a plain load keeps the compiler from asking for it before the atomicMin, the longest wait.
template <typename Arc, typename Read>
__device__ __forceinline__ Found<Arc> lower(const KeptVertex<Arc>& item, bool there, int target, unsigned length,
                                            unsigned* distance, const int* offsets, Read read) {
    Found<Arc> found;
    unsigned from = 0;
    if (there) {
        found.before = atomicMin(&distance[target], length);
        from = __ldcg(&distance[item.vertex]);
        found.ahead = arcs_from<Arc>(offsets, target);
#pragma unroll
        for (int i = 0; i < HOP_LANES; ++i) {
            if (i < found.ahead.end - found.ahead.first) found.ahead.arcs[i] = read(found.ahead.first + i);
        }
    }
    found.falls = length < found.before && from == item.length;
    return found;
}

// Up to HOPS hops, or until there are no vertices to go on from, or too many for one block. Calls follow(item, there,
// arc, next) with what read(arc) has read, or nothing for some lanes, and in the end leave(item, there) for what is
// left; all lanes of a warp take part.
template <typename Arc, typename Read, typename Follow, typename Leave>
__device__ __forceinline__ void go_on(const KeptLists<Arc>& kept, Read read, Follow follow, Leave leave) {
    const unsigned mine = threadIdx.x / HOP_LANES, lane = threadIdx.x % HOP_LANES;
    const auto arcs_of = [&](const KeptVertex<Arc>& item, unsigned count) {
        return mine < count ? item.end - item.first : 0;
    };
    unsigned hop = 0, count;
    __syncthreads();
    KeptVertex<Arc>& first = kept.of(0).items[mine];
    if (int(lane) < arcs_of(first, *kept.of(0).count)) first.arcs[lane] = read(first.first + lane);
    __syncthreads();
    for (;; ++hop) {
        count = *kept.of(hop).count;
        if (count == 0 || count > KEPT || hop == HOPS) break;
        if (threadIdx.x == 0) *kept.of(hop + 2).count = 0;
        if (threadIdx.x / 32 * 32 / HOP_LANES < count) {
            const KeptVertex<Arc>& item = kept.of(hop).items[mine];
            const int arcs = arcs_of(item, count);
            Arc arc = item.arcs[lane];
            for (int i = lane;;) {
                follow(item, i < arcs, arc, kept.of(hop + 1));
                i += HOP_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
                if (i < arcs) arc = read(item.first + i);
            }
        }
        __syncthreads();
    }
    count = min(count, KEPT);
    if (threadIdx.x / 32 * 32 < count) leave(kept.of(hop).items[threadIdx.x % KEPT], threadIdx.x < count);
}
