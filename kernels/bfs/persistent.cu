// Breadth-first search in one cooperative launch, which asks the host nothing before the search is over.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// What a level costs depends on its size, and so there are three ways to go on from a frontier:
// - push: all blocks share the arcs of the frontier evenly (frontier.cuh). One barrier of the grid a level.
// - pull: when the frontier has many of the arcs, every unvisited vertex looks for a visited neighbour instead, and
//   stops at the first. The neighbours of an unvisited vertex are unvisited or in the frontier, because it would have
//   been found earlier otherwise; so the bits of visited vertices are all that is needed to know the frontier. New bits
//   go into a second copy. Only where arcs have both directions.
// - stretch: on a road a level has a few hundred vertices and there are a thousand levels, so that waiting for other
//   blocks is nearly all of it. Each block then goes on by itself from the vertices that it has reached, for STRETCH
//   levels, before it meets the others. It may reach some by a detour, and lowers their distances when a shorter way
//   is found, by atomicMin; whose distance falls tells its neighbours again, at least the last time, so that all are
//   right in the end (hops.cuh). Vertices at the end of the stretch wait there, and are the next frontier.
//
// Whether to pull: if alpha times the arcs of the frontier is more than the arcs not yet explored plus vertices / beta.
// Whether to stretch: if the frontier is small, and for STEADY levels has been about as large as the one before, as on
// roads and not in networks of people; and after a stretch if it is small.
//
// A vertex is at the end of a level or of a stretch once, so the lists of these have room in one array; those of a
// stretch that some block could not go on from are a set each, in two more.
//
// Directions: Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search".

#include "hops.cuh"

// What blocks tell each other and the host, in this order. Of three sizes one is read, one is added to and one cleared.
struct Search {
    unsigned barrier, levels;
    FrontierSize size[3];  // of frontiers
    FrontierSize left[3];  // of what is left for all blocks within a stretch
    FrontierSize written;  // how much of a frontier that was pulled has been made into a list
};

constexpr int NOBODY = -1;
constexpr int PUSHED = 4;  // arcs that a lane pushes along at a time
constexpr int PULLED = 2;  // ... and that it pulls along

struct Graph {
    int vertices;
    int arcs;
    const int* offsets;
    const int* targets;
};

// Whether so few arcs are better followed by blocks that go on by themselves.
__device__ __forceinline__ bool is_small(FrontierSize size) { return arcs_of(size) < unsigned(LOCAL_ARCS) * gridDim.x; }

// Whether neither of two frontiers has more than twice the other's arcs.
__device__ __forceinline__ bool alike(FrontierSize one, FrontierSize other) {
    return max(arcs_of(one), arcs_of(other)) <= 2ull * min(arcs_of(one), arcs_of(other));
}

// ---- push and pull

__device__ __forceinline__ void push(const Graph& graph, unsigned level, const int2* current, FrontierSize current_size,
                                     unsigned* visited, unsigned* distance, int2* next, FrontierSize* next_size,
                                     Outbox& outbox) {
    for_each_arc<PUSHED>(
        current, current_size, graph.offsets, [](int) {},
        [&](const int (&arc)[PUSHED], const int (&)[PUSHED]) {
            int target[PUSHED];
            bool found[PUSHED];
            for (int k = 0; k < PUSHED; ++k) target[k] = arc[k] == NO_ARC ? NOBODY : __ldg(&graph.targets[arc[k]]);
            for (int k = 0; k < PUSHED; ++k) found[k] = target[k] != NOBODY && !has_bit(visited, target[k]);
            for (int k = 0; k < PUSHED; ++k) {
                found[k] = found[k] && claim_bit(visited, target[k]);
            }
            for (int k = 0; k < PUSHED; ++k) {
                if (found[k]) distance[target[k]] = level + 1;
                outbox.push(target[k], found[k], graph.offsets, next, next_size);
            }
        });
    outbox.flush(graph.offsets, next, next_size);
}

