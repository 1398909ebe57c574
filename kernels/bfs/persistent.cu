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
#include "hops.cuh"
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
    unsigned dropped, unused;     // a level that has to be pulled
    FrontierSize listed[3];       // sizes of the lists for all blocks
    unsigned long long tally[2];  // words that blocks meet at
    FrontierSize deferred[3];     // of the lists of deferred vertices
    FrontierSize effort;          // of all stretches: vertices reached, and distances lowered again
    unsigned given[2];            // groups of arcs given away so far, in even and in odd levels
};

// Global memory of a search.
struct Memory {
    unsigned *distance, *visited, *visited_before;  // swapped by a pull
    int2* lists;              // room for all vertices, twice: the list of a level and that of the next
    ArcGroup* given;          // room for the queues of all blocks, twice
    int2* deferred;           // room for all vertices, twice
    unsigned* deferred_bits;  // likewise
    Progress* progress;

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
    unsigned queued[2], position, hop_counts[3];
    unsigned dropped;   // the level that has to be pulled, because vertices were not listed
    unsigned given[2];  // groups that blocks gave away for even and for odd levels so far
    Meeting meeting;

    __device__ __forceinline__ MemberScratch of(unsigned warp) { return {lists[warp], changed[warp]}; }
};

extern __shared__ __align__(16) LocalVertex<int> dynamic_shared[];
__shared__ Block shared;

// The queue of a level, behind the lists of a stretch.
__device__ __forceinline__ ArcQueue queue_of(unsigned level) {
    ArcGroup* const queues = reinterpret_cast<ArcGroup*>(dynamic_shared + 2 * LOCAL_VERTICES);
    return {queues + level % 2 * QUEUE, &shared.queued[level % 2]};
}

// What does not change in a level.
struct Level {
    Graph graph;
    unsigned number;
    bool undirected;
    unsigned *distance, *visited;
    const Memory* memory;
    unsigned arcs;              // of its frontier, about
    unsigned long long enough;  // arcs of a frontier that is pulled

    // The list for all blocks in the next level.
    __device__ __forceinline__ NextFrontier next() const { return memory->list_of(graph, number + 1); }
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
    unsigned found, unexplored;             // arcs of the level's vertices, and of these and those not found yet
    FrontierSize size;                      // of the list for all blocks
    unsigned groups = 0, given_groups = 0;  // of arcs: the block's own, and those given to all blocks
    bool is_dropped = false;                // some of the frontier, so the level has to be pulled
    Ahead ahead = {NO_VERTEX, 0, 0};
};

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

// Calls visit(arc) for the block's own queued arcs.
template <typename Visit>
__device__ __forceinline__ void for_each_own(const State& state, const ArcQueue& queue, unsigned begin, Visit visit) {
    const unsigned slots = state.groups * GROUP;
#pragma unroll 1
    for (unsigned slot = begin + threadIdx.x; slot / 32 * 32 < slots; slot += BLOCK) {
        visit(slot < slots ? queue.arc(slot) : NO_ARC);
    }
}

// Calls visit(arc) for the block's share of the arcs that were given away.
template <typename Visit>
__device__ __forceinline__ void for_each_given(const State& state, const Memory& memory, Visit visit) {
    const ArcGroup* const given = memory.given_of(state.level);
    const unsigned slots = (state.given_groups + gridDim.x - 1 - blockIdx.x) / gridDim.x * GROUP;
#pragma unroll 1
    for (unsigned slot = threadIdx.x; slot / 32 * 32 < slots; slot += BLOCK) {
        int2 group = make_int2(0, 0);
        if (slot < slots) group = __ldcg(reinterpret_cast<const int2*>(&given[slot / GROUP * gridDim.x + blockIdx.x]));
        const int arc = group.x + int(slot % GROUP);
        visit(arc < group.y ? arc : NO_ARC);
    }
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
    const auto follow = [&](int arc) {
        const int arcs[1] = {arc};
        push_along<1>(level, arcs, outbox);
    };
    for_each_own(state, queue, 0, follow);
    if (state.given_groups != 0) for_each_given(state, *level.memory, follow);
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

// ---- stretch

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

// Vertices that a warp has found in a stretch, and how often a lane was first and again.
struct Outboxes {
    Outbox deferred, next;
    unsigned first = 0, again = 0;
};

__device__ __forceinline__ void defer(const Stretch& stretch, int vertex, bool selected, Outbox& deferred) {
    const bool is_new = selected && claim_bit(stretch.deferred_bits, vertex);
    deferred.push(vertex, is_new, stretch.graph.offsets, stretch.deferred);
}

// Lists a vertex whose distance falls to `length`; all lanes take part.
__device__ __forceinline__ void list_vertex(const Stretch& stretch, int vertex, bool falls, unsigned length,
                                            const Arcs<int>& arcs, const LocalList<int>& local, Outboxes& outboxes) {
    outboxes.again += falls;
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
    if (before == UNREACHABLE) set_bit(stretch.visited, target), ++outboxes.first;
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
            if (lowered.before == UNREACHABLE) set_bit(stretch.visited, target), ++outboxes.first;
            list_vertex(stretch, target, lowered.falls, length, lowered.arcs, next, outboxes);
        },
        [&](const LocalVertex<int>& item, bool valid) { defer(stretch, item.vertex, valid, outboxes.deferred); });
}

