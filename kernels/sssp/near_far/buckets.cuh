// Shortest paths in buckets of distances, from arcs that ascend by weight within each vertex.
//
// A bucket holds the distances from `base` to `threshold`. While it is open, a vertex in it relaxes the light arcs
// only, those that lead into the bucket. Then its distances are right, and what is beyond learns of them once:
// - by pushing: the vertices of the bucket relax their other arcs;
// - or by pulling: each vertex beyond reads its own arcs, while they are light enough to lower its distance when they
//   come from the beginning of the bucket. Of a social graph nearly all arcs are never read then.
// The search begins to pull when pushing would relax more than 1 / pull of the arcs of all vertices beyond, and goes
// on so; each bucket is then twice as wide as the one before, since few vertices are left.
//
// There is no set of far vertices: passes over the distances find the next bucket. A list of vertices may have too
// little room, because a vertex whose distance falls twice is listed twice; then a pass lists the bucket anew.
//
// Chakaravarthy, Checconi, Petrini and Sabharwal 2014, "Scalable Single Source Shortest Path Algorithms for Massively
// Parallel Systems".
#pragma once

#include "bitmap.cuh"

namespace buckets {

constexpr int RELAXED = 2;       // arcs that a lane relaxes at a time
constexpr int LOOKED = 4;        // vertices that a lane looks at at a time in a pass
constexpr int PULLED_ALONE = 8;  // arcs that a lane pulls before its warp helps

// Arcs of a vertex that have to be relaxed, unless its distance has fallen below `length`.
struct alignas(sizeof(arc_t) == 4 ? 16 : 8) Item {
    int vertex;
    unsigned length;
    arc_t first;
    unsigned_arc_t before;  // arcs of the items before it in the list
};

// Numbers of arcs and of items in one.
using Size = unsigned long long;
constexpr int ITEM_BITS = 28;
__device__ __forceinline__ Size size_of(Size items, Size arcs) { return arcs << ITEM_BITS | items; }
__device__ __forceinline__ unsigned items_of(Size size) { return unsigned(size) & ((1u << ITEM_BITS) - 1); }
__device__ __forceinline__ Size arcs_of(Size size) { return size >> ITEM_BITS; }

// What a round finds, for the next.
struct Findings {
    Size listed;
    unsigned long long degrees;  // of the vertices of the bucket
    unsigned least;              // distance beyond the bucket
    unsigned is_bucket_used, beyond, unused;
};

// What blocks tell each other and the host, which relies on the order. Of three findings one belongs to this round, one
// to the next, and one is being cleared.
struct Progress {
    unsigned barrier, rounds;
    Findings findings[3];
};

struct SortedGraph {
    int vertices;
    const arc_t* offsets;
    const int2* arcs;  // targets and weights
};

struct Bucket {
    unsigned base, threshold;
};

__device__ __forceinline__ Bucket next_bucket(unsigned base, unsigned width) {
    return {base, base + min(width, UNREACHABLE - base)};
}

// What does not change in a round.
struct Round {
    SortedGraph graph;
    Bucket bucket;
    unsigned* distance;
    Item* next;  // list
    unsigned room;
    Findings* found;
};

// Returns the first of the arcs that is not lighter than `limit`, or `end`.
__device__ __forceinline__ arc_t first_heavy(const int2* arcs, arc_t first, arc_t end, unsigned limit) {
    arc_t step = 1;
    while (end - first >= step && unsigned(__ldg(&arcs[first + step - 1].y)) < limit) first += step, step *= 2;
    end = min(end, first + step - 1);
    while (first < end) {
        const arc_t middle = first + (end - first) / 2;
        if (unsigned(__ldg(&arcs[middle].y)) < limit)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

// Lists the vertices of a warp with their light arcs, or with all others and the sum of their degrees.
template <bool LIGHT>
__device__ __forceinline__ void append(const Round& round, const int2* list, unsigned count) {
    constexpr int each = OUTBOX / 32;
    Item items[each];
    Size own[each], all = 0;
    unsigned long long degrees = 0;
    for (int k = 0; k < each; ++k) {
        const unsigned position = k * 32 + lane_index();
        own[k] = 0;
        if (position >= count) continue;
        const int2 entry = list[position];
        const arc_t first = __ldg(&round.graph.offsets[entry.x]), end = __ldg(&round.graph.offsets[entry.x + 1]);
        const arc_t heavy = first_heavy(round.graph.arcs, first, end, round.bucket.threshold - unsigned(entry.y));
        const arc_t from = LIGHT ? first : heavy, to = LIGHT ? heavy : end;
        items[k] = {entry.x, unsigned(entry.y), from, 0};
        if (from < to) own[k] = size_of(1, to - from);
        if (!LIGHT) degrees += end - first;
        all += own[k];
    }
    if (!LIGHT) {
        for (int step = 16; step > 0; step /= 2) degrees += __shfl_xor_sync(ALL_LANES, degrees, step);
        if (lane_index() == 0) atomicAdd(&round.found->degrees, degrees);
    }
    const Size inclusive = warp_inclusive_sum<Size>(all);
    Size before = 0;
    if (lane_index() == 31 && inclusive != 0) before = atomicAdd(&round.found->listed, inclusive);
    before = __shfl_sync(ALL_LANES, before, 31) + inclusive - all;
    for (int k = 0; k < each; ++k) {
        if (own[k] == 0) continue;
        items[k].before = unsigned_arc_t(arcs_of(before));
        if (items_of(before) < round.room) round.next[items_of(before)] = items[k];
        before += own[k];
    }
}

// Vertices with their distances that a warp has not listed yet.
template <bool LIGHT>
struct Outbox {
    int2* list;  // shared memory for OUTBOX of them
    unsigned count;

    // Adds those of the lanes where `selected` holds; all 32 lanes take part.
    __device__ __forceinline__ void push(const Round& round, int vertex, unsigned length, bool selected) {
        const unsigned lanes = __ballot_sync(ALL_LANES, selected);
        if (selected) list[count + __popc(lanes & lanes_before())] = make_int2(vertex, int(length));
        count += __popc(lanes);
        if (count > OUTBOX - 32) flush(round);
    }
    __device__ __forceinline__ void flush(const Round& round) {
        if (count == 0) return;
        __syncwarp();
        append<LIGHT>(round, list, count);
        __syncwarp();
        count = 0;
    }
};

// Returns the position of an item at most 31 before that of arc number `arc` of the list.
__device__ __forceinline__ unsigned find_item(const Item* list, unsigned items, unsigned_arc_t arc) {
    unsigned first = 0, length = items;
    while (length > 32) {
        const unsigned step = (length + 31) / 32, probe = lane_index() * step;
        const bool before = probe < length && __ldcg(&list[first + probe].before) <= arc;
        const unsigned last = __popc(__ballot_sync(ALL_LANES, before)) - 1;
        first += last * step;
        length = min(step, length - last * step);
    }
    return first;
}

// Relaxes this warp's share of the arcs of a list, and lists the vertices whose distances fall if they are in the
// bucket.
template <bool LIGHT>
__device__ __forceinline__ void relax(const Round& round, const Item* list, Size size, Outbox<true>& outbox) {
    constexpr unsigned together = 32 * RELAXED;
    const unsigned items = items_of(size), lane = lane_index();
    const unsigned_arc_t arcs = unsigned_arc_t(arcs_of(size));
    const unsigned_arc_t share = (arcs / warp_count() / together + 1) * together;
    const unsigned long long begin = (unsigned long long)share * warp_number();
    if (begin >= arcs) return;
    unsigned_arc_t next = unsigned_arc_t(begin);
    const unsigned_arc_t end = min(arcs - next, share) + next;
    for (unsigned first = find_item(list, items, next); next < end; first += 32) {
        const unsigned own = first + lane;
        Item item = {0, UNREACHABLE, 0, arcs};
        if (own < items) item = list[own];
        const unsigned_arc_t beyond = first + 32 < items ? __ldcg(&list[first + 32].before) : arcs;
        const arc_t shift = item.first - arc_t(item.before);  // from arcs of the list to arcs
        const bool is_current = own < items && (!LIGHT || __ldcg(&round.distance[item.vertex]) == item.length);
        const unsigned from = is_current ? item.length : UNREACHABLE;
        for (const unsigned_arc_t stop = min(end, beyond); next < stop;
             next += min(unsigned_arc_t(together), stop - next)) {
            int2 arc[RELAXED];
            unsigned length[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                const unsigned_arc_t number = next + k * 32 + lane;
                int owner = 0;
                for (int step = 16; step > 0; step /= 2) {
                    if (__shfl_sync(ALL_LANES, item.before, owner + step) <= number) owner += step;
                }
                const arc_t place = arc_t(number) + __shfl_sync(ALL_LANES, shift, owner);
                length[k] = __shfl_sync(ALL_LANES, from, owner);
                arc[k] = make_int2(NO_VERTEX, 0);
                if (number < stop && length[k] != UNREACHABLE) arc[k] = __ldg(&round.graph.arcs[place]);
            }
            bool falls[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                length[k] += arc[k].y;
                falls[k] = arc[k].x != NO_VERTEX && length[k] < round.distance[arc[k].x];
            }
            unsigned before[RELAXED] = {};
            for (int k = 0; k < RELAXED; ++k) {
                if (falls[k]) before[k] = atomicMin(&round.distance[arc[k].x], length[k]);
            }
            if (!LIGHT) continue;
            for (int k = 0; k < RELAXED; ++k) {
                outbox.push(round, arc[k].x, length[k], length[k] < before[k]);
            }
        }
    }
}

// The vertices that passes look at: all, or a list of them.
struct Vertices {
    const int* list;  // null for all
    unsigned count;

    __device__ __forceinline__ int at(unsigned i) const {
        return i >= count ? NO_VERTEX : list ? __ldcg(&list[i]) : int(i);
    }
};

// Lists the vertices of the bucket.
template <bool LIGHT>
__device__ __forceinline__ void collect(const Round& round, Vertices vertices, Outbox<LIGHT>& outbox) {
    constexpr unsigned together = 32 * LOOKED;
    for (unsigned begin = warp_number() * together; begin < vertices.count; begin += warp_count() * together) {
        int vertex[LOOKED];
        unsigned length[LOOKED];
        for (int k = 0; k < LOOKED; ++k) vertex[k] = vertices.at(begin + k * 32 + lane_index());
        for (int k = 0; k < LOOKED; ++k) {
            length[k] = vertex[k] == NO_VERTEX ? UNREACHABLE : __ldcg(&round.distance[vertex[k]]);
        }
        for (int k = 0; k < LOOKED; ++k) {
            const bool is_inside = length[k] >= round.bucket.base && length[k] < round.bucket.threshold;
            outbox.push(round, vertex[k], length[k], is_inside);
        }
    }
}

// Returns the distance that a vertex has by the vertices of the bucket, of which the warp's lanes have one each.
__device__ __forceinline__ unsigned pull(const Round& round, Bucket from, arc_t next, arc_t end, unsigned length) {
    const auto through = [&](int2 arc) {
        const unsigned other = round.distance[arc.x];
        return other < from.threshold ? other + arc.y : UNREACHABLE;
    };
    const auto is_light = [&](int2 arc, unsigned most) { return from.base + unsigned(arc.y) < most; };
    bool goes_on = next < end;
    for (int i = 0; i < PULLED_ALONE && goes_on; i += 2) {
        const int2 arc = __ldg(&round.graph.arcs[next]);
        const int2 after = next + 1 < end ? __ldg(&round.graph.arcs[next + 1]) : make_int2(0, UNREACHABLE);
        unsigned shortest = length;
        if (is_light(arc, length)) shortest = min(shortest, through(arc));
        if (is_light(after, length)) shortest = min(shortest, through(after));
        length = shortest, next += 2;
        goes_on = next < end && is_light(after, length);
    }
    for (unsigned lanes = __ballot_sync(ALL_LANES, goes_on); lanes != 0; lanes &= lanes - 1) {
        const int owner = __ffs(lanes) - 1;
        const arc_t last = __shfl_sync(ALL_LANES, end, owner);
        unsigned shortest = __shfl_sync(ALL_LANES, length, owner);
        bool is_over = false;
        for (arc_t i = __shfl_sync(ALL_LANES, next, owner) + lane_index(); !is_over; i += 32) {
            const int2 arc = i < last ? __ldg(&round.graph.arcs[i]) : make_int2(0, UNREACHABLE);
            const bool lightens = is_light(arc, shortest);
            is_over = __any_sync(ALL_LANES, !lightens);
            shortest = __reduce_min_sync(ALL_LANES, lightens ? min(shortest, through(arc)) : shortest);
        }
        if (int(lane_index()) == owner) length = shortest;
    }
    return length;
}

// Lists the vertices of the bucket, after pulling from the bucket before if PULLS; then keeps the vertices beyond.
template <bool PULLS>
__device__ __forceinline__ void open(const Round& round, Bucket last, Vertices vertices, int* beyond,
                                     Outbox<true>& outbox) {
    constexpr unsigned each = PULLS ? 1 : LOOKED, together = 32 * each;
    unsigned least = UNREACHABLE;
    bool is_used = false;
    for (unsigned begin = warp_number() * together; begin < vertices.count; begin += warp_count() * together) {
        int vertex[each];
        unsigned length[each];
        for (int k = 0; k < each; ++k) vertex[k] = vertices.at(begin + k * 32 + lane_index());
        for (int k = 0; k < each; ++k) {
            length[k] = vertex[k] == NO_VERTEX ? 0 : __ldcg(&round.distance[vertex[k]]);
        }
        for (int k = 0; k < each; ++k) {
            bool is_kept = length[k] >= round.bucket.base;
            if (PULLS) {
                arc_t first = 0, end = 0;
                if (is_kept) {
                    first = __ldg(&round.graph.offsets[vertex[k]]), end = __ldg(&round.graph.offsets[vertex[k] + 1]);
                }
                const unsigned shorter = pull(round, last, first, end, length[k]);
                if (shorter < length[k]) round.distance[vertex[k]] = length[k] = shorter;
                is_kept = is_kept && first < end;
                const unsigned lanes = __ballot_sync(ALL_LANES, is_kept);
                unsigned place = 0;
                if (lane_index() == 0 && lanes != 0) place = atomicAdd(&round.found->beyond, __popc(lanes));
                place = __shfl_sync(ALL_LANES, place, 0) + __popc(lanes & lanes_before());
                if (is_kept) beyond[place] = vertex[k];
            }
            const bool is_inside = length[k] >= round.bucket.base && length[k] < round.bucket.threshold;
            if (length[k] >= round.bucket.threshold) least = min(least, length[k]);
            is_used = is_used || is_inside;
            outbox.push(round, vertex[k], length[k], is_inside);
        }
    }
    least = __reduce_min_sync(ALL_LANES, least);
    if (lane_index() == 0 && least != UNREACHABLE) atomicMin(&round.found->least, least);
    if (__any_sync(ALL_LANES, is_used) && lane_index() == 0) round.found->is_bucket_used = 1;
}

__device__ __forceinline__ void clear(Findings& findings) { findings = {0, 0, UNREACHABLE, 0, 0, 0}; }

// Global memory of a search.
struct Memory {
    unsigned* distance;
    Item* lists;    // two
    unsigned room;  // of a list
    int* beyond;    // two lists with room for all vertices
    Progress* progress;
};

// The source alone is reached, and its bucket is open.
__device__ __forceinline__ void begin(const SortedGraph& graph, int source, Bucket bucket, const Memory& memory) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        memory.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    if (thread_index() != 0) return;
    const arc_t first = graph.offsets[source], end = graph.offsets[source + 1];
    const arc_t heavy = first_heavy(graph.arcs, first, end, bucket.threshold);
    memory.lists[0] = {source, 0, first, 0};
    for (Findings& findings : memory.progress->findings) clear(findings);
    memory.progress->findings[0].listed = heavy > first ? size_of(1, heavy - first) : 0;
}

// A whole search, in buckets that are `width` wide; all threads of the grid take part. Returns the number of rounds.
__device__ __forceinline__ unsigned search(const SortedGraph& graph, arc_t arcs, int source, unsigned width,
                                           unsigned long long pull, unsigned most_rounds, const Memory& memory,
                                           int2* of_warp) {
    Progress* const progress = memory.progress;
    Bucket bucket = next_bucket(0, width);
    begin(graph, source, bucket, memory);
    grid_barrier(&progress->barrier);

    Vertices left = {nullptr, unsigned(graph.vertices)};
    unsigned long long arcs_beyond = arcs;
    bool pulls = false;
    unsigned round = 0;
    const auto found = [&] { return &progress->findings[round % 3]; };
    const auto list = [&] { return memory.lists + (size_t)(round % 2) * memory.room; };
    const auto begin_round = [&] {
        if (thread_index() == 0) clear(progress->findings[(round + 2) % 3]);
        Item* const next = memory.lists + (size_t)((round + 1) % 2) * memory.room;
        return Round{graph, bucket, memory.distance, next, memory.room, &progress->findings[(round + 1) % 3]};
    };
    const auto end_round = [&] {
        grid_barrier(&progress->barrier);
        ++round;
    };
    Outbox<true> outbox = {of_warp, 0};
    for (;;) {
        for (Size size; (size = __ldcg(&found()->listed)) != 0; end_round()) {
            const Round now = begin_round();
            if (items_of(size) > memory.room || arcs_of(size) > LIST_ARCS) {
                collect(now, left, outbox);
            } else {
                relax<true>(now, list(), size, outbox);
            }
            outbox.flush(now);
        }
        if (!pulls) {
            const Round now = begin_round();
            Outbox<false> heavy = {of_warp, 0};
            collect(now, left, heavy);
            heavy.flush(now);
            end_round();
            const unsigned long long degrees = __ldcg(&found()->degrees);
            arcs_beyond -= degrees;
            pulls = pull * degrees > arcs_beyond;
            if (!pulls) {
                relax<false>(begin_round(), list(), __ldcg(&found()->listed), outbox);
                end_round();
            }
        }
        const Bucket last = bucket;
        if (pulls) width = min(2 * width, UNREACHABLE);
        bucket = next_bucket(last.threshold, width);
        for (bool is_pulled = pulls;; is_pulled = false) {
            const Round now = begin_round();
            int* const kept = left.list == memory.beyond ? memory.beyond + graph.vertices : memory.beyond;
            if (is_pulled) {
                open<true>(now, last, left, kept, outbox);
            } else {
                open<false>(now, last, left, kept, outbox);
            }
            outbox.flush(now);
            end_round();
            if (is_pulled) left = {kept, __ldcg(&found()->beyond)};
            if (__ldcg(&found()->is_bucket_used)) break;
            const unsigned least = __ldcg(&found()->least);
            if (least == UNREACHABLE || round > most_rounds) return round;
            bucket = next_bucket(least, width);
        }
    }
}

}  // namespace buckets
