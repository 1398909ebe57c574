// Walks: blocks meet after each level, and each goes on from the vertices that it has found itself.
//
// A level has two waits. While a block waits for the others, it reads the targets of its arcs, their distances and
// where their own arcs are. Then it waits for the atomicMin that tells whether it was first to find a target; if so, it
// queues the arcs of the target for the next level in its shared memory.
//
// Blocks that find many vertices at once, or have much more than others, give some to all blocks. Vertices for which
// there is no room in the queue are listed for all blocks, which ends the walk; then, and where a level is no longer
// small, blocks list what they have queued.
#pragma once

#include "arc_queue.cuh"
#include "level.cuh"
#include "tally.cuh"

// The shared memory of a block beside its two queues.
struct Block {
    unsigned queued[2], position;
    unsigned given[2];  // groups that blocks gave away for even and for odd levels so far
    unsigned passed;    // arcs of the levels that a walk has done
    Meeting meeting;
};

extern __shared__ __align__(16) ArcGroup dynamic_shared[];  // two queues
__shared__ Block shared;

__device__ __forceinline__ ArcQueue queue_of(unsigned level) {
    return {dynamic_shared + level % 2 * QUEUE, &shared.queued[level % 2]};
}

__device__ __forceinline__ ArcGroup* given_of(const Memory& memory, unsigned level) {
    return memory.given + level % 2 * (QUEUE * gridDim.x);
}

// The target of an arc that had no distance yet when it was read, the arc's tail, and where the target's arcs are.
struct Ahead {
    int target, tail, first, end;
};

// What a block is to follow in a level.
struct Queued {
    unsigned groups = 0, given = 0;  // of arcs: its own, and those given to all blocks
    Ahead ahead = {NO_VERTEX, NO_VERTEX, 0, 0};
};

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

// Lists a vertex of each lane where `selected` holds for all blocks; all lanes take part. Apart, as registers are few.
__attribute__((noinline)) __device__ void list_now(int vertex, bool selected, const int* offsets, NextFrontier next) {
    Outbox outbox = empty_outbox();
    outbox.push(vertex, selected, offsets, next);
    outbox.flush(offsets, next);
}

// Sets the distance of a target, and queues or lists it if this was the first time; all lanes take part.
__device__ __forceinline__ void reach(const Level& level, const Ahead& ahead, const ArcQueue& queue) {
    const int target = ahead.target, arcs = ahead.end - ahead.first;
    const bool is_first = target != NO_VERTEX && atomicMin(&level.distance[target], level.number + 1) == UNREACHABLE;
    if (is_first) {
        set_bit(level.visited, target);
        if (TREE) level.parents[target] = ahead.tail;
        atomicAdd(&shared.meeting.arcs, max(arcs, 1));
    }
    const bool goes_on = is_first && arcs > level.undirected;  // a leaf leads nowhere else than back
    const bool stays = queue.add(target, ahead.first, ahead.end, goes_on);
    if (!__any_sync(ALL_LANES, goes_on && !stays)) return;
    if (lane_index() == 0) atomicOr(&shared.meeting.listing, 1u);
    list_now(target, goes_on && !stays, level.graph.offsets, level.next);
}

// Follows the arcs of a list that all blocks share.
__device__ __forceinline__ void walk_list(const Level& level, Frontier frontier, const ArcQueue& next) {
    int from = NO_VERTEX;
    for_each_arc<1>(
        frontier, level.graph.offsets, [&](int vertex) { from = vertex; },
        [&](const int (&arc)[1], const int (&owner)[1]) {
            const int tail = TREE ? __shfl_sync(ALL_LANES, from, owner[0]) : NO_VERTEX;
            reach(level, look_ahead(level.graph, level.distance, {arc[0], tail}), next);
        });
}

// Calls visit(arc) for the arcs of groups from the slot `begin` on; group(number) returns one of them.
template <typename Group, typename Visit>
__device__ __forceinline__ void for_each_slot(unsigned begin, unsigned groups, Group group, Visit visit) {
    const unsigned slots = groups * GROUP;
#pragma unroll 1
    for (unsigned slot = begin + threadIdx.x; slot / 32 * 32 < slots; slot += BLOCK) {
        visit(slot < slots ? arc_of(group(slot / GROUP), slot) : ArcFrom{NO_ARC, NO_VERTEX});
    }
}

// The same for what a block has queued, and its share of what was given to all blocks.
template <typename Visit>
__device__ __forceinline__ void for_each_queued(const Level& level, const Memory& memory, const Queued& queued,
                                                unsigned begin, Visit visit) {
    const ArcGroup* const own = queue_of(level.number).groups;
    for_each_slot(begin, queued.groups, [=](unsigned number) { return own[number]; }, visit);
    if (queued.given == 0) return;
    const ArcGroup* const given = given_of(memory, level.number) + blockIdx.x;
    const unsigned share = (queued.given + gridDim.x - 1 - blockIdx.x) / gridDim.x;
    const auto load = [=](unsigned number) {
        const auto halves = reinterpret_cast<const int2*>(&given[number * gridDim.x]);
        const int2 one = __ldcg(&halves[0]), other = __ldcg(&halves[1]);
        return ArcGroup{one.x, one.y, other.x};
    };
    for_each_slot(0, share, load, visit);
}

