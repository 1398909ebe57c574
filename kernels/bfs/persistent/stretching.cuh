// Stretches of many levels that blocks do by themselves.
//
// On a road network a level has a few hundred vertices and there are a thousand levels, so waiting for other blocks
// takes nearly all of the time. Each block goes on by itself from the vertices that it has reached, for STRETCH levels,
// before the next barrier. It may reach some by a detour, until a shorter path is found (hops.cuh). Vertices at the end
// of the stretch wait there, and are the next frontier. Where the graph is no mesh, stretches have 2, 4, 8 ... levels
// at first: in a social network STRETCH levels from a vertex on its rim would be all of it.
//
// Vertices that a block cannot go on from are deferred to all blocks: a set for each round of a stretch, in two arrays
// in turn.
#pragma once

#include "level.cuh"
#include "hops.cuh"

extern __shared__ __align__(16) LocalVertex dynamic_shared[];
__shared__ unsigned local_counts[3], rounds, levels;  // rounds of stretches so far, and levels of the last one

// What does not change in a stretch; and, below, in a round of it.
struct Stretch : Level {
    const int4* first_targets;
    unsigned end;                // the level at which vertices wait
    bool is_local = false;       // blocks go on by themselves
    NextFrontier deferred = {};  // vertices deferred to all blocks in the next round, and their bits
    unsigned* deferred_bits = nullptr;
};

__device__ __forceinline__ void defer(const Stretch& stretch, int vertex, bool selected, Outbox& deferred) {
    push_once(deferred, vertex, selected, stretch.deferred_bits, stretch.graph.offsets, stretch.deferred);
}

// Lists a vertex whose distance was `before`, in lanes where it falls; all lanes take part.
__device__ __forceinline__ void list_vertex(const Stretch& stretch, const LocalVertex& found, unsigned before,
                                            bool falls, const LocalList& local, Outbox& deferred, Outbox& next) {
    if (before == UNREACHABLE) set_bit(stretch.visited, found.vertex);
    const bool within = falls && found.length < stretch.end;
    const bool stays = within && stretch.is_local && local.add(found);
    if (!__any_sync(ALL_LANES, falls && !stays)) return;
    next.push(found.vertex, falls && !within, stretch.graph.offsets, stretch.next);
    defer(stretch, found.vertex, within && !stays, deferred);
}

enum : int { MORE = -2 };  // in place of the first target of a vertex with more arcs than fit

// Reads the first targets of a vertex, and brings those of its neighbours in number into L2.
__device__ __forceinline__ int4 load_first(const int4* address) {
#ifdef WARPATH_HOST
    return *address;
#else
    int4 value;
    asm("ld.global.nc.L2::256B.v4.s32 {%0, %1, %2, %3}, [%4];"
        : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
        : "l"(address));
    return value;
#endif
}

// Finds the arcs of a vertex that is reached in a hop. Where most vertices have few arcs, their targets stand side by
// side: places of arcs, which nobody needs then, are counted from 0.
__device__ __forceinline__ void find_arcs(const Stretch& stretch, LocalVertex& vertex) {
    if (stretch.first_targets) {
        const int4 first = load_first(&stretch.first_targets[vertex.vertex]);
        if (first.x != MORE) {
            vertex.end = first.w >= 0 ? 4 : first.z >= 0 ? 3 : first.y >= 0 ? 2 : first.x >= 0;
            vertex.known[0] = {first.x}, vertex.known[1] = {first.y};
            vertex.known[2] = {first.z}, vertex.known[3] = {first.w};
            return;
        }
    }
    find_arcs(stretch.graph, vertex);
}

// Whether a frontier at the end of a stretch is smaller than one that doubles in each level.
__device__ __forceinline__ bool is_calm(FrontierSize size) { return arcs_of(size) >> min(levels, 31u) <= 1; }

// From the frontier to the end of the stretch, in as many rounds as it takes.
__device__ __forceinline__ Passed go_on_alone(const Level& level, Frontier frontier, const Memory& memory,
                                              bool are_few_left) {
    const long long vertices = level.graph.vertices, words = words_of(level.graph.vertices);
    const arc_t* const offsets = level.graph.offsets;
    FrontierSize* const sizes = memory.progress->counts.deferred;
    const LocalLists local = {dynamic_shared, local_counts};
    const unsigned end = level.number + (are_few_left ? unsigned(STRETCH) : min(2 * levels, unsigned(STRETCH)));
    Stretch stretch = {level, memory.first_targets, end};
    Outbox deferred = empty_outbox(), next = {own_scratch().members, 0};
    for (unsigned round = rounds; vertices_of(frontier.size) > 0; frontier.size = __ldcg(&sizes[round % 3])) {
        const unsigned now = round % 2, other = 1 - now;
        if (thread_index() == 0) sizes[(round + 2) % 3] = 0;
        stretch.is_local = is_small(arcs_of(frontier.size));
        stretch.deferred = {memory.deferred + other * vertices, &sizes[(round + 1) % 3]};
        stretch.deferred_bits = memory.deferred_bits + other * words;
        local.clear();
        if (threadIdx.x == 0) rounds = round + 1, levels = end - level.number;
        const auto list = [&](const LocalVertex& target, unsigned before, bool falls, const LocalList& own) {
            list_vertex(stretch, target, before, falls, own, deferred, next);
        };
        relax_set<1>(
            stretch.graph, frontier, memory.deferred_bits + now * words, stretch.distance, offsets,
            [&](const Entry& target, unsigned before, bool falls) { list({target, {}}, before, falls, local.of(0)); });
        if (stretch.is_local) {
            make_hops(
                stretch.graph, stretch.distance, local, [&](LocalVertex& vertex) { find_arcs(stretch, vertex); }, list,
                [&](const LocalVertex& item, bool valid) { defer(stretch, item.vertex, valid, deferred); });
        }
        deferred.flush(offsets, stretch.deferred);
        next.flush(offsets, level.next);
        frontier.list = stretch.deferred.list;
        ++round;
        grid_barrier(&memory.progress->barrier);
    }
    return {end - level.number, 0};
}

// By all threads, before a search.
__device__ __forceinline__ void begin_alone(const Graph& graph, const Memory& memory, unsigned stretch) {
    if (threadIdx.x == 0) rounds = 0, levels = stretch;
    for (long long word = thread_index(); word < 2ll * words_of(graph.vertices); word += thread_count()) {
        memory.deferred_bits[word] = 0;
    }
}

// Puts the targets of each vertex side by side where they fit.
extern "C" __global__ void find_first_targets(int vertices, const arc_t* offsets, const int* targets, int4* first) {
    for (long long vertex = thread_index(); vertex < vertices; vertex += thread_count()) {
        const arc_t begin = offsets[vertex], count = offsets[vertex + 1] - begin;
        int own[HOP_LANES];
        for (int i = 0; i < HOP_LANES; ++i) own[i] = i < count ? targets[begin + i] : NO_VERTEX;
        if (count > HOP_LANES) own[0] = MORE;
        first[vertex] = make_int4(own[0], own[1], own[2], own[3]);
    }
}