// Whether one of these arcs leads to a visited vertex. Each lane has arcs of its own and tries the first ones alone;
// for what is then undecided all lanes try together. Numbers of arcs are unsigned: a step may go beyond 2^31 - 1.
__device__ __forceinline__ bool meets_visited(const int* targets, const unsigned* visited, unsigned begin,
                                              unsigned end) {
    constexpr unsigned alone = 16;
    bool met = false;
    const unsigned stop = min(end, begin + alone);
    for (unsigned arc = begin; arc < stop && !met; arc += PULLED) {
        int target[PULLED];
        for (int k = 0; k < PULLED; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NOBODY;
        for (int k = 0; k < PULLED; ++k) met |= target[k] != NOBODY && has_bit(visited, target[k]);
    }
    unsigned undecided = __ballot_sync(ALL_LANES, !met && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const unsigned last = __shfl_sync(ALL_LANES, end, lane);
        unsigned arc = __shfl_sync(ALL_LANES, stop, lane);
        bool found = false;
        for (; arc < last && !found; arc += 32) {
            const unsigned mine = arc + lane_index();
            found = __any_sync(ALL_LANES, mine < last && has_bit(visited, __ldg(&targets[mine])));
        }
        if (lane_index() == lane) met = found;
    }
    return met;
}

__device__ __forceinline__ FrontierSize pull(const Graph& graph, unsigned level, const unsigned* visited,
                                             unsigned* next_visited, unsigned* distance, int* list, unsigned* changed) {
    unsigned found = 0, found_arcs = 0;
    for_each_member(
        words_of(graph.vertices), list, changed, [&](unsigned word) { return ~visited[word]; },
        [&](int vertex, unsigned* new_bits) {
            const bool there = vertex >= 0 && vertex < graph.vertices;
            const int begin = there ? __ldg(&graph.offsets[vertex]) : 0;
            const int end = there ? __ldg(&graph.offsets[vertex + 1]) : 0;
            const bool met = meets_visited(graph.targets, visited, begin, end);
            const bool isolated = there && begin == end;
            if (met) distance[vertex] = level + 1;
            if (met || isolated) {
                atomicOr(new_bits, 1u << vertex % 32);
                found += met;
                found_arcs += end - begin;
            }
        },
        [&](unsigned word, unsigned unvisited, unsigned changed) { next_visited[word] = ~unvisited | changed; });
    return frontier_size(found, found_arcs);
}

// Adds what the threads of a block have found.
__device__ __forceinline__ void count_found(FrontierSize found, FrontierSize* size) {
    __shared__ FrontierSize total;
    if (threadIdx.x == 0) total = 0;
    const unsigned vertices = __reduce_add_sync(ALL_LANES, vertices_of(found));
    const unsigned arcs = __reduce_add_sync(ALL_LANES, arcs_of(found));
    __syncthreads();
    if (lane_index() == 0 && vertices > 0) atomicAdd(&total, frontier_size(vertices, arcs));
    __syncthreads();
    if (threadIdx.x == 0 && total != 0) atomicAdd(size, total);
}

// Makes a list of the vertices that have been pulled in the last level.
__device__ __forceinline__ void list_frontier(const Graph& graph, const unsigned* visited, const unsigned* before,
                                              int* list, unsigned* changed, int2* frontier, FrontierSize* size,
                                              Outbox& outbox) {
    for_each_member(
        words_of(graph.vertices), list, changed, [&](unsigned word) { return visited[word] & ~before[word]; },
        [&](int vertex, unsigned*) {
            const bool wanted = vertex >= 0 && graph.offsets[vertex] < graph.offsets[vertex + 1];
            outbox.push(vertex, wanted, graph.offsets, frontier, size);
        },
        [](unsigned, unsigned, unsigned) {});
    outbox.flush(graph.offsets, frontier, size);
}

// ---- stretch

// What does not change in a stretch; and, below, in a round of it.
struct Stretch {
    Graph graph;
    unsigned end;  // the level at which vertices wait
    unsigned *distance, *visited;
    int2* next;  // the next frontier
    FrontierSize* next_size;
    bool is_local = false;  // whether blocks go on by themselves
    int2* left = nullptr;   // for all blocks in the next round, and which are in there
    FrontierSize* left_size = nullptr;
    unsigned* left_bits = nullptr;
};

// What a warp has found in a stretch.
struct Findings {
    Outbox left, next;
};

__device__ __forceinline__ void leave(const Stretch& stretch, int vertex, bool wanted, Outbox& left) {
    const bool is_new = wanted && claim_bit(stretch.left_bits, vertex);
    left.push(vertex, is_new, stretch.graph.offsets, stretch.left, stretch.left_size);
}

// The distance of a vertex falls to `length`; all lanes take part.
__device__ __forceinline__ void take_note(const Stretch& stretch, int vertex, bool falls, unsigned length,
                                          const Ahead<int>& ahead, const Kept<int>& kept, Findings& findings) {
    const bool within = falls && length < stretch.end;
    const bool stays = within && stretch.is_local && kept.add(vertex, length, ahead);
    if (!__any_sync(ALL_LANES, falls && !stays)) return;
    findings.next.push(vertex, falls && !within, stretch.graph.offsets, stretch.next, stretch.next_size);
    leave(stretch, vertex, within && !stays, findings.left);
}

__device__ __forceinline__ auto reading(const Graph& graph) {
    return [targets = graph.targets](int arc) { return targets[arc]; };
}

// Follows the arcs of a list that all blocks share.
__device__ __forceinline__ void follow(const Stretch& stretch, const int2* list, FrontierSize size, unsigned* bits,
                                       const Kept<int>& kept, Findings& findings) {
    const int* const offsets = stretch.graph.offsets;
    unsigned from = 0;
    for_each_arc<1>(
        list, size, offsets,
        [&](int vertex) {
            clear_bit(bits, vertex);
            from = __ldcg(&stretch.distance[vertex]);
        },
        [&](const int (&arc)[1], const int (&who)[1]) {
            const int target = arc[0] == NO_ARC ? NOBODY : __ldg(&stretch.graph.targets[arc[0]]);
            const unsigned length = __shfl_sync(ALL_LANES, from, who[0]) + 1;
            unsigned before = 0;
            Ahead<int> ahead;
            if (target != NOBODY && length < stretch.distance[target]) {
                before = atomicMin(&stretch.distance[target], length);
                ahead = arcs_from<int>(offsets, target);
            }
            if (before == UNREACHABLE) set_bit(stretch.visited, target);
            take_note(stretch, target, length < before, length, ahead, kept, findings);
        });
}

// Levels of this block by itself, from the vertices that it has kept.
__device__ __forceinline__ void go_on_alone(const Stretch& stretch, const KeptLists<int>& kept, Findings& findings) {
    const auto read = reading(stretch.graph);
    go_on(
        kept, read,
        [&](const KeptVertex<int>& item, bool there, int target, const Kept<int>& next) {
            const unsigned length = item.length + 1;
            const auto found = lower(item, there, target, length, stretch.distance, stretch.graph.offsets, read);
            if (found.before == UNREACHABLE) set_bit(stretch.visited, target);
            take_note(stretch, target, found.falls, length, found.ahead, next, findings);
        },
        [&](const KeptVertex<int>& item, bool there) { leave(stretch, item.vertex, there, findings.left); });
}

// The largest distance of a thread's vertices.
__device__ __forceinline__ unsigned deepest(int vertices, const unsigned* distance) {
    unsigned most = 0;
    for (long long vertex = thread_index(); vertex < vertices; vertex += thread_count()) {
        const unsigned length = __ldcg(&distance[vertex]);
        if (length != UNREACHABLE) most = max(most, length);
    }
    return __reduce_max_sync(ALL_LANES, most);
}

// From the frontier to the end of the stretch, in as many rounds as it takes.
__device__ __forceinline__ void stretch_out(Stretch stretch, const int2* list, FrontierSize size, unsigned& round,
                                            Search* search, int2* left, unsigned* left_bits, const KeptLists<int>& kept,
                                            Findings& findings) {
    const long long vertices = stretch.graph.vertices, words = words_of(stretch.graph.vertices);
    const int* const offsets = stretch.graph.offsets;
    for (; vertices_of(size) > 0; size = __ldcg(&search->left[round % 3])) {
        const unsigned now = round % 2, other = 1 - now;
        if (thread_index() == 0) search->left[(round + 2) % 3] = 0;
        stretch.is_local = is_small(size);
        stretch.left = left + other * vertices;
        stretch.left_size = &search->left[(round + 1) % 3];
        stretch.left_bits = left_bits + other * words;
        clear(kept);
        follow(stretch, list, size, left_bits + now * words, kept.of(0), findings);
        if (stretch.is_local) go_on_alone(stretch, kept, findings);
        findings.left.flush(offsets, stretch.left, stretch.left_size);
        findings.next.flush(offsets, stretch.next, stretch.next_size);
        list = stretch.left;
        ++round;
        grid_barrier(&search->barrier);
    }
}

// Before the search: no vertex is reached but the source.
__device__ __forceinline__ void begin(const Graph& graph, int source, unsigned* distance, unsigned* visited,
                                      unsigned* left_bits, int2* frontier, Search* search) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    const unsigned words = words_of(graph.vertices);
    for (long long word = thread_index(); word < words; word += thread_count()) {
        visited[word] = word == source / 32 ? 1u << source % 32 : 0;
        left_bits[word] = left_bits[words + word] = 0;
    }
    if (thread_index() == 0) {
        frontier[0] = make_int2(source, 0);
        search->size[0] = frontier_size(1, graph.offsets[source + 1] - graph.offsets[source]);
        search->size[1] = search->size[2] = search->written = 0;
        search->left[0] = search->left[1] = search->left[2] = 0;
        search->levels = 0;
    }
}

