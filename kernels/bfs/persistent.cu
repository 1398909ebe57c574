// Breadth-first search in one cooperative launch; the host waits once, for the end of the search.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// Levels differ in size, so there are three ways to go on from a frontier:
// - push: all blocks share the arcs of the frontier evenly (push.cuh). One barrier of the grid a level.
// - pull: when the frontier has many of the arcs, every unvisited vertex looks for a visited neighbour instead
//   (pull.cuh).
// - where the frontier is small, blocks go on by themselves, and meet after many levels (stretching.cuh) or after each
//   (walking.cuh): preparing takes what suits the kind of graph.
//
// Pulls if alpha times the arcs of the frontier is more than the unexplored arcs plus vertices / beta, but begins only
// where they have more than doubled: elsewhere many levels are to come. Stretches if the frontier is small and as large
// as the one before, as on roads, not in social networks, and goes on while it stays calm. Walks if it is small.
//
// A vertex is at the end of a level, of a stretch or of a walk once, so all frontiers together fit one array of
// vertices.
//
// Small graphs are kept in shared memory, and blocks tell each other all that is visited (exchanging.cuh).
//
// Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search" (push and pull).

#if WAY == 2
#include "persistent/exchanging.cuh"
#else

#include "persistent/pull.cuh"
#include "persistent/push.cuh"
#include "persistent/tree.cuh"
#if WAY == 1
#include "persistent/walking.cuh"
#else
#include "persistent/stretching.cuh"
#endif

enum : bool { WALKS = WAY == 1 };

// Whether neither of two frontiers has more than twice the other's arcs.
__device__ __forceinline__ bool alike(FrontierSize one, FrontierSize other) {
    return max(arcs_of(one), arcs_of(other)) <= 2ull * min(arcs_of(one), arcs_of(other));
}

// The source alone is reached.
__device__ __forceinline__ void begin(const Level& level, int source, const unsigned* isolated, Listed* list,
                                      const Memory& memory, unsigned stretch) {
    const Graph& graph = level.graph;
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        level.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
        if (TREE) level.parents[vertex] = NO_VERTEX;
    }
    for (long long word = thread_index(); word < words_of(graph.vertices); word += thread_count()) {
        const unsigned reached = word == source / 32 ? 1u << source % 32 : 0;
        level.visited[word] = isolated ? __ldg(&isolated[word]) | reached : reached;
    }
    if (thread_index() == 0) {
        Progress* const progress = memory.progress;
        list[0] = listed(source, 0);
        progress->counts = {};
        progress->counts.size[0] = frontier_size(1, graph.offsets[source + 1] - graph.offsets[source]);
        progress->levels = 0;
    }
    begin_alone(graph, memory, stretch);
}

// The number of levels; after a stretch, whose end may be beyond the last vertex, from the largest distance.
__device__ __forceinline__ void store_levels(const Level& level, Progress* progress, bool stretched) {
    unsigned levels = stretched ? 0 : level.number;
    const long long vertices = stretched ? level.graph.vertices : 0;
    for (long long vertex = thread_index(); vertex < vertices; vertex += thread_count()) {
        const unsigned length = __ldcg(&level.distance[vertex]);
        if (length != UNREACHABLE) levels = max(levels, length + 1);
    }
    levels = __reduce_max_sync(ALL_LANES, levels);
    if (stretched ? lane_index() == 0 : thread_index() == 0) atomicMax(&progress->levels, levels);
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, arc_t arcs, const arc_t* offsets, const int* targets, const int* hubs,
           const unsigned* isolated, int source, int undirected, unsigned alpha, int beta, unsigned* distance,
           unsigned* visited, unsigned* next_visited, Listed* list, Progress* progress, int* parents,
           const int4* first_targets, Listed* deferred, unsigned* deferred_bits, ArcGroup* given, unsigned stretch) {
    const Memory memory = {progress, first_targets, deferred, deferred_bits, given};
    Level level = {{vertices, offsets, targets, hubs}, 0, undirected != 0, distance, visited, next_visited, parents};
    begin(level, source, isolated, list, memory, stretch);
    grid_barrier(&progress->barrier);

    FrontierSize before = 0;  // the size of the frontier before
    bool pulls = false, alone = false, stretched = false;
    unsigned_arc_t unexplored = arcs;
    for (unsigned step = 0;; ++step) {
        FrontierSize size = __ldcg(&progress->counts.size[step % 3]);
        if (vertices_of(size) == 0) break;
        if (thread_index() == 0) progress->counts.size[(step + 2) % 3] = 0;
        unexplored -= arcs_of(size);
        const bool pulled = pulls, small = is_small(arcs_of(size));
        const bool grows = arcs_of(size) / 2 > (alone ? small_arcs() : arcs_of(before));
        pulls = undirected && (pulled || grows) &&
                (unsigned long long)alpha * arcs_of(size) > (unsigned long long)unexplored + vertices / beta;
        alone = !pulls && small && (alone ? is_calm(size) : WALKS || alike(size, before));
        before = size;
        if (pulled && !pulls) {
            const auto pulled_last = [&](unsigned word) { return level.visited[word] & ~level.next_visited[word]; };
            list_members(level.graph, pulled_last, 2, {list, &progress->counts.listed});  // leaves lead nowhere
            grid_barrier(&progress->barrier);
            size = __ldcg(&progress->counts.listed);
        }
        const Frontier frontier = {list, size};
        if (!pulled || !pulls) list += vertices_of(size);
        level.next = {list, &progress->counts.size[(step + 1) % 3]};
        if (pulls) {
            unsigned* const has_rest = WALKS ? &progress->counts.has_rest[step % 2] : nullptr;
            if (thread_index() == 0) progress->counts.listed = progress->counts.rest = 0;
            pull(level, has_rest);
            grid_barrier(&progress->barrier);
            if (has_rest && __ldcg(has_rest)) pull_rest(level, has_rest, progress);
            unsigned* const pulled_from = level.visited;
            level.visited = level.next_visited, level.next_visited = pulled_from;
            ++level.number;
        } else if (alone) {
            const Passed passed = go_on_alone(level, frontier, memory, is_small(unexplored));
            level.number += passed.levels, unexplored -= passed.arcs;
            stretched = !WALKS;
        } else {
            push(level, frontier);
            grid_barrier(&progress->barrier);
            ++level.number;
        }
    }
    store_levels(level, progress, stretched);
    if (TREE && stretched) find_parents(level, first_targets != nullptr, source);
}

#endif
