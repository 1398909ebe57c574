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
    unsigned *distance, *visited, *visited_before;
    int2* lists;      // room for all vertices, twice: the list of a level and that of the next
    ArcGroup* given;  // room for the queues of all blocks, twice
    Progress* progress;
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
    NextFrontier next;
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
    found.outbox.push(target, goes_on && !stays, level.graph.offsets, level.next);
}

// Groups of arcs to follow in a level: a block's own ones, and those that were given to all blocks.
struct Work {
    ArcQueue own;
    unsigned groups;
    const ArcGroup* given;
    unsigned given_groups;
};

// Calls visit(slot, own) for the block's own slots and for its share of those given to all blocks, all lanes of a warp
// with the same kind; warps without own slots have those given.
template <typename Visit>
__device__ __forceinline__ void for_each_slot(const Work& work, Visit visit) {
    const unsigned own_slots = (work.groups * GROUP + 31) / 32 * 32;
    const unsigned given = (work.given_groups + gridDim.x - 1 - blockIdx.x) / gridDim.x * GROUP;
    for (unsigned slot = threadIdx.x; slot / 32 * 32 < own_slots + given; slot += BLOCK) {
        const bool own = slot < own_slots;
        visit(own ? slot : slot - own_slots, own);
    }
}

__device__ __forceinline__ int arc_in(const Work& work, unsigned slot, bool own) {
    const unsigned number = slot / GROUP;
    if (own) return number < work.groups ? work.own.arc(slot) : NO_ARC;
    const unsigned place = number * gridDim.x + blockIdx.x;
    if (place >= work.given_groups) return NO_ARC;
    const int2 group = __ldcg(reinterpret_cast<const int2*>(&work.given[place]));
    const int arc = group.x + int(slot % GROUP);
    return arc < group.y ? arc : NO_ARC;
}

// Follows the block's arcs, of which the first were read ahead.
__device__ __forceinline__ void walk(const Level& level, Frontier list, const Work& work, Ahead ahead,
                                     const ArcQueue& next, Found& found) {
    const Graph& graph = level.graph;
    for_each_slot(work, [&](unsigned slot, bool own) {
        if (!own || slot >= BLOCK) ahead = look_ahead(graph, level.distance, arc_in(work, slot, own));
        reach(level, ahead, next, found);
    });
    if (vertices_of(list.size) == 0 && !found.lists) return;
    for_each_arc<1>(
        list, graph.offsets, [](int) {},
        [&](const int (&arc)[1], const int (&)[1]) {
            reach(level, look_ahead(graph, level.distance, arc[0]), next, found);
        });
    found.outbox.flush(graph.offsets, level.next);
}

// Gives away what a block has queued beyond its share. Returns how many groups it keeps.
__device__ __forceinline__ unsigned give(const ArcQueue& queue, unsigned queued, unsigned share, ArcGroup* given,
                                         unsigned* count, unsigned count_before, unsigned* position) {
    if (queued <= share) return queued;
    if (threadIdx.x == ANNOUNCER) *position = atomicAdd(count, queued - share) - count_before;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < queued - share; i += BLOCK) given[*position + i] = queue.groups[share + i];
    __syncthreads();
    return share;
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
        outbox.push(target[k], found[k], graph.offsets, level.next);
    }
}

