// Shortest paths in buckets of distances, from arcs that ascend by class of weight within each vertex (classes.cuh).
//
// A bucket holds the distances from `base` to `threshold`. While it is open, a vertex in it relaxes the light arcs
// only, those that lead into the bucket. Then its distances are right, and what is beyond learns of them once:
// - by pushing: the vertices of the bucket relax their other arcs;
// - or by pulling: each vertex beyond reads its own arcs, while they are light enough to lower its distance when they
//   come from the beginning of the bucket. Of a social graph nearly all arcs are never read then.
// The search begins to pull when pushing would relax more than 1 / pull of the arcs of all vertices beyond, and goes
// on so; each bucket is then four times as wide as the one before, since few vertices are left.
//
// Where round after round has few arcs, as along a path, the search ends early, and two sets go on (near_far.cu).
//
// There is no set of far vertices: passes over the distances find the next bucket. A list of vertices may have too
// little room, because a vertex whose distance falls twice is listed twice; then a pass lists the bucket anew.
//
// Chakaravarthy, Checconi, Petrini and Sabharwal 2014, "Scalable Single Source Shortest Path Algorithms for Massively
// Parallel Systems".
#pragma once

#include "classes.cuh"

namespace buckets {

enum : int { LOOKED = RELAXED };  // vertices that a lane looks at at a time in a pass that does not pull
enum : unsigned { GROWTH = 4 };   // of the width of buckets while the search pulls

// Arcs of a vertex that have to be relaxed, unless its distance has fallen below `length`.
struct alignas(sizeof(arc_t) == 4 ? 16 : 8) Item {
    int vertex;
    unsigned length;
    arc_t first;
    unsigned_arc_t before;  // arcs of the items before it in the list
};

// What all blocks do in a round: relax the arcs that are listed, or list the vertices of the bucket with their light
// arcs (open, after pulling from the last bucket or not) or with the others.
enum class Kind { relax_light, relax_heavy, open, pull, list_heavy };

// Numbers of arcs and, in ITEM_BITS, of items in one.
using Size = unsigned long long;
__device__ __forceinline__ Size size_of(Size items, Size arcs) { return arcs << ITEM_BITS | items; }
__device__ __forceinline__ unsigned items_of(Size size) { return unsigned(size) & ((1u << ITEM_BITS) - 1); }
__device__ __forceinline__ Size arcs_of(Size size) { return size >> ITEM_BITS; }

// What a round finds, for the next.
struct Findings {
    Size listed;
    unsigned long long degrees;  // of the vertices that were found in the bucket, some of them twice
    unsigned least;              // distance in the bucket or beyond, by a pass
    unsigned beyond;             // vertices that are left
};

// How far a search got: arcs of vertices nearer than `settled` need not be relaxed any more, or none, if UNREACHABLE.
struct End {
    unsigned settled, rounds;
};

// What blocks tell each other and the host, which relies on the order. Of three findings one belongs to this round, one
// to the next, and one is being cleared.
struct Progress {
    unsigned barrier, rounds;
    End end;
    Findings findings[3];
};

struct Bucket {
    unsigned base, threshold;
};

__device__ __forceinline__ Bucket next_bucket(unsigned base, unsigned width) {
    return {base, base + min(width, UNREACHABLE - base)};
}

// What does not change in a search.
struct Search {
    ClassedGraph graph;
    unsigned* distance;
    Item* lists;  // two
    unsigned room;
    unsigned long long most_arcs;  // of a list
    int2* beyond;                  // of waiting vertices: two lists with room for all vertices
    Progress* progress;
    unsigned width;           // of buckets at first
    unsigned long long pull;  // how often the arcs inside must exceed those beyond before the search pulls
    unsigned few, patience;   // it ends early after more rounds than `patience` with fewer arcs than `few`

