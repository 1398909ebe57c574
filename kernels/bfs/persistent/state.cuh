// What a search and its blocks keep from level to level, and the arcs that a block has to follow in a level.
#pragma once

#include "arc_queue.cuh"
#include "pull.cuh"
#include "tally.cuh"

// What blocks tell each other and the host, which relies on the order. Of three sizes one is read, one added to and one
// cleared.
struct Progress {
    unsigned barrier, levels;
    FrontierSize listed[3];  // sizes of the lists for all blocks
    Rest rest;
    unsigned long long tally[2];  // words that blocks meet at
    unsigned given[2];            // groups of arcs given away so far, in even and in odd levels
};

// Global memory of a search.
struct Memory {
    unsigned *distance, *visited, *visited_before;  // swapped by a pull
    int2* lists;      // room for all vertices, twice: the list of a level and that of the next
    ArcGroup* given;  // room for the queues of all blocks, twice
    Progress* progress;
    int* parents;  // if TREE

    __device__ __forceinline__ NextFrontier list_of(const Graph& graph, unsigned level) const {
        return {lists + level % 2 * (long long)graph.vertices, &progress->listed[level % 3]};
    }
    __device__ __forceinline__ ArcGroup* given_of(unsigned level) const {
        return given + level % 2 * (QUEUE * gridDim.x);
    }
};

// The shared memory of a block beside its two queues: for each warp a list of members of a set and an outbox.
struct Block {
    int lists[BLOCK / 32][OUTBOX], outboxes[BLOCK / 32][OUTBOX];
    unsigned changed[BLOCK / 32][MOST_WIDTH];
    unsigned queued[2], position;
    unsigned given[2];  // groups that blocks gave away for even and for odd levels so far
    Meeting meeting;

    __device__ __forceinline__ MemberScratch scratch() { return {lists[threadIdx.x / 32], changed[threadIdx.x / 32]}; }
};

extern __shared__ __align__(16) ArcGroup dynamic_shared[];  // two queues
__shared__ Block shared;

__device__ __forceinline__ ArcQueue queue_of(unsigned level) {
    return {dynamic_shared + level % 2 * QUEUE, &shared.queued[level % 2]};
}

// What does not change in a level.
struct Level {
    Graph graph;
    unsigned number;
    bool undirected;
    unsigned *distance, *visited;
    Memory memory;

    // The list for all blocks in the next level.
    __device__ __forceinline__ NextFrontier next() const { return memory.list_of(graph, number + 1); }
};

// The target of an arc that had no distance yet when it was read, the arc's tail, and where the target's arcs are.
struct Ahead {
    int target, tail, first, end;
};

// What the threads of a block know of a level before it.
struct State {
    unsigned level = 0;
    unsigned found, unexplored;             // arcs of the level's vertices, and of these and those not found yet
    FrontierSize size;                      // of the list for all blocks
    unsigned groups = 0, given_groups = 0;  // of arcs: the block's own, and those given to all blocks
    Ahead ahead = {NO_VERTEX, NO_VERTEX, 0, 0};
};

// Calls visit(arc) for the block's own queued arcs.
template <typename Visit>
__device__ __forceinline__ void for_each_own(const State& state, const ArcQueue& queue, unsigned begin, Visit visit) {
    const unsigned slots = state.groups * GROUP;
#pragma unroll 1
    for (unsigned slot = begin + threadIdx.x; slot / 32 * 32 < slots; slot += BLOCK) {
        visit(slot < slots ? queue.arc(slot) : ArcFrom{NO_ARC, NO_VERTEX});
    }
}

// Calls visit(arc) for the block's share of the arcs that were given away.
template <typename Visit>
__device__ __forceinline__ void for_each_given(const State& state, const Memory& memory, unsigned level, Visit visit) {
    const ArcGroup* const given = memory.given_of(level);
    const unsigned slots = (state.given_groups + gridDim.x - 1 - blockIdx.x) / gridDim.x * GROUP;
#pragma unroll 1
    for (unsigned slot = threadIdx.x; slot / 32 * 32 < slots; slot += BLOCK) {
        ArcGroup group = {NO_VERTEX, 0, 0};
        if (slot < slots) {
            const auto halves = reinterpret_cast<const int2*>(&given[slot / GROUP * gridDim.x + blockIdx.x]);
            const int2 one = __ldcg(&halves[0]), other = __ldcg(&halves[1]);
            group = {one.x, one.y, other.x};
        }
        visit(arc_of(group, slot));
    }
}
