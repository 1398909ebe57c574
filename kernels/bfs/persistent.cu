// Breadth-first search in one cooperative launch; the host waits once, for the end of the search.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// Levels differ in size, so there are four ways to go on from a frontier. The first three have a barrier of the grid in
// each level:
// - walk: blocks go on from what they have found themselves, and share only what is too much for one (walk.cuh).
// - push: all blocks share the arcs of the frontier evenly (push.cuh).
// - pull: every unvisited vertex looks for a visited neighbour, and stops at the first. A visited neighbour of an
//   unvisited vertex is in the frontier, because the vertex would have been found earlier otherwise; so the bits of
//   visited vertices are enough. New bits go into a second copy. Only where arcs have both directions (pull.cuh).
// - stretch: each block goes on by itself for many levels before the next barrier, and corrects distances that it set
//   too high (stretch.cuh).
//
// Walks if the frontier is small. Otherwise pulls if alpha times its arcs is more than the unexplored arcs plus
// vertices / beta, which also keeps it pulling, and pushes if not. Where a small frontier has been about as large for
// STEADY levels, as on roads, a stretch is tried; stretches go on as long as they are faster than the last walk was.
//
// A vertex is listed at most once, at the end of a level or of a stretch, so a list has room for all vertices.
//
// Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search" (push and pull).

#include "persistent/pull.cuh"
#include "persistent/push.cuh"
#include "persistent/stretch.cuh"
#include "persistent/walk.cuh"

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
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, unsigned alpha,
           int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* lists, int2* given,
           int2* deferred, unsigned* deferred_bits, Progress* progress) {
    const Graph graph = {vertices, arcs, offsets, targets};
    const Memory memory = {distance, visited,       visited_before, lists, reinterpret_cast<ArcGroup*>(given),
                           deferred, deferred_bits, progress};
    begin(graph, source, memory);
    if (threadIdx.x == ANNOUNCER) shared.queued[0] = shared.queued[1] = shared.given[0] = shared.given[1] = 0;
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
    bool walked = false, pulled = false, stretched = false, steady = false, listed = false, swapped = false;
    unsigned until = 0, found_before = 0, rounds = 0, earliest = 0, length = TRIAL;
    while (state.found > 0) {
        const bool pulls = undirected && (pulled || state.found >= few) && is_large();
        const bool walks = !pulls && state.found < few;
        if (walked && !walks) grid_barrier(&progress->barrier);  // for distances and bits
        if (listed && blockIdx.x == 0 && threadIdx.x == ANNOUNCER) {
            progress->listed[(state.level + 2) % 3] = 0;
            __threadfence();
        }
        unsigned* const now_visited = swapped ? visited_before : visited;
        unsigned* const other_visited = swapped ? visited : visited_before;
        if (pulled && !pulls) {
            const NextFrontier list = memory.list_of(graph, state.level);
            list_frontier(graph, now_visited, other_visited, list);
            grid_barrier(&progress->barrier);
            state.size = __ldcg(list.size);
        }
        listed = state.size != 0;  // and has to be cleared in the next level
        if (!walks) {
            until = state.level;
        } else if (state.level >= until) {
            steady = alike(state.found, found_before);
            found_before = state.found;
            until = state.level + STEADY;
        }
        stretched = walks && steady && state.level >= earliest && state.found < STRETCH_ARCS * gridDim.x;
        walked = walks && !stretched, pulled = pulls;
        const Level level = {graph, state.level, undirected != 0, distance, now_visited, memory};
        if (stretched) {
            grid_barrier(&progress->barrier);
            const long long begun = clock64();
            rounds = stretch_out(level, state, state.level + length, rounds);
            if (thread_index() == 0) {
                progress->pays = clock64() - begun < (long long)length * shared.pace + ALLOWANCE;
            }
            if (threadIdx.x == 0) shared.queued[state.level % 2] = 0;
            grid_barrier(&progress->barrier);
            state.level += length;
            until = state.level;
            const bool pays = __ldcg(&progress->pays);
            length = pays ? STRETCH : TRIAL;
            if (!pays) earliest = until + PATIENCE;
        } else if (walks) {
            walk_on(level, few, until, state);
            continue;
        } else if (pulls) {
            finish(memory, pull(graph, state.level, now_visited, other_visited, distance), state);
            swapped = !swapped;
            continue;
        } else {
            push(level, state);
            finish(memory, 0, state);
        }
        state.unexplored -= stretched ? state.found : 0;
        state.size = __ldcg(memory.list_of(graph, state.level).size);
        state.found = max(arcs_of(state.size), vertices_of(state.size));
        state.groups = state.given_groups = 0;
    }
    const unsigned largest = stretched ? deepest(vertices, distance) + 1 : state.level;
    if (lane_index() == 0 && (stretched || thread_index() == 0)) atomicMax(&progress->levels, largest);
}
