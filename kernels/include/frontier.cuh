// A frontier: a list of vertices in global memory whose arcs all blocks share evenly.
//
// Beside each vertex stands the number of arcs that leave the vertices before it in the list. Both come from one atomic
// addition of (arcs, vertices) as the halves of 64 bits, so they ascend together without a scan over the list. Each
// warp takes an equal share of the arcs, whatever the degrees: it finds the beginning by a search with 32 probes at a
// time, and within 32 vertices each lane finds the vertex that its arc leaves.
#pragma once

#include "warpath.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

enum : int { NO_ARC = -1 };
enum : int { READ_TOGETHER = 4 };            // vertices or arcs that a lane reads at a time
enum : int { OUTBOX = 32 * READ_TOGETHER };  // items that a warp collects in shared memory before it appends them

// A vertex of a list, and the arcs before it. The host allots arrays of (2, arc_t).
#ifdef WIDE_ARCS
using Listed = longlong2;
__device__ __forceinline__ Listed listed(int vertex, arc_t before) { return make_longlong2(vertex, before); }
__device__ __forceinline__ Listed load_listed(const Listed* entry) { return {__ldcg(&entry->x), __ldcg(&entry->y)}; }
#else
enum : int { VERTEX_BITS = 32 };
using Listed = int2;
__device__ __forceinline__ Listed listed(int vertex, arc_t before) { return make_int2(vertex, before); }
__device__ __forceinline__ Listed load_listed(const Listed* entry) { return __ldcg(entry); }
#endif

// The size of a frontier: vertices in VERTEX_BITS bits, which the host chooses where arcs are wide, arcs above.
using FrontierSize = unsigned long long;
__device__ __forceinline__ unsigned vertices_of(FrontierSize size) {
    return unsigned(size & ((FrontierSize(1) << VERTEX_BITS) - 1));
}
__device__ __forceinline__ unsigned_arc_t arcs_of(FrontierSize size) { return unsigned_arc_t(size >> VERTEX_BITS); }
__device__ __forceinline__ FrontierSize frontier_size(unsigned vertices, unsigned_arc_t arcs) {
    return FrontierSize(arcs) << VERTEX_BITS | vertices;
}

struct Frontier {
    const Listed* list;
    FrontierSize size;
};

// A frontier that all blocks append to.
struct NextFrontier {
    Listed* list;
    FrontierSize* size;
};

// Warps are numbered across blocks first, so that few of them are spread over all multiprocessors.
__device__ __forceinline__ unsigned warp_number() { return threadIdx.x / 32 * gridDim.x + blockIdx.x; }
__device__ __forceinline__ unsigned warp_count() { return blockDim.x / 32 * gridDim.x; }

__device__ __forceinline__ unsigned lanes_before() { return (1u << lane_index()) - 1; }

// Takes consecutive places from a count for those of `lanes`; all 32 lanes take part.
__device__ __forceinline__ unsigned take_places(unsigned lanes, unsigned* count) {
    unsigned first = 0;
    if (lane_index() == 0 && lanes != 0) first = atomicAdd(count, __popc(lanes));
    return __shfl_sync(ALL_LANES, first, 0) + __popc(lanes & lanes_before());
}

__device__ __forceinline__ FrontierSize inclusive_size(FrontierSize size) {
    return frontier_size(warp_inclusive_sum(vertices_of(size)), warp_inclusive_sum<unsigned_arc_t>(arcs_of(size)));
}

// Appends this warp's list of up to OUTBOX vertices; all 32 lanes take part.
__device__ __forceinline__ void append(const int* list, unsigned count, const arc_t* offsets, NextFrontier next) {
    constexpr int each = OUTBOX / 32;
    int vertex[each];
    FrontierSize own[each], all = 0;
    for (int k = 0; k < each; ++k) {
        const unsigned position = k * 32 + lane_index();
        const bool valid = position < count;
        vertex[k] = valid ? list[position] : 0;
        own[k] = valid ? frontier_size(1, __ldg(&offsets[vertex[k] + 1]) - __ldg(&offsets[vertex[k]])) : 0;
    }
    for (int k = 0; k < each; ++k) all += own[k];
    const FrontierSize inclusive = inclusive_size(all);
    FrontierSize before = 0;
    if (lane_index() == 31) before = atomicAdd(next.size, inclusive);
    before = __shfl_sync(ALL_LANES, before, 31) + inclusive - all;
    for (int k = 0; k < each; ++k) {
        if (own[k] != 0) next.list[vertices_of(before)] = listed(vertex[k], arcs_of(before));
        before += own[k];
    }
}

// What a warp has collected and not appended yet.
template <typename Item>
struct Collection {
    Item* list;  // shared memory for OUTBOX items
    unsigned count;

    // Adds the items of the lanes where `selected` holds; all 32 lanes take part.
    __device__ __forceinline__ void add(const Item& item, bool selected) {
        const unsigned lanes = __ballot_sync(ALL_LANES, selected);
        if (selected) list[count + __popc(lanes & lanes_before())] = item;
        count += __popc(lanes);
    }
    template <typename Append>
    __device__ __forceinline__ void empty(Append append_all) {
        if (count == 0) return;
        __syncwarp();
        append_all();
        __syncwarp();
        count = 0;
    }
};

