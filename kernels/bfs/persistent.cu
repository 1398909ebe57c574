// Breadth-first search in one cooperative launch; the host waits once, for the end of the search.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// Levels differ in size, so there are three ways to go on from a frontier, each with one barrier of the grid a level:
// - walk: where a level is small, it is a chain of waits. So a block goes on from the vertices that it has found
// itself,
//   whose arcs are in its shared memory (arc_queue.cuh); while it waits for the other blocks, it reads the targets of
//   these arcs, their distances and where their own arcs are. After the barrier there is one more wait, for the
//   atomicMin that tells whether the block was first to find a target. Blocks that have found more than their share
//   give the rest away to all blocks. Vertices with many arcs go into a list for all blocks.
// - push: all blocks share the arcs of that list evenly (frontier.cuh).
// - pull: when the frontier has many of the arcs, every unvisited vertex looks for a visited neighbour instead, and
//   stops at the first. A visited neighbour of an unvisited vertex is in the frontier, because the vertex would have
//   been found earlier otherwise; so the bits of visited vertices are enough. New bits go into a second copy. Only
//   where arcs have both directions.
//
// Pulls if alpha times the arcs of the frontier is more than the unexplored arcs plus vertices / beta. Walks if the
// frontier is small.
//
// Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search" (push and pull).

#include "arc_queue.cuh"
#include "tally.cuh"

struct Graph {
    int vertices;
    int arcs;
    const int* offsets;
    const int* targets;
};

// What blocks tell each other and the host, which relies on the order. Of three sizes one is read, one added to and one
// cleared.
struct Progress {
    unsigned barrier, levels;
    FrontierSize listed[3];       // sizes of the lists for all blocks
    unsigned long long tally[2];  // words that blocks meet at
    unsigned given[2];            // groups of arcs given away so far, in even and in odd levels
};

// Global memory of a search.
struct Memory {
    unsigned *distance, *visited, *visited_before;  // swapped by a pull
    int2* lists;      // room for all vertices, twice: the list of a level and that of the next
    ArcGroup* given;  // room for the queues of all blocks, twice
    Progress* progress;

    __device__ __forceinline__ NextFrontier list_of(const Graph& graph, unsigned level) const {
        return {lists + level % 2 * (long long)graph.vertices, &progress->listed[level % 3]};
    }
    __device__ __forceinline__ ArcGroup* given_of(unsigned level) const {
        return given + level % 2 * (QUEUE * gridDim.x);
    }
};

// The shared memory of a block beside its two queues: for each warp a list of members of a set and an outbox.
struct Workspace {
    int lists[BLOCK / 32][OUTBOX], outboxes[BLOCK / 32][OUTBOX];
    unsigned changed[BLOCK / 32][MOST_WIDTH];
    unsigned queued[2], position;
    Meeting meeting;

    __device__ __forceinline__ MemberScratch of(unsigned warp) { return {lists[warp], changed[warp]}; }
};

// What does not change in a level.
struct Level {
    Graph graph;
    unsigned number;
    int most_leaf_arcs;  // of a vertex that leads nowhere else than back
    unsigned *distance, *visited;
    const Memory* memory;

    // The list for all blocks in the next level.
    __device__ __forceinline__ NextFrontier next() const { return memory->list_of(graph, number + 1); }
};

// What a warp, or a lane, has found in a level.
struct Found {
    Outbox outbox;
    unsigned arcs;
    bool lists;  // something for all blocks
};

// ---- walk

// The target of an arc that had no distance yet when it was read, and where its arcs are.
struct Ahead {
    int target, first, end;
};

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

// What the threads of a block know of a level before it.
struct State {
    unsigned level = 0;
    unsigned found, unexplored;  // arcs of the level's vertices, and of these and those not found yet
    FrontierSize size;           // of the list for all blocks
    bool listed = false;         // whether there was one in the level before
    unsigned groups = 0, given_groups = 0;
    unsigned given = 0,
             given_next = 0;  // groups given away so far for even or odd levels: those like this, and the others
    Ahead ahead = {NO_VERTEX, 0, 0};
};

// Sets the distance of a target, and keeps or lists it if this was the first time; all lanes take part.
__device__ __forceinline__ void reach(const Level& level, const Ahead& ahead, const ArcQueue& queue, Found& found) {
    const int target = ahead.target, arcs = ahead.end - ahead.first;
    const bool is_first = target != NO_VERTEX && atomicMin(&level.distance[target], level.number + 1) == UNREACHABLE;
    if (is_first) {
        set_bit(level.visited, target);
        found.arcs += max(arcs, 1);
    }
    const bool goes_on = is_first && arcs > level.most_leaf_arcs;
    const bool stays = queue.add(ahead.first, ahead.end, goes_on);
    if (!__any_sync(ALL_LANES, goes_on && !stays)) return;
    found.lists = true;
    found.outbox.push(target, goes_on && !stays, level.graph.offsets, level.next());
}

