// Relaxing arcs: where an arc leads to its target by a shorter path, the target's distance falls and the target is
// listed. Many lanes may lower the same distance at a time; each fall is seen by one of them.
#pragma once

#include "bitmap.cuh"

enum : int { RELAXED = READ_TOGETHER / 2 };  // arcs that a lane relaxes at a time

// A vertex that is listed with a distance, and its arcs.
struct alignas(sizeof(arc_t) == 4 ? 16 : 8) Entry {
    int vertex;
    unsigned length;
    arc_t first, end;
};

// Lowers the distances of the entries to their lengths where `tries` holds. Finds what they were before, 0 elsewhere,
// and the entries' arcs unless `offsets` is null.
template <int ARCS>
__device__ __forceinline__ void lower_distances(Entry (&entries)[ARCS], const bool (&tries)[ARCS], unsigned* distance,
                                                const arc_t* offsets, unsigned (&before)[ARCS]) {
    // No branch uses what it loads, so all the loads are under way together.
    for (int k = 0; k < ARCS; ++k) {
        before[k] = 0;
        if (!tries[k]) continue;
        before[k] = atomicMin(&distance[entries[k].vertex], entries[k].length);
        if (offsets) entries[k].first = __ldg(&offsets[entries[k].vertex]);
        if (offsets) entries[k].end = __ldg(&offsets[entries[k].vertex + 1]);
    }
}

// Relaxes an arc or several of each lane: arc[k], or NO_ARC, leaves the vertex of lane owner[k], which is `from` away
// there. Paths shorter than `least` or not shorter than `most` are left out. Calls list(entry, before, falls) for each
// target, with what its distance was and whether it falls; all 32 lanes take part. `offsets` are as above.
template <int ARCS, typename Graph, typename List>
__device__ __forceinline__ void relax_arcs(const Graph& graph, const arc_t (&arc)[ARCS], const int (&owner)[ARCS],
                                           unsigned from, unsigned* distance, const arc_t* offsets, List list,
                                           unsigned least = 0, unsigned most = UNREACHABLE) {
    Entry target[ARCS];
    bool tries[ARCS];
    unsigned before[ARCS];
    for (int k = 0; k < ARCS; ++k) {
        const int2 read = arc[k] != NO_ARC ? graph.arc(arc[k]) : make_int2(NO_VERTEX, 0);
        target[k] = {read.x, unsigned(read.y), 0, 0};
    }
    for (int k = 0; k < ARCS; ++k) target[k].length += __shfl_sync(ALL_LANES, from, owner[k]);
    for (int k = 0; k < ARCS; ++k) {
        tries[k] = target[k].vertex != NO_VERTEX && target[k].length >= least && target[k].length < most;
        tries[k] = tries[k] && target[k].length < distance[target[k].vertex];
    }
    lower_distances(target, tries, distance, offsets, before);
    for (int k = 0; k < ARCS; ++k) list(target[k], before[k], target[k].length < before[k]);
}

// Relaxes the arcs of the members of a set, a list with a bit for each, which is cleared; ARCS of a lane at a time.
template <int ARCS, typename Graph, typename List>
__device__ __forceinline__ void relax_set(const Graph& graph, Frontier list_of_set, unsigned* bits, unsigned* distance,
                                          const arc_t* offsets, List list) {
    unsigned from = 0;
    const auto load = [&](int vertex) {
        clear_bit(bits, vertex);
        from = __ldcg(&distance[vertex]);
    };
    for_each_arc<ARCS>(list_of_set, graph.offsets, load, [&](const arc_t(&arc)[ARCS], const int (&owner)[ARCS]) {
        relax_arcs(graph, arc, owner, from, distance, offsets, list);
    });
}

// Takes the far vertices that are nearer than `threshold` out of their set. Calls list(vertex, length, is_nearer) for
// all of them, 32 lanes taking part. Returns the least distance of a thread's others.
template <typename List>
__device__ __forceinline__ unsigned collect_far(int vertices, unsigned* far, const unsigned* distance,
                                                unsigned threshold, int* members, List list) {
    unsigned least = UNREACHABLE;
    for_each_member(
        words_of(vertices), members, [&](unsigned word) { return __ldcg(&far[word]); },
        [&](int vertex) {
            const unsigned length = vertex == NO_VERTEX ? UNREACHABLE : __ldcg(&distance[vertex]);
            const bool is_nearer = length < threshold;
            if (is_nearer) clear_bit(far, vertex);
            if (!is_nearer) least = min(least, length);
            list(vertex, length, is_nearer);
        });
    return least;
}

// Lowers `*least` to the least number of the lanes, all of which take part.
__device__ __forceinline__ void keep_least(unsigned number, unsigned* least) {
    number = __reduce_min_sync(ALL_LANES, number);
    if (lane_index() == 0 && number != UNREACHABLE) atomicMin(least, number);
}