__device__ __forceinline__ void push(const Level& level, Frontier list, const Work& work, Outbox& outbox) {
    for_each_slot(work, [&](unsigned slot, bool own) {
        const int arc[1] = {arc_in(work, slot, own)};
        push_along<1>(level, arc, outbox);
    });
    for_each_arc<PUSHED>(
        list, level.graph.offsets, [](int) {},
        [&](const int (&arc)[PUSHED], const int (&)[PUSHED]) { push_along<PUSHED>(level, arc, outbox); });
    outbox.flush(level.graph.offsets, level.next);
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

// ---- the search

struct Query {
    int source, undirected, alpha, beta;
};

// Whether a frontier has so many of the unexplored arcs that it is better pulled.
__device__ __forceinline__ bool is_large(const Graph& graph, const Query& query, long long arcs, long long unexplored) {
    return query.alpha * arcs > unexplored + graph.vertices / query.beta;
}

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
    search(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, int alpha,
           int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* lists, int2* given,
           Progress* progress) {
    extern __shared__ __align__(16) ArcGroup dynamic_shared[];
    __shared__ Workspace shared;
    const Graph graph = {vertices, arcs, offsets, targets};
    const Query query = {source, undirected, alpha, beta};
    const Memory memory = {distance, visited, visited_before, lists, reinterpret_cast<ArcGroup*>(given), progress};
    const unsigned warp = threadIdx.x / 32;
    const auto list_of = [&](unsigned level) { return lists + level % 2 * (long long)vertices; };
    const auto given_of = [&](unsigned level) { return memory.given + level % 2 * (QUEUE * gridDim.x); };
    const auto queue_of = [&](unsigned level) {
        return ArcQueue{dynamic_shared + level % 2 * QUEUE, &shared.queued[level % 2]};
    };
    begin(graph, source, memory);
    if (threadIdx.x == ANNOUNCER) shared.queued[0] = shared.queued[1] = 0;
    shared.meeting.begin();
    grid_barrier(&progress->barrier);

    const unsigned source_arcs = offsets[source + 1] - offsets[source];
    FrontierSize size = frontier_size(1, source_arcs), size_before = 0;  // of the list for all blocks
    long long found_arcs = max(source_arcs, 1), unexplored = arcs;
    unsigned level = 0, groups = 0, given_groups = 0;
    unsigned given_before = 0, given_next_before = 0;  // what was given away in all levels like this and like the next
    bool walked = false, pulled = false;
    Ahead ahead = {NO_VERTEX, 0, 0};
    for (; found_arcs > 0; ++level) {
        unexplored -= found_arcs;
        const bool pulls = undirected && is_large(graph, query, found_arcs, unexplored);
        const bool walks = !pulls && found_arcs < LOCAL_ARCS * (long long)gridDim.x;
        const unsigned share = max(unsigned(LEAST_SHARE), unsigned(found_arcs) / gridDim.x);
        if (walked && !walks) grid_barrier(&progress->barrier);  // for distances and bits
        Found found = {{shared.outboxes[warp], 0}, 0, false};
        if (pulled && !pulls) {
            const NextFrontier list = {list_of(level), &progress->listed[level % 3]};
            list_frontier(graph, visited, visited_before, shared.of(warp), list, found.outbox);
            grid_barrier(&progress->barrier);
            size = __ldcg(list.size);
        }
        FrontierSize* const next_size = &progress->listed[(level + 1) % 3];
        const Level here = {graph, level, undirected ? 1 : 0, distance, visited, {list_of(level + 1), next_size}};
        const Frontier list = {list_of(level), size};
        const Work work = {queue_of(level), groups, given_of(level), given_groups};
        const ArcQueue queue = queue_of(level + 1);
        if (pulls) {
            found.arcs = pull(graph, level, visited, visited_before, distance, shared.of(warp));
            swap(visited, visited_before);
        } else if (walks) {
            walk(here, list, work, ahead, queue, found);
        } else {
            push(here, list, work, found.outbox);
        }
        shared.meeting.add(found.arcs, found.lists);
        __syncthreads();
        const unsigned queued = min(*queue.count, unsigned(QUEUE));
        unsigned* const given_count = &progress->given[(level + 1) % 2];
        groups = give(queue, queued, share, given_of(level + 1), given_count, given_next_before, &shared.position);
        unsigned long long* const word = &progress->tally[level % 2];
        if (threadIdx.x == ANNOUNCER) {
            const bool clears = blockIdx.x == 0 && size_before != 0;
            if (clears) progress->listed[(level + 2) % 3] = 0;
            announce(word, shared.meeting, groups < queued, clears || !walks);
            shared.queued[level % 2] = 0;
        }
        if (threadIdx.x / 32 * 32 < groups * GROUP) {
            ahead = look_ahead(graph, distance, threadIdx.x < groups * GROUP ? queue.arc(threadIdx.x) : NO_ARC);
        }
        const Tally tally = await_all(word, level % 2, shared.meeting, !walks);
        size_before = size;
        size = tally.listed() || !(walks || pulls) ? __ldcg(next_size) : 0;
        found_arcs = walks || pulls ? tally.arcs() : max(arcs_of(size), vertices_of(size));
        const unsigned given_now = tally.gave() ? __ldcg(given_count) : given_next_before;
        given_groups = given_now - given_next_before;
        given_next_before = given_before;
        given_before = given_now;
        walked = walks, pulled = pulls;
    }
    if (thread_index() == 0) progress->levels = level;
}