// From the frontier to the end of the stretch, in as many rounds as it takes.
__device__ __forceinline__ void stretch_out(Stretch stretch, State& state, const ArcQueue& queue, unsigned& round,
                                            const Memory& memory, const LocalLists<int>& local, Outboxes& outboxes) {
    const long long vertices = stretch.graph.vertices, words = words_of(stretch.graph.vertices);
    const int* const offsets = stretch.graph.offsets;
    Frontier frontier = {memory.list_of(stretch.graph, state.level).list, state.size};
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
                lower_and_list(stretch, target, state.level + 1, local.of(0), outboxes);
            };
            for_each_own(state, queue, 0, relax);
            if (state.given_groups != 0) for_each_given(state, memory, relax);
        }
        follow(stretch, frontier, memory.deferred_bits + now * words, local.of(0), outboxes);
        if (stretch.is_local) go_on_alone(stretch, local, outboxes);
        outboxes.deferred.flush(offsets, stretch.deferred);
        outboxes.next.flush(offsets, stretch.next);
        const unsigned falls = __reduce_add_sync(ALL_LANES, outboxes.again);
        const unsigned reached = __reduce_add_sync(ALL_LANES, outboxes.first);
        if (lane_index() == 0 && falls != 0) {
            atomicAdd(&memory.progress->effort, frontier_size(reached, falls - reached));
        }
        outboxes.first = outboxes.again = 0;
        frontier.list = stretch.deferred.list;
        ++round;
        grid_barrier(&memory.progress->barrier);
        frontier.size = __ldcg(&memory.progress->deferred[round % 3]);
    }
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

// ---- between levels

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