    __device__ __forceinline__ Item* list_of(unsigned round) const { return lists + (size_t)(round % 2) * room; }
};

// What does not change in a round.
struct Round {
    Search search;
    Kind kind;
    bool pulls;
    Bucket bucket;
    Item* next;  // list
    Findings* found;
};

// Finds the first of each vertex's arcs that is not lighter than `limit`, a border, or the end of its arcs.
template <int EACH>
__device__ __forceinline__ void find_heavy(const int2* arcs, const unsigned (&limit)[EACH], arc_t (&first)[EACH],
                                           arc_t (&end)[EACH]) {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        bool is_light[EACH][READ_TOGETHER];
        for (int k = 0; k < EACH; ++k) {
            const arc_t step = (end[k] - first[k]) / (READ_TOGETHER + 1) + 1;
            for (int i = 0; i < READ_TOGETHER; ++i) {
                const arc_t arc = first[k] + (i + 1) * step - 1;
                is_light[k][i] = arc < end[k] && unsigned(__ldg(&arcs[arc].y)) < limit[k];
            }
        }
        for (int k = 0; k < EACH; ++k) {
            const arc_t step = (end[k] - first[k]) / (READ_TOGETHER + 1) + 1;
            for (int i = 0; i < READ_TOGETHER; ++i) first[k] += is_light[k][i] ? step : 0;
            if (!is_light[k][READ_TOGETHER - 1]) end[k] = min(end[k], first[k] + step - 1);
            goes_on = goes_on || first[k] < end[k];
        }
    }
}

// Lists the members that a warp has found with their light arcs, or with the others, and with all of a class that has
// both.
__device__ __forceinline__ void append(const Round& round, const Entry* members, unsigned count) {
    constexpr int each = OUTBOX / 32;
    const bool is_light = round.kind != Kind::list_heavy;
    Entry own[each];
    unsigned limit[each];
    arc_t heavy[each], end[each];
    unsigned long long degrees = 0;
    for (int k = 0; k < each; ++k) {
        const unsigned position = k * 32 + lane_index();
        own[k] = position < count ? members[position] : Entry{0, 0, 0, 0};
        degrees += own[k].end - own[k].first;
        limit[k] = round.bucket.threshold - own[k].length;
        limit[k] = is_light ? classes::border_from(limit[k]) : classes::border_at(limit[k]);
        heavy[k] = own[k].first, end[k] = own[k].end;
    }
    find_heavy(round.search.graph.arcs, limit, heavy, end);
    Size size[each], all = 0;
    for (int k = 0; k < each; ++k) {
        (is_light ? own[k].end : own[k].first) = heavy[k];
        size[k] = own[k].first < own[k].end ? size_of(1, own[k].end - own[k].first) : 0;
        all += size[k];
    }
    for (int step = 16; step > 0; step /= 2) degrees += __shfl_xor_sync(ALL_LANES, degrees, step);
    const Size inclusive = warp_inclusive_sum<Size>(all);
    Size before = 0;
    if (lane_index() == 31 && inclusive != 0) before = atomicAdd(&round.found->listed, inclusive);
    if (lane_index() == 0 && is_light && !round.pulls) atomicAdd(&round.found->degrees, degrees);
    before = __shfl_sync(ALL_LANES, before, 31) + inclusive - all;
    for (int k = 0; k < each; ++k) {
        if (size[k] == 0) continue;
        if (items_of(before) < round.search.room) {
            round.next[items_of(before)] = {own[k].vertex, own[k].length, own[k].first,
                                            unsigned_arc_t(arcs_of(before))};
        }
        before += size[k];
    }
}

// Members of the bucket that a warp has not listed yet.
struct Outbox : Collection<Entry> {
    // Makes room for two pushes.
    __device__ __forceinline__ void make_room(const Round& round) {
        if (count > OUTBOX - 64) flush(round);
    }
    __device__ __forceinline__ void flush(const Round& round) {
        empty([&] { append(round, list, count); });
    }
};

// Relaxes this warp's share of the arcs of a list. Those of a light round list the vertices whose distances fall.
__device__ __forceinline__ void relax(const Round& round, const Item* list, Size size, Outbox& outbox) {
    static_assert(RELAXED <= 2, "so many pushes have room");
    const bool is_light = round.kind == Kind::relax_light;
    const unsigned least = is_light ? 0 : round.bucket.threshold,
                   most = is_light ? round.bucket.threshold : UNREACHABLE;
    unsigned from = 0;  // the distance of the lane's item, unless it has fallen since it was listed
    share_arcs<RELAXED>(
        items_of(size), unsigned_arc_t(arcs_of(size)), [&](unsigned i) { return __ldcg(&list[i].before); },
        [&](unsigned i, unsigned_arc_t& before, arc_t& shift) {
            const Item item = list[i];
            before = item.before, shift = item.first - arc_t(item.before);
            from = __ldcg(&round.search.distance[item.vertex]) == item.length ? item.length : UNREACHABLE;
        },
        [&](const arc_t(&arc)[RELAXED], const int (&owner)[RELAXED]) {
            relax_arcs(
                round.search.graph, arc, owner, from, round.search.distance,
                is_light ? round.search.graph.offsets : nullptr,
                [&](const Entry& target, unsigned, bool falls) {
                    if (is_light) outbox.add(target, falls);
                },
                least, most);
            outbox.make_room(round);
        });
}