// Vertices for a frontier.
struct Outbox : Collection<int> {
    __device__ __forceinline__ void push(int vertex, bool selected, const arc_t* offsets, NextFrontier next) {
        add(vertex, selected);
        if (count > OUTBOX - 32) flush(offsets, next);
    }
    __device__ __forceinline__ void flush(const arc_t* offsets, NextFrontier next) {
        empty([&] { append(list, count, offsets, next); });
    }
};

// The lane of which arc `number` is one, if each lane's arcs come after `before` arcs of others.
__device__ __forceinline__ int owner_of(unsigned_arc_t number, unsigned_arc_t before) {
    int lane = 0;
    for (int step = 16; step > 0; step /= 2) {
        if (__shfl_sync(ALL_LANES, before, lane + step) <= number) lane += step;
    }
    return lane;
}

// Calls visit(arc, owner) for arcs number `next` to `stop` - 1 of a warp's lanes, ARCS for each lane at a time: `arc`
// are the numbers of the arcs in the graph, which differ by `shift` of the owner, or NO_ARC; `owner` are lanes.
template <int ARCS, typename Visit>
__device__ __forceinline__ void visit_arcs(unsigned_arc_t before, arc_t shift, unsigned_arc_t next, unsigned_arc_t stop,
                                           Visit visit) {
    for (; next < stop; next += min(unsigned_arc_t(32 * ARCS), stop - next)) {
        arc_t arc[ARCS];
        int owner[ARCS];
        for (int k = 0; k < ARCS; ++k) {
            const unsigned_arc_t number = next + k * 32 + lane_index();
            owner[k] = owner_of(number, before);
            const arc_t from = __shfl_sync(ALL_LANES, shift, owner[k]);
            arc[k] = number < stop ? arc_t(number) + from : NO_ARC;
        }
        visit(arc, owner);
    }
}

// The same for `count` arcs of each lane, from `first` on.
template <int ARCS, typename Visit>
__device__ __forceinline__ void visit_own_arcs(arc_t first, arc_t count, Visit visit) {
    const unsigned_arc_t inclusive = warp_inclusive_sum<unsigned_arc_t>(count), before = inclusive - count;
    visit_arcs<ARCS>(before, first - arc_t(before), 0, __shfl_sync(ALL_LANES, inclusive, 31), visit);
}

// A position at most 31 before the entry of a list with its arc number `arc`; before(i) are the arcs before entry i.
template <typename Before>
__device__ __forceinline__ unsigned find_arc(unsigned entries, unsigned_arc_t arc, Before before) {
    unsigned first = 0, length = entries;  // the range that the entry is in
    while (length > 32) {
        const unsigned step = (length + 31) / 32, probe = lane_index() * step;
        const bool is_before = probe < length && before(first + probe) <= arc;
        const unsigned last = __popc(__ballot_sync(ALL_LANES, is_before)) - 1;
        first += last * step;
        length = min(step, length - last * step);
    }
    return first;
}

// Calls visit(arc, owner) for this warp's share of the arcs of a list, where `owner` are the lanes that have called
// load(i, before, shift) for the entries i. Where many of these have no arcs, GAPS passes over them.
template <int ARCS, bool GAPS = false, typename Before, typename Load, typename Visit>
__device__ __forceinline__ void share_arcs(unsigned entries, unsigned_arc_t arcs, Before before_entry, Load load,
                                           Visit visit) {
    constexpr unsigned together = 32 * ARCS;
    const unsigned_arc_t share = (arcs / warp_count() / together + 1) * together;
    const unsigned long long begin = (unsigned long long)share * warp_number();
    if (begin >= arcs) return;
    unsigned_arc_t next = unsigned_arc_t(begin);
    const unsigned_arc_t end = min(arcs - next, share) + next;
    for (unsigned first = find_arc(entries, next, before_entry); next < end; first += 32) {
        const unsigned own = first + lane_index();
        unsigned_arc_t before = arcs;
        arc_t shift = 0;
        const unsigned_arc_t beyond = first + 32 < entries ? before_entry(first + 32) : arcs, stop = min(end, beyond);
        if (own < entries) load(own, before, shift);
        visit_arcs<ARCS>(before, shift, next, stop, visit);
        next = max(next, stop);
        if (GAPS && beyond <= next && next < end) {
            const unsigned after = first + 32;
            first += find_arc(entries - after, next, [&](unsigned i) { return before_entry(after + i); });
        }
    }
}

// The same for a frontier: load(vertex) is called for the vertices that the arcs leave.
template <int ARCS, typename Load, typename Visit>
__device__ __forceinline__ void for_each_arc(Frontier frontier, const arc_t* offsets, Load load, Visit visit) {
    share_arcs<ARCS>(
        vertices_of(frontier.size), arcs_of(frontier.size),
        [&](unsigned i) { return unsigned_arc_t(__ldcg(&frontier.list[i].y)); },
        [&](unsigned i, unsigned_arc_t& before, arc_t& shift) {
            const Listed entry = load_listed(&frontier.list[i]);
            before = entry.y, shift = __ldg(&offsets[entry.x]) - entry.y;
            load(entry.x);
        },
        visit);
}