// Follows the arcs of a block, of which the first were read ahead.
__device__ __forceinline__ void walk(const Level& level, const Memory& memory, const Queued& queued) {
    const ArcQueue next = queue_of(level.number + 1);
    if (threadIdx.x / 32 * 32 < queued.groups * GROUP) reach(level, queued.ahead, next);
    for_each_queued(level, memory, queued, BLOCK,
                    [&](ArcFrom arc) { reach(level, look_ahead(level.graph, level.distance, arc), next); });
}

// Lists the vertices that are queued: those of which it is the first arc.
__attribute__((noinline)) __device__ void list_queued(Level level, Memory memory, Queued queued) {
    Outbox outbox = empty_outbox();
    for_each_queued(level, memory, queued, 0, [&](ArcFrom from) {
        const bool is_first = from.arc != NO_ARC && from.arc == level.graph.offsets[from.tail];
        outbox.push(from.tail, is_first, level.graph.offsets, level.next);
    });
    outbox.flush(level.graph.offsets, level.next);
}

// Gives the last groups of a queue to all blocks in the next level.
__device__ __forceinline__ void give(const Memory& memory, const ArcQueue& queue, unsigned kept, unsigned surplus,
                                     unsigned level) {
    if (threadIdx.x == ANNOUNCER) {
        shared.position = atomicAdd(&memory.progress->counts.given[level % 2], surplus) - shared.given[level % 2];
    }
    __syncthreads();
    ArcGroup* const given = given_of(memory, level) + shared.position;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < surplus; i += BLOCK) given[i] = queue.groups[kept + i];
    __syncthreads();
}

// Ends a level of a walk, at whose beginning blocks had `mean` groups. While a block waits for the others, it reads
// ahead. Returns whether all blocks can go on from what they have queued and been given.
__device__ __forceinline__ bool finish_walk(const Level& level, const Memory& memory, unsigned mean, Queued& next) {
    const unsigned parity = level.number % 2;
    const ArcQueue queue = queue_of(level.number + 1);
    Meeting& meeting = shared.meeting;
    unsigned long long* const word = &memory.progress->counts.tally[parity];
    __syncthreads();
    const unsigned queued = min(*queue.count, unsigned(QUEUE));
    unsigned surplus = 0;
    if (queued > max(unsigned(ROOM), 2 * mean)) {
        surplus = min(queued - max(mean, 1u), MOST_GIVEN / gridDim.x);
        give(memory, queue, queued - surplus, surplus, level.number + 1);
    }
    if (threadIdx.x == ANNOUNCER) {
        announce(word, meeting, surplus);
        shared.queued[parity] = 0;
    }
    next.groups = queued - surplus;
    const unsigned slots = next.groups * GROUP;
    if (threadIdx.x / 32 * 32 < slots) {
        ArcFrom arc = {NO_ARC, NO_VERTEX};
        if (threadIdx.x < slots) arc = arc_of(queue.groups[threadIdx.x / GROUP], threadIdx.x);
        next.ahead = look_ahead(level.graph, level.distance, arc);
    }
    synchronize_host_grid();
    bool is_special = false;
    if (threadIdx.x == ANNOUNCER) {
        const Tally tally = wait(word, parity, meeting);
        const bool ends = tally.listed() || tally.arcs() == 0 || !is_small(tally.arcs());
        if (!ends) atomicAdd(&shared.passed, tally.arcs());  // which nobody waits for
        is_special = ends || tally.given() != 0;
        if (is_special) {
            meeting.sum = tally.sum, meeting.ends = ends;
            shared.given[1 - parity] += tally.given();
            __threadfence();
        }
    }
    next.given = 0;
    if (!__syncthreads_or(is_special)) return true;
    next.given = Tally{meeting.sum}.given();
    return !meeting.ends;
}

__device__ __forceinline__ bool is_calm(FrontierSize) { return true; }

// Walks from a list until nothing is found, or all blocks have to share what is.
__device__ __forceinline__ Passed go_on_alone(Level level, Frontier frontier, const Memory& memory, bool) {
    const unsigned first = level.number, mean = arcs_of(frontier.size) / (GROUP * gridDim.x);
    Queued queued;
    if (threadIdx.x == ANNOUNCER) shared.queued[0] = shared.queued[1] = shared.passed = 0;
    __syncthreads();
    walk_list(level, frontier, queue_of(first + 1));
    bool goes_on;
    do {
        walk(level, memory, queued);
        goes_on = finish_walk(level, memory, mean, queued);
        ++level.number;
    } while (goes_on);
    Passed passed = {level.number - first, shared.passed};
    if (Tally{shared.meeting.sum}.arcs() == 0) return passed;
    list_queued(level, memory, queued);
    grid_barrier(&memory.progress->barrier);
    if (vertices_of(__ldcg(level.next.size)) == 0) ++passed.levels;  // of leaves, which lead nowhere
    return passed;
}

// By all threads, before a search.
__device__ __forceinline__ void begin_alone(const Graph&, const Memory&, unsigned) {
    if (threadIdx.x == ANNOUNCER) shared.given[0] = shared.given[1] = 0, shared.meeting = {};
}
