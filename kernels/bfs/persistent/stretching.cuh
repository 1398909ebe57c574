// A search by pushing, pulling, and stretches of many levels that blocks do by themselves.
//
// Levels differ in size, so there are three ways to go on from a frontier:
// - push: all blocks share the arcs of the frontier evenly (frontier.cuh). One barrier of the grid a level.
// - pull: when the frontier has many of the arcs, every unvisited vertex looks for a visited neighbour instead
//   (pull.cuh).
// - stretch: on a road network a level has a few hundred vertices and there are a thousand levels, so waiting for other
//   blocks takes nearly all of the time. Each block then goes on by itself from the vertices that it has reached, for
//   STRETCH levels, before the next barrier. It may reach some by a detour: when a shorter path is found, atomicMin
//   lowers their distances and their arcs are followed again, so that all distances are right in the end (hops.cuh).
//   Vertices at the end of the stretch wait there, and are the next frontier.
//
// Pulls if alpha times the arcs of the frontier is more than the unexplored arcs plus vertices / beta. Stretches if the
// frontier is small and about as large as the one before, as on roads and not in social networks; and after a stretch
// if it is small.
//
// A vertex is at the end of a level or of a stretch once, so all frontiers together fit one array of vertices. Vertices
// that a block cannot go on from are deferred to all blocks: a set for each round of a stretch, in two arrays in turn.
#pragma once

#include "hops.cuh"
#include "push.cuh"

// What blocks tell each other and the host, which relies on the order. Of three sizes one is read, one added to and one
// cleared.
struct Progress {
    unsigned barrier, levels;
    unsigned stretched, unused;  // whether there was a stretch, which tells no parents
    FrontierSize size[3];        // of frontiers
    FrontierSize deferred[3];    // of the lists of deferred vertices
    FrontierSize listed;         // of the list that is made after pulling
};

// Global memory of a search.
struct Memory {
    unsigned *distance, *visited, *visited_before;
    Listed* frontier;
    Listed* deferred;         // room for all vertices, twice
    unsigned* deferred_bits;  // likewise
    Progress* progress;
    int* parents;  // if TREE
};

// Whether so few arcs are better followed by blocks that go on by themselves.
__device__ __forceinline__ bool is_small(FrontierSize size) { return arcs_of(size) < unsigned(LOCAL_ARCS) * gridDim.x; }

// Whether neither of two frontiers has more than twice the other's arcs.
__device__ __forceinline__ bool alike(FrontierSize one, FrontierSize other) {
    return max(arcs_of(one), arcs_of(other)) <= 2ull * min(arcs_of(one), arcs_of(other));
}

// ---- pull

__device__ __forceinline__ unsigned_arc_t warp_sum(unsigned_arc_t value) {
#ifdef WIDE_ARCS
    return __shfl_sync(ALL_LANES, warp_inclusive_sum<unsigned_arc_t>(value), 31);
#else
    return __reduce_add_sync(ALL_LANES, value);
#endif
}

// Adds up what the threads of a block have found.
__device__ __forceinline__ void add_found(FrontierSize found, FrontierSize* size) {
    __shared__ FrontierSize total;
    if (threadIdx.x == 0) total = 0;
    const unsigned vertices = __reduce_add_sync(ALL_LANES, vertices_of(found));
    const unsigned_arc_t arcs = warp_sum(arcs_of(found));
    __syncthreads();
    if (lane_index() == 0 && vertices > 0) atomicAdd(&total, frontier_size(vertices, arcs));
    __syncthreads();
    if (threadIdx.x == 0 && total != 0) atomicAdd(size, total);
}

// ---- stretch

// What does not change in a stretch; and, below, in a round of it.
struct Stretch {
    Graph graph;
    unsigned end;  // the level at which vertices wait
    unsigned *distance, *visited;
    NextFrontier next;
    bool is_local = false;       // blocks go on by themselves
    NextFrontier deferred = {};  // vertices deferred to all blocks in the next round, and their bits
    unsigned* deferred_bits = nullptr;
    const int4* first_targets = nullptr;  // where most vertices have few arcs
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
    const bool within = falls && length < stretch.end;
    const bool stays = within && stretch.is_local && local.add(vertex, length, arcs);
    if (!__any_sync(ALL_LANES, falls && !stays)) return;
    outboxes.next.push(vertex, falls && !within, stretch.graph.offsets, stretch.next);
    defer(stretch, vertex, within && !stays, outboxes.deferred);
}

