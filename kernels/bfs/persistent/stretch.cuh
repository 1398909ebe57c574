// Many levels at a time, each block by itself (hops.cuh).
//
// A block may reach vertices by a detour: when a shorter path is found, atomicMin lowers their distances and their arcs
// are followed again, so that all distances are right in the end. Vertices at the end of the stretch wait there, and
// are the next frontier. Vertices that a block cannot go on from are deferred to all blocks: a set for each round of a
// stretch, in two arrays in turn.
#pragma once

#include "state.cuh"

// What does not change in a stretch; and, below, in a round of it.
struct Stretch {
    Graph graph;
    int most_leaf_arcs;
    unsigned end;  // the level at which vertices wait
    unsigned *distance, *visited;
    NextFrontier next;
    bool is_local = false;       // blocks go on by themselves
    NextFrontier deferred = {};  // vertices deferred to all blocks in the next round, and their bits
    unsigned* deferred_bits = nullptr;
};

// Vertices that a warp has found in a stretch.
struct Outboxes {
    Outbox deferred, next;
};

__device__ __forceinline__ void defer(const Stretch& stretch, int vertex, bool selected, Outbox& deferred) {
    const bool is_new = selected && claim_bit(stretch.deferred_bits, vertex);
    deferred.push(vertex, is_new, stretch.graph.offsets, stretch.deferred);
}

// Lists a vertex whose distance falls to `length`; all lanes take part.
__device__ __forceinline__ void list_vertex(const Stretch& stretch, int vertex, bool falls, unsigned length,
                                            const Arcs<int>& arcs, const LocalList<int>& local, Outboxes& outboxes) {
    falls = falls && arcs.end - arcs.first > stretch.most_leaf_arcs;
    const bool within = falls && length < stretch.end;
    const bool stays = within && stretch.is_local && local.add(vertex, length, arcs);
    if (!__any_sync(ALL_LANES, falls && !stays)) return;
    outboxes.next.push(vertex, falls && !within, stretch.graph.offsets, stretch.next);
    defer(stretch, vertex, within && !stays, outboxes.deferred);
}

// Lowers the distance of a target to `length`, and lists it if that was lower; all lanes take part.
__device__ __forceinline__ void lower_and_list(const Stretch& stretch, int target, unsigned length,
                                               const LocalList<int>& local, Outboxes& outboxes) {
    unsigned before = 0;
    Arcs<int> arcs;
    if (target != NO_VERTEX && length < __ldcg(&stretch.distance[target])) {
        before = atomicMin(&stretch.distance[target], length);
        arcs = arcs_from<int>(stretch.graph.offsets, target);
    }
    if (before == UNREACHABLE) set_bit(stretch.visited, target);
    list_vertex(stretch, target, length < before, length, arcs, local, outboxes);
}

// Follows the arcs of a list that all blocks share.
__device__ __forceinline__ void follow(const Stretch& stretch, Frontier frontier, unsigned* bits,
                                       const LocalList<int>& local, Outboxes& outboxes) {
    unsigned from = 0;
    for_each_arc<1>(
        frontier, stretch.graph.offsets,
        [&](int vertex) {
            clear_bit(bits, vertex);
            from = __ldcg(&stretch.distance[vertex]);
        },
        [&](const int (&arc)[1], const int (&owner)[1]) {
            const int target = arc[0] == NO_ARC ? NO_VERTEX : __ldg(&stretch.graph.targets[arc[0]]);
            lower_and_list(stretch, target, __shfl_sync(ALL_LANES, from, owner[0]) + 1, local, outboxes);
        });
}

// Hops of this block by itself, from the vertices of its own list.
__device__ __forceinline__ void go_on_alone(const Stretch& stretch, const LocalLists<int>& local, Outboxes& outboxes) {
    const auto read = [targets = stretch.graph.targets](int arc) { return targets[arc]; };
    make_hops(
        local, read,
        [&](const LocalVertex<int>& item, bool valid, int target, const LocalList<int>& next) {
            const unsigned length = item.length + 1;
            const auto lowered = lower(item, valid, target, length, stretch.distance, stretch.graph.offsets, read);
            if (lowered.before == UNREACHABLE) set_bit(stretch.visited, target);
            list_vertex(stretch, target, lowered.falls, length, lowered.arcs, next, outboxes);
        },
        [&](const LocalVertex<int>& item, bool valid) { defer(stretch, item.vertex, valid, outboxes.deferred); });
}

// From the frontier to level `end`, in as many rounds as it takes. Returns their number so far.
APART unsigned stretch_out(Level level, State state, unsigned end, unsigned round) {
    const Memory& memory = level.memory;
    const long long vertices = level.graph.vertices, words = words_of(level.graph.vertices);
    const int* const offsets = level.graph.offsets;
    const LocalLists<int> local = {dynamic_shared, shared.hop_counts};
    const unsigned warp = threadIdx.x / 32;
    Stretch stretch = {level.graph,   level.undirected ? 1 : 0,        end, level.distance,
                       level.visited, memory.list_of(level.graph, end)};
    Outboxes outboxes = {{shared.outboxes[warp], 0}, {shared.lists[warp], 0}};
    Frontier frontier = {memory.list_of(level.graph, level.number).list, state.size};
    for (bool first = true; first || vertices_of(frontier.size) > 0; first = false) {
        const unsigned now = round % 2, other = 1 - now;
        if (thread_index() == 0) memory.progress->deferred[(round + 2) % 3] = 0;
        stretch.is_local = first || arcs_of(frontier.size) < STRETCH_ARCS * gridDim.x;
        stretch.deferred = {memory.deferred + other * vertices, &memory.progress->deferred[(round + 1) % 3]};
        stretch.deferred_bits = memory.deferred_bits + other * words;
        clear(local);
        if (first) {
            const auto relax = [&](int arc) {
                const int target = arc == NO_ARC ? NO_VERTEX : __ldg(&stretch.graph.targets[arc]);
                lower_and_list(stretch, target, level.number + 1, local.of(0), outboxes);
            };
            for_each_own(state, queue_of(level.number), 0, relax);
            if (state.given_groups != 0) for_each_given(state, memory, level.number, relax);
        }
        follow(stretch, frontier, memory.deferred_bits + now * words, local.of(0), outboxes);
        if (stretch.is_local) go_on_alone(stretch, local, outboxes);
        outboxes.deferred.flush(offsets, stretch.deferred);
        outboxes.next.flush(offsets, stretch.next);
        frontier.list = stretch.deferred.list;
        ++round;
        grid_barrier(&memory.progress->barrier);
        frontier.size = __ldcg(&memory.progress->deferred[round % 3]);
    }
    return round;
}

// Whether neither of two frontiers has more than twice the other's arcs.
__device__ __forceinline__ bool alike(unsigned one, unsigned other) {
    return max(one, other) <= 2ull * min(one, other);
}

// The largest distance of a warp's vertices.
__device__ __forceinline__ unsigned deepest(int vertices, const unsigned* distance) {
    unsigned largest = 0;
    for (long long vertex = thread_index(); vertex < vertices; vertex += thread_count()) {
        const unsigned length = __ldcg(&distance[vertex]);
        if (length != UNREACHABLE) largest = max(largest, length);
    }
    return __reduce_max_sync(ALL_LANES, largest);
}
