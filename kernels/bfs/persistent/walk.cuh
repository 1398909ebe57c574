// Levels that are chains of waits: a block goes on from the vertices that it has found itself.
//
// A level has two waits. While a block waits for the others, it reads the targets of its arcs, their distances and
// where their own arcs are. Then it waits for the atomicMin that tells whether it was first to find a target; if so, it
// queues the arcs of the target for the next level in its shared memory.
//
// Blocks that find many vertices at once, or have much more than others, give some to all blocks. Vertices for which
// there is no room in the queue are listed for all blocks, unless the next level will be pulled.
#pragma once

#include "state.cuh"

__device__ __forceinline__ Ahead look_ahead(const Graph& graph, const unsigned* distance, int arc) {
    Ahead ahead = {NO_VERTEX, 0, 0};
    if (arc == NO_ARC) return ahead;
    const int target = graph.targets[arc];
    const bool is_new = __ldcg(&distance[target]) == UNREACHABLE;
    ahead.first = graph.offsets[target];
    ahead.end = graph.offsets[target + 1];
    if (is_new) ahead.target = target;
    return ahead;
}

// Whether the next level will be pulled, if others find as many times their arcs as this block, which has queued so
// many groups of arcs where it had `groups`.
__device__ __forceinline__ bool will_be_pulled(const Level& level, unsigned groups, unsigned queued) {
    return level.undirected && (unsigned long long)queued * level.arcs > level.enough * max(groups, 1);
}

// Appends the vertices of the lanes where `selected` holds to a list, with their numbers of arcs; all lanes take part.
__device__ __forceinline__ void list_now(int vertex, int arcs, bool selected, NextFrontier next) {
    const FrontierSize own = selected ? frontier_size(1, arcs) : 0, inclusive = inclusive_size(own);
    FrontierSize before = 0;
    if (lane_index() == 31) before = atomicAdd(next.size, inclusive);
    before = __shfl_sync(ALL_LANES, before, 31) + inclusive - own;
    if (selected) next.list[vertices_of(before)] = make_int2(vertex, arcs_of(before));
}

// Sets the distance of a target, and queues or lists it if this was the first time; all lanes take part.
__device__ __forceinline__ void reach(const Level& level, unsigned groups, const Ahead& ahead, const ArcQueue& queue) {
    const int target = ahead.target, arcs = ahead.end - ahead.first;
    const bool is_first = target != NO_VERTEX && atomicMin(&level.distance[target], level.number + 1) == UNREACHABLE;
    if (is_first) {
        set_bit(level.visited, target);
        atomicAdd(&shared.meeting.arcs, max(arcs, 1));
    }
    const bool goes_on = is_first && arcs > level.undirected;  // a leaf leads nowhere else than back
    const bool stays = queue.add(ahead.first, ahead.end, goes_on);
    if (!__any_sync(ALL_LANES, goes_on && !stays)) return;
    shared.meeting.listing = 1;
    if (__any_sync(ALL_LANES, will_be_pulled(level, groups, *queue.count))) {
        shared.dropped = level.number + 1;
        return;
    }
    list_now(target, arcs, goes_on && !stays, level.next());
}

// Follows the arcs of the list for all blocks.
__device__ __forceinline__ void walk_list(const Level& level, const State& state, const ArcQueue& next) {
    const Graph& graph = level.graph;
    for_each_arc<1>(
        {level.memory->list_of(graph, level.number).list, state.size}, graph.offsets, [](int) {},
        [&](const int (&arc)[1], const int (&)[1]) {
            reach(level, state.groups, look_ahead(graph, level.distance, arc[0]), next);
        });
}

// Follows the block's own arcs, of which the first were read ahead, and its share of those given to all blocks.
__device__ __forceinline__ void walk(const Level& level, State& state, const ArcQueue& own, const ArcQueue& next) {
    const unsigned groups = state.groups + state.given_groups / gridDim.x;
    const auto follow = [&](int arc) { reach(level, groups, look_ahead(level.graph, level.distance, arc), next); };
    if (threadIdx.x / 32 * 32 < state.groups * GROUP) reach(level, groups, state.ahead, next);
    for_each_own(state, own, BLOCK, follow);
    if (state.given_groups == 0) return;
    for_each_given(state, *level.memory, follow);
    state.groups = groups;
}