// Calls visit(slot, own) for the block's own slots and for its share of those given to all blocks, all lanes of a warp
// with the same kind; warps without own slots have those given.
template <typename Visit>
__device__ __forceinline__ void for_each_slot(const State& state, Visit visit) {
    const unsigned own_slots = (state.groups * GROUP + 31) / 32 * 32;
    const unsigned given = (state.given_groups + gridDim.x - 1 - blockIdx.x) / gridDim.x * GROUP;
    for (unsigned slot = threadIdx.x; slot / 32 * 32 < own_slots + given; slot += BLOCK) {
        const bool own = slot < own_slots;
        visit(own ? slot : slot - own_slots, own);
    }
}

__device__ __forceinline__ int arc_in(const Level& level, const State& state, const ArcQueue& queue, unsigned slot,
                                      bool own) {
    const unsigned number = slot / GROUP;
    if (own) return number < state.groups ? queue.arc(slot) : NO_ARC;
    const unsigned place = number * gridDim.x + blockIdx.x;
    if (place >= state.given_groups) return NO_ARC;
    const int2 group = __ldcg(reinterpret_cast<const int2*>(&level.memory->given_of(level.number)[place]));
    const int arc = group.x + int(slot % GROUP);
    return arc < group.y ? arc : NO_ARC;
}

// Follows the block's arcs, of which the first were read ahead.
__device__ __forceinline__ void walk(const Level& level, const State& state, const ArcQueue& own, const ArcQueue& next,
                                     Found& found) {
    const Graph& graph = level.graph;
    Ahead ahead = state.ahead;
    for_each_slot(state, [&](unsigned slot, bool is_own) {
        if (!is_own || slot >= BLOCK) {
            ahead = look_ahead(graph, level.distance, arc_in(level, state, own, slot, is_own));
        }
        reach(level, ahead, next, found);
    });
    if (vertices_of(state.size) != 0) {
        for_each_arc<1>(
            {level.memory->list_of(graph, level.number).list, state.size}, graph.offsets, [](int) {},
            [&](const int (&arc)[1], const int (&)[1]) {
                reach(level, look_ahead(graph, level.distance, arc[0]), next, found);
            });
    }
    if (found.lists) found.outbox.flush(graph.offsets, level.next());
}

// ---- push and pull

template <int ARCS>
__device__ __forceinline__ void push_along(const Level& level, const int (&arc)[ARCS], Outbox& outbox) {
    const Graph& graph = level.graph;
    int target[ARCS];
    bool found[ARCS];
    for (int k = 0; k < ARCS; ++k) target[k] = arc[k] == NO_ARC ? NO_VERTEX : __ldg(&graph.targets[arc[k]]);
    for (int k = 0; k < ARCS; ++k) found[k] = target[k] != NO_VERTEX && !has_bit(level.visited, target[k]);
    for (int k = 0; k < ARCS; ++k) found[k] = found[k] && claim_bit(level.visited, target[k]);
    for (int k = 0; k < ARCS; ++k) {
        if (found[k]) level.distance[target[k]] = level.number + 1;
        outbox.push(target[k], found[k], graph.offsets, level.next());
    }
}

__device__ __forceinline__ void push(const Level& level, const State& state, const ArcQueue& queue, Outbox& outbox) {
    for_each_slot(state, [&](unsigned slot, bool own) {
        const int arc[1] = {arc_in(level, state, queue, slot, own)};
        push_along<1>(level, arc, outbox);
    });
    for_each_arc<PUSHED>(
        {level.memory->list_of(level.graph, level.number).list, state.size}, level.graph.offsets, [](int) {},
        [&](const int (&arc)[PUSHED], const int (&)[PUSHED]) { push_along<PUSHED>(level, arc, outbox); });
    outbox.flush(level.graph.offsets, level.next());
}