// Ends a level of another kind, in which this thread has found vertices with so many arcs.
__device__ __forceinline__ void finish(const Memory& memory, unsigned found, State& state) {
    const unsigned level = state.level, parity = level % 2;
    Progress* const progress = memory.progress;
    found = __reduce_add_sync(ALL_LANES, found);
    if (lane_index() == 0 && found != 0) atomicAdd(&shared.meeting.arcs, found);
    __syncthreads();
    if (threadIdx.x == ANNOUNCER) {
        announce(&progress->tally[parity], shared.meeting, false, true);
        shared.queued[parity] = 0;
    }
    synchronize_host_grid();
    if (threadIdx.x == ANNOUNCER) {
        shared.meeting.sum = wait(&progress->tally[parity], parity, shared.meeting).sum;
        __threadfence();
    }
    __syncthreads();
    state.unexplored -= state.found;
    state.found = Tally{shared.meeting.sum}.arcs();
    state.size = 0, state.groups = state.given_groups = 0;
    ++state.level;
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

// ---- the search

// The source alone is reached.
__device__ __forceinline__ void begin(const Graph& graph, int source, const Memory& memory) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        memory.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    for (long long word = thread_index(); word < words_of(graph.vertices); word += thread_count()) {
        memory.visited[word] = word == source / 32 ? 1u << source % 32 : 0;
        memory.deferred_bits[word] = memory.deferred_bits[words_of(graph.vertices) + word] = 0;
    }
    if (thread_index() == 0) {
        Progress* const progress = memory.progress;
        memory.lists[0] = make_int2(source, 0);
        progress->listed[0] = progress->listed[1] = progress->listed[2] = 0;
        progress->tally[0] = progress->tally[1] = 0;
        progress->given[0] = progress->given[1] = 0;
        progress->deferred[0] = progress->deferred[1] = progress->deferred[2] = 0;
        progress->levels = 0;
        progress->effort = 0;
        progress->dropped = 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, unsigned alpha,
           int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* lists, int2* given,
           int2* deferred, unsigned* deferred_bits, Progress* progress) {
    const Graph graph = {vertices, arcs, offsets, targets};
    const Memory memory = {distance, visited,       visited_before, lists, reinterpret_cast<ArcGroup*>(given),
                           deferred, deferred_bits, progress};
    const unsigned warp = threadIdx.x / 32;
    const LocalLists<int> local = {dynamic_shared, shared.hop_counts};
    Outbox outbox = {shared.outboxes[warp], 0};
    begin(graph, source, memory);
    if (threadIdx.x == ANNOUNCER) shared.queued[0] = shared.queued[1] = shared.given[0] = shared.given[1] = 0;
    if (threadIdx.x == ANNOUNCER) shared.dropped = 0;
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
    bool walked = false, pulled = false, stretched = false;
    bool steady = false, listed = false;
    unsigned until = 0, found_before = 0, round = 0, length = TRIAL, earliest = 0;
    FrontierSize effort_before = 0;
    while (state.found > 0) {
        const bool pulls = undirected && (state.is_dropped || ((pulled || state.found >= few) && is_large()));
        const bool walks = !pulls && state.found < few;
        if (walked && !walks) grid_barrier(&progress->barrier);  // for distances and bits
        if (listed && blockIdx.x == 0 && threadIdx.x == ANNOUNCER) {
            progress->listed[(state.level + 2) % 3] = 0;
            __threadfence();
        }
        const unsigned long long enough = ((unsigned long long)state.unexplored - state.found + slack) / alpha;
        Level level = {graph, state.level, undirected != 0, distance, visited, &memory, state.found, enough};
        if (pulled && !pulls) {
            const NextFrontier list = memory.list_of(graph, state.level);
            list_frontier(graph, visited, visited_before, shared.of(warp), list, outbox);
            grid_barrier(&progress->barrier);
            state.size = __ldcg(list.size);
        }
        listed = state.size != 0;  // and has to be cleared in the next level
        walked = walks, pulled = pulls;
        if (!walks) {
            until = state.level;
        } else if (state.level >= until) {
            steady = alike(state.found, found_before);
            found_before = state.found;
            until = state.level + STEADY;
        }
        stretched = walks && steady && state.level >= earliest && state.found < STRETCH_ARCS * gridDim.x;
        if (stretched) {
            const unsigned made = length;
            grid_barrier(&progress->barrier);
            const NextFrontier next = memory.list_of(graph, state.level + length);
            Outboxes outboxes = {{shared.outboxes[warp], 0}, {shared.lists[warp], 0}};
            stretch_out({graph, undirected ? 1 : 0, state.level + length, distance, visited, next}, state,
                        queue_of(state.level), round, memory, local, outboxes);
            const FrontierSize effort = __ldcg(&progress->effort) - effort_before;
            effort_before += effort;
            if (arcs_of(effort) > vertices_of(effort) / 2) {
                earliest = state.level + length + PATIENCE;
                length = TRIAL;
            } else {
                length = STRETCH;
            }
            if (threadIdx.x == 0) shared.queued[state.level % 2] = 0;
            state.unexplored -= state.found;
            state.level += made;
            until = state.level;
            state.size = __ldcg(next.size);
            state.found = max(arcs_of(state.size), vertices_of(state.size));
            state.groups = state.given_groups = 0;
            walked = false;
        } else if (walks) {
            const unsigned mean = state.found / (GROUP * gridDim.x);
            const Shares shares = {max(unsigned(BLOCK / GROUP), 2 * mean), max(unsigned(LEAST_SHARE), mean)};
            const unsigned stop = state.size != 0 ? state.level + 1 : until;
            if (vertices_of(state.size) != 0) walk_list(level, state, queue_of(state.level + 1));
            do {
                level.number = state.level;
                walk(level, state, queue_of(state.level), queue_of(state.level + 1));
            } while (finish_walk(level, shares, few, stop, state));
            take(graph, memory, state);
        } else if (pulls) {
            const unsigned found = pull(graph, state.level, visited, visited_before, distance, shared.of(warp));
            swap(visited, visited_before);
            finish(memory, found, state);
        } else {
            push(level, state, queue_of(state.level), outbox);
            finish(memory, 0, state);
            state.size = __ldcg(memory.list_of(graph, state.level).size);
            state.found = max(arcs_of(state.size), vertices_of(state.size));
        }
        state.is_dropped = state.is_dropped && walks && !stretched;
    }
    const unsigned largest = stretched ? deepest(vertices, distance) + 1 : state.level;
    if (lane_index() == 0 && (stretched || thread_index() == 0)) atomicMax(&progress->levels, largest);
}