// Gives the last groups of a queue to all blocks in the next level.
__device__ __forceinline__ void give(const Memory& memory, const ArcQueue& queue, unsigned kept, unsigned surplus,
                                     unsigned level) {
    if (threadIdx.x == ANNOUNCER) {
        shared.position = atomicAdd(&memory.progress->given[level % 2], surplus) - shared.given[level % 2];
    }
    __syncthreads();
    ArcGroup* const given = memory.given_of(level) + shared.position;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < surplus; i += BLOCK) given[i] = queue.groups[kept + i];
    __syncthreads();
}

// What blocks keep of what they have found, in groups.
struct Shares {
    unsigned most;  // if a block has more, or several times as much as before,
    unsigned kept;  // it keeps so much
};

// Ends a level of a walk. While a block waits for the others, it reads ahead. Returns whether all blocks can go on from
// what they have queued and been given, before level `until`.
__device__ __forceinline__ bool finish_walk(Level& level, Shares shares, unsigned few, unsigned until, State& state) {
    const Graph& graph = level.graph;
    const Memory& memory = *level.memory;
    const unsigned parity = state.level % 2;
    const ArcQueue queue = queue_of(state.level + 1);
    __syncthreads();
    const unsigned wanted = *queue.count, queued = min(wanted, unsigned(QUEUE));
    unsigned surplus = 0;
    if (queued > min(shares.most, GROWTH * state.groups + SMALL_SHARE) &&
        !will_be_pulled(level, state.groups, wanted)) {
        surplus = min(queued - min(queued, shares.kept), MOST_GIVEN / gridDim.x);
        give(memory, queue, queued - surplus, surplus, state.level + 1);
    }
    state.groups = queued - surplus;
    if (threadIdx.x == ANNOUNCER) {
        if (shared.dropped > state.level) memory.progress->dropped = shared.dropped;
        announce(&memory.progress->tally[parity], shared.meeting, surplus, false);
        shared.queued[parity] = 0;
    }
    const unsigned slots = state.groups * GROUP;
    if (threadIdx.x / 32 * 32 < slots) {
        state.ahead = look_ahead(graph, memory.distance, threadIdx.x < slots ? queue.arc(threadIdx.x) : NO_ARC);
    }
    ++state.level;
    synchronize_host_grid();
    bool is_special = false;
    if (threadIdx.x == ANNOUNCER) {
        const Tally tally = wait(&memory.progress->tally[parity], parity, shared.meeting);
        shared.meeting.ends = tally.listed() || tally.arcs() - 1 >= few - 1 || state.level >= until;
        is_special = tally.given() != 0 || shared.meeting.ends;
        shared.meeting.arcs_of_walks += tally.arcs();
        shared.meeting.sum = tally.sum;
        shared.given[1 - parity] += tally.given();
        if (tally.has_more()) __threadfence();
    }
    state.given_groups = 0;
    if (!__syncthreads_or(is_special)) return true;
    const Tally tally = {shared.meeting.sum};
    state.given_groups = tally.given();
    level.arcs = tally.arcs();
    return !shared.meeting.ends;
}

// After a walk: reads what was listed for all blocks in its last level.
__device__ __forceinline__ void take(const Graph& graph, const Memory& memory, State& state) {
    const Tally tally = {shared.meeting.sum};
    state.size = tally.listed() ? __ldcg(memory.list_of(graph, state.level).size) : 0;
    state.is_dropped = tally.listed() && __ldcg(&memory.progress->dropped) == state.level;
    state.unexplored -= state.found + unsigned(shared.meeting.arcs_of_walks) - tally.arcs();
    state.found = tally.arcs();
    __syncthreads();
    if (threadIdx.x == ANNOUNCER) shared.meeting.arcs_of_walks = 0;
}