// `left` has room for twice as many as there are vertices, `left_bits` for twice as many bits.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, int alpha,
           int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* frontier, int2* left,
           unsigned* left_bits, Search* search) {
    extern __shared__ __align__(16) KeptVertex<int> dynamic_shared[];
    __shared__ Workspace shared;
    const Graph graph = {vertices, arcs, offsets, targets};
    const KeptLists<int> kept = {dynamic_shared, shared.kept_counts};
    const unsigned warp = threadIdx.x / 32;
    Findings findings = {{shared.outboxes[warp], 0}, {shared.lists[warp], 0}};
    begin(graph, source, distance, visited, left_bits, frontier, search);
    grid_barrier(&search->barrier);

    unsigned level = 0, step = 0, round = 0, steady = 0;
    FrontierSize size_before = 0;
    int2* current = frontier;
    bool listed = true, stretching = false, stretched = false;
    long long unexplored = arcs;
    for (;; ++step) {
        const FrontierSize size = __ldcg(&search->size[step % 3]);
        if (vertices_of(size) == 0) break;
        FrontierSize* const next_size = &search->size[(step + 1) % 3];
        if (thread_index() == 0) search->size[(step + 2) % 3] = 0;
        unexplored -= arcs_of(size);
        const bool pulling = undirected && (long long)alpha * arcs_of(size) > unexplored + vertices / beta;
        if (!stretching) steady = alike(size, size_before) ? steady + 1 : 0;
        stretching = !pulling && is_small(size) && steady >= STEADY;
        size_before = size;
        if (pulling) {
            const FrontierSize found =
                pull(graph, level, visited, visited_before, distance, shared.lists[warp], shared.changed[warp]);
            count_found(found, next_size);
            unsigned* const newest = visited_before;
            visited_before = visited;
            visited = newest;
            if (listed) current += vertices_of(size);
            listed = false;
            ++level;
            grid_barrier(&search->barrier);
            continue;
        }
        if (!listed) {
            list_frontier(graph, visited, visited_before, shared.lists[warp], shared.changed[warp], current,
                          &search->written, findings.left);
            grid_barrier(&search->barrier);
            listed = true;
            if (thread_index() == 0) search->written = 0;
        }
        int2* const next = current + vertices_of(size);
        if (stretching) {
            stretched = true;
            const Stretch stretch = {graph, level + STRETCH, distance, visited, next, next_size};
            stretch_out(stretch, current, size, round, search, left, left_bits, kept, findings);
            level = stretch.end;
        } else {
            push(graph, level, current, size, visited, distance, next, next_size, findings.left);
            ++level;
            grid_barrier(&search->barrier);
        }
        current = next;
    }

    if (stretched) {  // the end of a stretch may be beyond the last vertex
        const unsigned most = deepest(vertices, distance);
        if (lane_index() == 0) atomicMax(&search->levels, most + 1);
    } else if (thread_index() == 0) {
        search->levels = level;
    }
}