// A vertex that was beyond the bucket when it was listed, and the least weight of the class of its lightest arc.
using Waiting = int2;

// The vertices that passes look at: all, or a list of them.
struct Vertices {
    const Waiting* list;  // null for all
    unsigned count;

    __device__ __forceinline__ Waiting at(unsigned i) const {
        if (i >= count) return make_int2(NO_VERTEX, 0);
        return list ? __ldcg(&list[i]) : make_int2(int(i), 0);
    }
};

__device__ __forceinline__ Entry member(const ClassedGraph& graph, int vertex, unsigned length) {
    return {vertex, length, __ldg(&graph.offsets[vertex]), __ldg(&graph.offsets[vertex + 1])};
}

// Returns the distance that a vertex has by the vertices of the bucket, of which the warp's lanes have one each.
__device__ __forceinline__ unsigned pull(const Round& round, Bucket from, arc_t first, arc_t end, unsigned length) {
    return classes::look_through<READ_TOGETHER>(
        round.search.graph, first, end, length, length,
        [&](int2 arc, unsigned, unsigned best) {
            if (from.base + unsigned(arc.y) >= best) return best;
            const unsigned other = round.search.distance[arc.x];
            return other < from.threshold ? min(best, other + arc.y) : best;
        },
        [&](int2 arc, unsigned, unsigned best) { return from.base + classes::border_at(arc.y) < best; });
}

// Whether a vertex is in the bucket. Lowers `least` to its distance unless it is in one before.
__device__ __forceinline__ bool is_inside(Bucket bucket, unsigned length, unsigned& least) {
    if (length >= bucket.base) least = min(least, length);
    return length >= bucket.base && length < bucket.threshold;
}

// Lists the vertices of the bucket.
__device__ __forceinline__ void open(const Round& round, Vertices vertices, Outbox& outbox) {
    constexpr unsigned together = 32 * LOOKED;
    unsigned least = UNREACHABLE;
    for (unsigned begin = warp_number() * together; begin < vertices.count; begin += warp_count() * together) {
        int vertex[LOOKED];
        unsigned length[LOOKED];
        for (int k = 0; k < LOOKED; ++k) vertex[k] = vertices.at(begin + k * 32 + lane_index()).x;
        for (int k = 0; k < LOOKED; ++k) {
            length[k] = vertex[k] == NO_VERTEX ? UNREACHABLE : __ldcg(&round.search.distance[vertex[k]]);
        }
        for (int k = 0; k < LOOKED; ++k) {
            const bool selected = is_inside(round.bucket, length[k], least);
            outbox.add(selected ? member(round.search.graph, vertex[k], length[k]) : Entry{}, selected);
        }
        outbox.make_room(round);
    }
    keep_least(least, &round.found->least);
}

// Pulls from the last bucket, and lists the vertices of the next one. Keeps the vertices that have arcs and are not in
// buckets before. One whose lightest class leads to it from no vertex of the last bucket need not pull.
__device__ __forceinline__ void open_by_pulling(const Round& round, Bucket last, Vertices vertices, Waiting* kept,
                                                Outbox& outbox) {
    unsigned least = UNREACHABLE;
    for (unsigned begin = warp_number() * 32; begin < vertices.count; begin += warp_count() * 32) {
        Waiting waiting = vertices.at(begin + lane_index());
        Entry own = {waiting.x, 0, 0, 0};
        if (waiting.x != NO_VERTEX) own.length = __ldcg(&round.search.distance[waiting.x]);
        bool is_left = own.length >= round.bucket.base;
        const bool pulls = is_left && last.base + unsigned(waiting.y) < own.length;
        if (pulls || (is_left && own.length < round.bucket.threshold))
            own = member(round.search.graph, waiting.x, own.length);
        if (vertices.list == nullptr) {
            is_left = is_left && own.first < own.end;
            if (is_left) waiting.y = classes::border_at(__ldg(&round.search.graph.arcs[own.first].y));
        }
        const unsigned shorter = pull(round, last, own.first, pulls ? own.end : own.first, own.length);
        if (shorter < own.length) round.search.distance[own.vertex] = own.length = shorter;
        const unsigned place = take_places(__ballot_sync(ALL_LANES, is_left), &round.found->beyond);
        if (is_left) kept[place] = waiting;
        outbox.add(own, is_inside(round.bucket, own.length, least));
        outbox.make_room(round);
    }
    keep_least(least, &round.found->least);
}