// Whether one of the lane's arcs leads to a visited vertex. Each lane tries its first arcs alone; for each lane that is
// then undecided all lanes try together. Numbers of arcs are unsigned: a step may exceed 2^31 - 1.
__device__ __forceinline__ bool meets_visited(const int* targets, const unsigned* visited, unsigned begin,
                                              unsigned end) {
    constexpr unsigned alone = 16;
    bool met = false;
    const unsigned stop = min(end, begin + alone);
    for (unsigned arc = begin; arc < stop && !met; arc += PULLED) {
        int target[PULLED];
        for (int k = 0; k < PULLED; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NO_VERTEX;
        for (int k = 0; k < PULLED; ++k) met |= target[k] != NO_VERTEX && has_bit(visited, target[k]);
    }
    unsigned undecided = __ballot_sync(ALL_LANES, !met && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const unsigned last = __shfl_sync(ALL_LANES, end, lane);
        unsigned arc = __shfl_sync(ALL_LANES, stop, lane);
        bool found = false;
        for (; arc < last && !found; arc += 32) {
            const unsigned own = arc + lane_index();
            found = __any_sync(ALL_LANES, own < last && has_bit(visited, __ldg(&targets[own])));
        }
        if (lane_index() == lane) met = found;
    }
    return met;
}

__device__ __forceinline__ void swap(unsigned*& one, unsigned*& other) {
    unsigned* const before = one;
    one = other;
    other = before;
}

// Returns the arcs of what the thread has found. Marks vertices without arcs as visited too.
__device__ __forceinline__ unsigned pull(const Graph& graph, unsigned level, const unsigned* visited,
                                         unsigned* next_visited, unsigned* distance, MemberScratch scratch) {
    unsigned found = 0;
    for_each_member(
        words_of(graph.vertices), scratch, [&](unsigned word) { return ~visited[word]; },
        [&](int vertex, unsigned* new_bits) {
            const bool valid = vertex >= 0 && vertex < graph.vertices;
            const int begin = valid ? __ldg(&graph.offsets[vertex]) : 0;
            const int end = valid ? __ldg(&graph.offsets[vertex + 1]) : 0;
            const bool met = meets_visited(graph.targets, visited, begin, end);
            const bool isolated = valid && begin == end;
            if (met) distance[vertex] = level + 1;
            if (met || isolated) {
                atomicOr(new_bits, 1u << vertex % 32);
                found += end - begin;
            }
        },
        [&](unsigned word, unsigned unvisited, unsigned changed) { next_visited[word] = ~unvisited | changed; });
    return found;
}

// Lists the vertices that the last level pulled, except leaves.
__device__ __forceinline__ void list_frontier(const Graph& graph, const unsigned* visited, const unsigned* before,
                                              MemberScratch scratch, NextFrontier next, Outbox& outbox) {
    for_each_member(
        words_of(graph.vertices), scratch, [&](unsigned word) { return visited[word] & ~before[word]; },
        [&](int vertex, unsigned*) {
            const bool selected = vertex >= 0 && graph.offsets[vertex] + 1 < graph.offsets[vertex + 1];
            outbox.push(vertex, selected, graph.offsets, next);
        },
        [](unsigned, unsigned, unsigned) {});
    outbox.flush(graph.offsets, next);
}

// ---- between levels

// Gives away what a block has queued beyond its share. Returns how many groups it keeps.
__device__ __forceinline__ unsigned give(const ArcQueue& queue, unsigned queued, unsigned share, ArcGroup* given,
                                         unsigned* count, unsigned count_before, unsigned* position) {
    if (queued <= share) return queued;
    if (threadIdx.x == ANNOUNCER) *position = atomicAdd(count, queued - share) - count_before;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < queued - share; i += BLOCK) given[*position + i] = queue.groups[share + i];
    __syncthreads();
    return share;
}

// Ends a level: all blocks meet, and the state becomes that of the next level. While a walk waits, it reads ahead.
template <bool WALKS>
__device__ __forceinline__ Tally finish(const Graph& graph, const Memory& memory, const ArcQueue& queue,
                                        Workspace& shared, const Found& found, unsigned share, State& state) {
    const unsigned level = state.level;
    Progress* const progress = memory.progress;
    shared.meeting.add(found.arcs, found.lists);
    __syncthreads();
    const unsigned queued = WALKS ? min(*queue.count, unsigned(QUEUE)) : 0;
    unsigned* const given_count = &progress->given[(level + 1) % 2];
    state.groups =
        give(queue, queued, share, memory.given_of(level + 1), given_count, state.given_next, &shared.position);
    unsigned long long* const word = &progress->tally[level % 2];
    if (threadIdx.x == ANNOUNCER) {
        const bool clears = blockIdx.x == 0 && state.listed;
        if (clears) progress->listed[(level + 2) % 3] = 0;
        announce(word, shared.meeting, state.groups < queued, clears || !WALKS);
        shared.queued[level % 2] = 0;
    }
    if (threadIdx.x / 32 * 32 < state.groups * GROUP) {
        state.ahead =
            look_ahead(graph, memory.distance, threadIdx.x < state.groups * GROUP ? queue.arc(threadIdx.x) : NO_ARC);
    }
    const Tally tally = await_all(word, level % 2, shared.meeting, !WALKS);
    state.unexplored -= state.found;
    state.found = tally.arcs();
    state.listed = state.size != 0;
    state.size = 0, state.given_groups = 0;
    state.level = level + 1;
    const unsigned given = state.given_next;
    state.given_next = state.given;
    state.given = given;
    return tally;
}

