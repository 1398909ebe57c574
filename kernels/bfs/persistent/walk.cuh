// Levels that are chains of waits: a block goes on from the vertices that it has found itself.
//
// A level has two waits. While a block waits for the others, it reads the targets of its arcs, their distances and
// where their own arcs are. Then it waits for the atomicMin that tells whether it was first to find a target; if so, it
// queues the arcs of the target for the next level in its shared memory.
//
// Blocks that find many vertices at once, or have much more than others, give some to all blocks. Vertices for which
// there is no room in the queue are listed for all blocks.
#pragma once

#include "state.cuh"

__device__ __forceinline__ Ahead look_ahead(const Graph& graph, const unsigned* distance, ArcFrom from) {
    Ahead ahead = {NO_VERTEX, from.tail, 0, 0};
    if (from.arc == NO_ARC) return ahead;
    const int target = graph.targets[from.arc];
    const bool is_new = __ldcg(&distance[target]) == UNREACHABLE;
    ahead.first = graph.offsets[target];
    ahead.end = graph.offsets[target + 1];
    if (is_new) ahead.target = target;
    return ahead;
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
__device__ __forceinline__ void reach(const Level& level, const Ahead& ahead, const ArcQueue& queue) {
    const int target = ahead.target, arcs = ahead.end - ahead.first;
    const bool is_first = target != NO_VERTEX && atomicMin(&level.distance[target], level.number + 1) == UNREACHABLE;
    if (is_first) {
        set_bit(level.visited, target);
        if (TREE) level.memory.parents[target] = ahead.tail;
        atomicAdd(&shared.meeting.arcs, max(arcs, 1));
    }
    const bool goes_on = is_first && arcs > level.undirected;  // a leaf leads nowhere else than back
    const bool stays = queue.add(target, ahead.first, ahead.end, goes_on);
    if (!__any_sync(ALL_LANES, goes_on && !stays)) return;
    if (lane_index() == 0) atomicOr(&shared.meeting.listing, 1u);
    list_now(target, arcs, goes_on && !stays, level.next());
}

// Follows the arcs of the list for all blocks.
__device__ __forceinline__ void walk_list(const Level& level, const State& state, const ArcQueue& next) {
    const Graph& graph = level.graph;
    int from = NO_VERTEX;
    for_each_arc<1>(
        {level.memory.list_of(graph, level.number).list, state.size}, graph.offsets, [&](int vertex) { from = vertex; },
        [&](const int (&arc)[1], const int (&owner)[1]) {
            const int tail = TREE ? __shfl_sync(ALL_LANES, from, owner[0]) : NO_VERTEX;
            reach(level, look_ahead(graph, level.distance, {arc[0], tail}), next);
        });
}

// Follows the block's own arcs, of which the first were read ahead, and its share of those given to all blocks.
__device__ __forceinline__ void walk(const Level& level, State& state, const ArcQueue& own, const ArcQueue& next) {
    const auto follow = [&](ArcFrom arc) { reach(level, look_ahead(level.graph, level.distance, arc), next); };
    if (threadIdx.x / 32 * 32 < state.groups * GROUP) reach(level, state.ahead, next);
    for_each_own(state, own, BLOCK, follow);
    if (state.given_groups == 0) return;
    for_each_given(state, level.memory, level.number, follow);
    state.groups += state.given_groups / gridDim.x;
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
    unsigned most;  // if a block has more,
    unsigned kept;  // it keeps so much
};

// Ends a level of a walk. While a block waits for the others, it reads ahead. Returns whether all blocks can go on from
// what they have queued and been given.
__device__ __forceinline__ bool finish_walk(const Level& level, Shares shares, unsigned few, State& state,
                                            unsigned& arcs_of_walk) {
    const unsigned parity = level.number % 2;
    const ArcQueue queue = queue_of(level.number + 1);
    Meeting& meeting = shared.meeting;
    unsigned long long* const word = &level.memory.progress->tally[parity];
    __syncthreads();
    const unsigned queued = min(*queue.count, unsigned(QUEUE));
    unsigned surplus = 0;
    if (queued > shares.most) {
        surplus = min(queued - min(queued, shares.kept), MOST_GIVEN / gridDim.x);
        give(level.memory, queue, queued - surplus, surplus, level.number + 1);
    }
    if (threadIdx.x == ANNOUNCER) {
        announce(word, meeting, surplus, false);
        shared.queued[parity] = 0;
    }
    state.groups = queued - surplus;
    const unsigned slots = state.groups * GROUP;
    if (threadIdx.x / 32 * 32 < slots) {
        state.ahead = look_ahead(level.graph, level.distance,
                                 threadIdx.x < slots ? queue.arc(threadIdx.x) : ArcFrom{NO_ARC, NO_VERTEX});
    }
    synchronize_host_grid();
    bool is_special = false;
    if (threadIdx.x == ANNOUNCER) {
        const Tally tally = wait(word, parity, meeting);
        const bool ends = tally.listed() || tally.arcs() - 1 >= few - 1 || state.size != 0;
        arcs_of_walk += tally.arcs();
        is_special = ends || tally.given() != 0;
        if (is_special) {
            meeting.sum = tally.sum, meeting.ends = ends, meeting.arcs_of_walk = arcs_of_walk;
            shared.given[1 - parity] += tally.given();
            __threadfence();
        }
    }
    state.given_groups = 0;
    if (!__syncthreads_or(is_special)) return true;
    state.given_groups = Tally{meeting.sum}.given();
    return !meeting.ends;
}

// Walks from level to level until all blocks have to do something else; a single level if there is a list.
__device__ __forceinline__ void walk_on(Level level, unsigned few, State& state) {
    const unsigned mean = state.found / (GROUP * gridDim.x);
    const Shares shares = {max(unsigned(ROOM), 2 * mean), max(1u, mean)};
    unsigned arcs_of_walk = 0;  // found by it, as the announcer knows
    if (state.size != 0) walk_list(level, state, queue_of(level.number + 1));
    bool goes_on;
    do {
        walk(level, state, queue_of(level.number), queue_of(level.number + 1));
        goes_on = finish_walk(level, shares, few, state, arcs_of_walk);
        ++level.number;
    } while (goes_on);
    const Tally tally = {shared.meeting.sum};
    state.level = level.number;
    state.size = tally.listed() ? __ldcg(level.memory.list_of(level.graph, state.level).size) : 0;
    state.unexplored -= state.found + shared.meeting.arcs_of_walk - tally.arcs();
    state.found = tally.arcs();
}