// Follows the arcs of a list that all blocks share.
__device__ __forceinline__ void follow(const Stretch& stretch, Frontier frontier, unsigned* bits,
                                       const LocalList<int>& local, Outboxes& outboxes) {
    const arc_t* const offsets = stretch.graph.offsets;
    unsigned from = 0;
    for_each_arc<1>(
        frontier, offsets,
        [&](int vertex) {
            clear_bit(bits, vertex);
            from = __ldcg(&stretch.distance[vertex]);
        },
        [&](const arc_t(&arc)[1], const int (&owner)[1]) {
            const int target = arc[0] == NO_ARC ? NO_VERTEX : __ldg(&stretch.graph.targets[arc[0]]);
            const unsigned length = __shfl_sync(ALL_LANES, from, owner[0]) + 1;
            unsigned before = 0;
            Arcs<int> arcs;
            if (target != NO_VERTEX && length < stretch.distance[target]) {
                before = atomicMin(&stretch.distance[target], length);
                arcs = arcs_from<int>(offsets, target);
            }
            if (before == UNREACHABLE) set_bit(stretch.visited, target);
            list_vertex(stretch, target, length < before, length, arcs, local, outboxes);
        });
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

// Returns the arcs of a vertex that is reached in a hop. Where most vertices have few arcs, their targets stand side by
// side: places of arcs, which nobody needs then, are counted from 0.
__device__ __forceinline__ Arcs<int> find_arcs(const Stretch& stretch, int vertex) {
    const auto read = [targets = stretch.graph.targets](arc_t arc) { return targets[arc]; };
    if (stretch.first_targets) {
        const int4 first = load_first(&stretch.first_targets[vertex]);
        if (first.x != MORE) {
            const int count = first.w >= 0 ? 4 : first.z >= 0 ? 3 : first.y >= 0 ? 2 : first.x >= 0;
            return {0, count, {first.x, first.y, first.z, first.w}};
        }
    }
    return known_arcs_from<int>(stretch.graph.offsets, vertex, read);
}

// Hops of this block by itself, from the vertices of its own list.
__device__ __forceinline__ void go_on_alone(const Stretch& stretch, const LocalLists<int>& local, Outboxes& outboxes) {
    const auto read = [targets = stretch.graph.targets](arc_t arc) { return targets[arc]; };
    make_hops(
        local, read,
        [&](const LocalVertex<int>& item, bool valid, int target, const LocalList<int>& next) {
            const unsigned length = item.length + 1;
            const auto lowered = lower(item, valid, target, length, stretch.distance,
                                       [&](int vertex) { return find_arcs(stretch, vertex); });
            if (lowered.before == UNREACHABLE) set_bit(stretch.visited, target);
            list_vertex(stretch, target, lowered.falls, length, lowered.arcs, next, outboxes);
        },
        [&](const LocalVertex<int>& item, bool valid) { defer(stretch, item.vertex, valid, outboxes.deferred); });
}

// From the frontier to the end of the stretch, in as many rounds as it takes.
__device__ __forceinline__ void stretch_out(Stretch stretch, Frontier frontier, unsigned& round, const Memory& memory,
                                            const LocalLists<int>& local, Outboxes& outboxes) {
    const long long vertices = stretch.graph.vertices, words = words_of(stretch.graph.vertices);
    const arc_t* const offsets = stretch.graph.offsets;
    for (; vertices_of(frontier.size) > 0; frontier.size = __ldcg(&memory.progress->deferred[round % 3])) {
        const unsigned now = round % 2, other = 1 - now;
        if (thread_index() == 0) memory.progress->deferred[(round + 2) % 3] = 0;
        stretch.is_local = is_small(frontier.size);
        stretch.deferred = {memory.deferred + other * vertices, &memory.progress->deferred[(round + 1) % 3]};
        stretch.deferred_bits = memory.deferred_bits + other * words;
        clear(local);
        follow(stretch, frontier, memory.deferred_bits + now * words, local.of(0), outboxes);
        if (stretch.is_local) go_on_alone(stretch, local, outboxes);
        outboxes.deferred.flush(offsets, stretch.deferred);
        outboxes.next.flush(offsets, stretch.next);
        frontier.list = stretch.deferred.list;
        ++round;
        grid_barrier(&memory.progress->barrier);
    }
}

// ---- the search

struct Query {
    int source, undirected, alpha, beta;
};

// Whether a frontier has so many of the unexplored arcs that it is better pulled.
__device__ __forceinline__ bool is_large(const Graph& graph, const Query& query, FrontierSize size,
                                         long long unexplored) {
    return (long long)query.alpha * arcs_of(size) > unexplored + graph.vertices / query.beta;
}

// The source alone is reached.
__device__ __forceinline__ void begin(const Graph& graph, int source, const unsigned* isolated, const Memory& memory) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        memory.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
        if (TREE) memory.parents[vertex] = NO_VERTEX;
    }
    const unsigned words = words_of(graph.vertices);
    for (long long word = thread_index(); word < words; word += thread_count()) {
        memory.visited[word] = __ldg(&isolated[word]) | (word == source / 32 ? 1u << source % 32 : 0);
        memory.deferred_bits[word] = memory.deferred_bits[words + word] = 0;
    }
    if (thread_index() == 0) {
        Progress* const progress = memory.progress;
        memory.frontier[0] = listed(source, 0);
        progress->size[0] = frontier_size(1, graph.offsets[source + 1] - graph.offsets[source]);
        progress->size[1] = progress->size[2] = progress->listed = 0;
        progress->deferred[0] = progress->deferred[1] = progress->deferred[2] = 0;
        progress->levels = progress->stretched = 0;
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

// The largest distance of a warp's vertices.
__device__ __forceinline__ unsigned deepest(int vertices, const unsigned* distance) {
    unsigned largest = 0;
    for (long long vertex = thread_index(); vertex < vertices; vertex += thread_count()) {
        const unsigned length = __ldcg(&distance[vertex]);
        if (length != UNREACHABLE) largest = max(largest, length);
    }
    return __reduce_max_sync(ALL_LANES, largest);
}

// The number of levels; after a stretch, whose end may be beyond the last vertex, from the largest distance.
__device__ __forceinline__ void store_levels(const Graph& graph, const Memory& memory, unsigned level, bool stretched) {
    if (stretched) {
        if (thread_index() == 0) memory.progress->stretched = 1;
        const unsigned largest = deepest(graph.vertices, memory.distance);
        if (lane_index() == 0) atomicMax(&memory.progress->levels, largest + 1);
    } else if (thread_index() == 0) {
        memory.progress->levels = level;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, arc_t arcs, const arc_t* offsets, const int* targets, const int* hubs,
           const unsigned* isolated, const int4* first_targets, int source, int undirected, int alpha, int beta,
           unsigned* distance, unsigned* visited, unsigned* visited_before, Listed* frontier, Listed* deferred,
           unsigned* deferred_bits, Progress* progress, int* parents) {
    extern __shared__ __align__(16) LocalVertex<int> dynamic_shared[];
    __shared__ Workspace shared;
    const Graph graph = {vertices, arcs, offsets, targets, hubs};
    const Query query = {source, undirected, alpha, beta};
    const Memory memory = {distance, visited, visited_before, frontier, deferred, deferred_bits, progress, parents};
    const LocalLists<int> local = {dynamic_shared, shared.local_counts};
    const unsigned warp = threadIdx.x / 32;
    Outboxes outboxes = {{shared.outboxes[warp], 0}, {shared.lists[warp], 0}};
    begin(graph, source, isolated, memory);
    grid_barrier(&progress->barrier);

    unsigned level = 0, step = 0, round = 0;
    FrontierSize size_before = 0;
    Listed* current = frontier;
    bool listed = true, stretching = false, stretched = false;
    long long unexplored = graph.arcs;
    for (;; ++step) {
        FrontierSize size = __ldcg(&progress->size[step % 3]);
        if (vertices_of(size) == 0) break;
        FrontierSize* const next_size = &progress->size[(step + 1) % 3];
        if (thread_index() == 0) progress->size[(step + 2) % 3] = 0;
        unexplored -= arcs_of(size);
        const bool pulling = query.undirected && is_large(graph, query, size, unexplored);
        stretching = !pulling && is_small(size) && (stretching || alike(size, size_before));
        size_before = size;
        if (pulling) {
            const FrontierSize found =
                pull(graph, level, visited, visited_before, distance, shared.of(warp), nullptr, parents);
            add_found(found, next_size);
            swap(visited, visited_before);
            if (listed) current += vertices_of(size);
            listed = false;
            ++level;
            grid_barrier(&progress->barrier);
            continue;
        }
        if (!listed) {  // after pulling
            list_frontier(graph, visited, visited_before, 1, shared.of(warp), {current, &progress->listed},
                          outboxes.deferred);
            grid_barrier(&progress->barrier);
            listed = true;
            if (thread_index() == 0) progress->listed = 0;
        }
        const NextFrontier next = {current + vertices_of(size), next_size};
        if (stretching) {
            stretched = true;
            Stretch stretch = {graph, level + STRETCH, distance, visited, next};
            stretch.first_targets = first_targets;
            stretch_out(stretch, {current, size}, round, memory, local, outboxes);
            level = stretch.end;
        } else {
            push_list(graph, level, {current, size}, visited, distance, parents, next, outboxes.deferred);
            ++level;
            grid_barrier(&progress->barrier);
        }
        current = next.list;
    }
    store_levels(graph, memory, level, stretched);
}