// Reads what was listed and given to all blocks in the level before.
__device__ __forceinline__ void take(const Graph& graph, const Memory& memory, const Tally& tally, State& state) {
    if (tally.listed()) state.size = __ldcg(memory.list_of(graph, state.level).size);
    if (tally.gave()) {
        const unsigned given = __ldcg(&memory.progress->given[state.level % 2]);
        state.given_groups = given - state.given;
        state.given = given;
    }
}

// ---- the search

// The source alone is reached.
__device__ __forceinline__ void begin(const Graph& graph, int source, const Memory& memory) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        memory.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    for (long long word = thread_index(); word < words_of(graph.vertices); word += thread_count()) {
        memory.visited[word] = word == source / 32 ? 1u << source % 32 : 0;
    }
    if (thread_index() == 0) {
        Progress* const progress = memory.progress;
        memory.lists[0] = make_int2(source, 0);
        progress->listed[0] = progress->listed[1] = progress->listed[2] = 0;
        progress->tally[0] = progress->tally[1] = 0;
        progress->given[0] = progress->given[1] = 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, unsigned alpha,
           int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* lists, int2* given,
           Progress* progress) {
    extern __shared__ __align__(16) ArcGroup dynamic_shared[];
    __shared__ Workspace shared;
    const Graph graph = {vertices, arcs, offsets, targets};
    const Memory memory = {distance, visited, visited_before, lists, reinterpret_cast<ArcGroup*>(given), progress};
    const unsigned warp = threadIdx.x / 32;
    const auto queue_of = [&](unsigned level) {
        return ArcQueue{dynamic_shared + level % 2 * QUEUE, &shared.queued[level % 2]};
    };
    begin(graph, source, memory);
    if (threadIdx.x == ANNOUNCER) shared.queued[0] = shared.queued[1] = 0;
    shared.meeting.begin();
    grid_barrier(&progress->barrier);

    State state;
    const unsigned source_arcs = offsets[source + 1] - offsets[source];
    state.size = frontier_size(1, source_arcs);
    state.found = max(source_arcs, 1), state.unexplored = arcs;
    const unsigned few = LOCAL_ARCS * gridDim.x, slack = vertices / beta;
    const auto is_large = [&] {
        return (unsigned long long)alpha * state.found > (unsigned long long)state.unexplored - state.found + slack;
    };
    bool walked = false, pulled = false;
    while (state.found > 0) {
        const unsigned level = state.level;
        const bool pulls = undirected && is_large(), walks = !pulls && state.found < few;
        Found found = {{shared.outboxes[warp], 0}, 0, false};
        if (walked && !walks) grid_barrier(&progress->barrier);  // for distances and bits
        if (pulled && !pulls) {
            const NextFrontier list = memory.list_of(graph, level);
            list_frontier(graph, visited, visited_before, shared.of(warp), list, found.outbox);
            grid_barrier(&progress->barrier);
            state.size = __ldcg(list.size);
        }
        walked = walks, pulled = pulls;
        if (walks) {
            const unsigned share = max(unsigned(LEAST_SHARE), unsigned(state.found) / gridDim.x);
            Tally tally;
            do {
                walk({graph, state.level, undirected ? 1 : 0, distance, visited, &memory}, state, queue_of(state.level),
                     queue_of(state.level + 1), found);
                tally = finish<true>(graph, memory, queue_of(state.level + 1), shared, found, share, state);
                found.arcs = 0, found.lists = false;
            } while (!tally.has_more() && state.found > 0 && state.found < few && !(undirected && is_large()));
            take(graph, memory, tally, state);
            continue;
        }
        const Level here = {graph, level, undirected ? 1 : 0, distance, visited, &memory};
        if (pulls) {
            found.arcs = pull(graph, level, visited, visited_before, distance, shared.of(warp));
            swap(visited, visited_before);
        } else {
            push(here, state, queue_of(level), found.outbox);
        }
        finish<false>(graph, memory, queue_of(level + 1), shared, found, 0, state);
        if (pulls) continue;
        state.size = __ldcg(memory.list_of(graph, state.level).size);
        state.found = max(arcs_of(state.size), vertices_of(state.size));
    }
    if (thread_index() == 0) progress->levels = state.level;
}