__device__ __forceinline__ void clear(Findings& findings) { findings = {0, 0, UNREACHABLE, 0}; }

// The source alone is reached.
__device__ __forceinline__ void begin(const Search& search, int source) {
    for (long long vertex = thread_index(); vertex < search.graph.vertices; vertex += thread_count()) {
        search.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    if (thread_index() != 0) return;
    for (Findings& findings : search.progress->findings) clear(findings);
    const arc_t first = search.graph.offsets[source];
    search.lists[0] = {source, 0, first, 0};
    search.progress->findings[0].listed = size_of(1, search.graph.offsets[source + 1] - first);
}

// How a search goes on after a round.
struct Plan {
    Kind kind;
    Bucket bucket, last;
    unsigned width;
    bool pulls;
    unsigned long long arcs_beyond, arcs_inside;  // of vertices beyond the bucket, and in it
    unsigned small;                               // rounds with few arcs, one after another

    // After the bucket has no vertices that are listed.
    __device__ __forceinline__ void close(const Search& search) {
        arcs_beyond -= min(arcs_beyond, arcs_inside);
        pulls = pulls || search.pull * arcs_inside > arcs_beyond;
        if (pulls) width = min(width, UNREACHABLE / GROWTH) * GROWTH;
        arcs_inside = 0;
        kind = Kind::list_heavy;
        if (pulls) go_on(Kind::pull);
    }
    __device__ __forceinline__ void go_on(Kind how) {
        kind = how;
        last = bucket;
        bucket = next_bucket(last.threshold, width);
    }
    // Whether the search ends early, before a round with so many arcs.
    __device__ __forceinline__ bool gives_up(Size arcs, const Search& search) {
        small = arcs < search.few ? small + 1 : 0;
        return small > search.patience && (kind == Kind::relax_light || kind == Kind::open);
    }
};

// A search; all threads of the grid take part.
__device__ __forceinline__ End settle(const Search& search, arc_t arcs, int source, Entry* of_warp) {
    Progress* const progress = search.progress;
    begin(search, source);
    grid_barrier(&progress->barrier);

    Vertices left = {nullptr, unsigned(search.graph.vertices)};
    Waiting* next_left = search.beyond;
    Plan plan = {Kind::relax_light, next_bucket(0, search.width), {}, search.width, false, unsigned_arc_t(arcs), 0, 0};
    Outbox outbox = {of_warp, 0};
    for (unsigned round = 0;; ++round) {
        const Findings* const found = &progress->findings[round % 3];
        const Size listed = __ldcg(&found->listed);
        plan.arcs_inside += __ldcg(&found->degrees);
        switch (plan.kind) {
            case Kind::list_heavy:
                plan.kind = Kind::relax_heavy;
                break;
            case Kind::relax_heavy:
                plan.go_on(Kind::open);
                break;
            case Kind::pull:
                left = {next_left, __ldcg(&found->beyond)};
                next_left = left.list == search.beyond ? search.beyond + search.graph.vertices : search.beyond;
            case Kind::open:
                if (__ldcg(&found->least) == UNREACHABLE) return {UNREACHABLE, round};
                if (__ldcg(&found->least) >= plan.bucket.threshold) {
                    plan.bucket = next_bucket(__ldcg(&found->least), plan.width);
                    plan.kind = Kind::open;
                    break;
                }
            default:
                const bool is_full = plan.kind == Kind::relax_light &&
                                     (items_of(listed) > search.room || arcs_of(listed) > search.most_arcs);
                plan.kind = is_full ? Kind::open : Kind::relax_light;
                if (listed == 0) plan.close(search);
        }
        if (plan.gives_up(arcs_of(listed), search)) return {plan.bucket.base, round};
        Findings* const found_next = &progress->findings[(round + 1) % 3];
        const Round now = {search, plan.kind, plan.pulls, plan.bucket, search.list_of(round + 1), found_next};
        if (thread_index() == 0) clear(progress->findings[(round + 2) % 3]);
        if (plan.kind == Kind::pull) {
            open_by_pulling(now, plan.last, left, next_left, outbox);
        } else if (plan.kind == Kind::open || plan.kind == Kind::list_heavy) {
            open(now, left, outbox);
        } else {
            relax(now, search.list_of(round), listed, outbox);
        }
        outbox.flush(now);
        grid_barrier(&progress->barrier);
    }
}

}  // namespace buckets
