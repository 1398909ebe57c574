// A search by walking, pushing and pulling, for frontiers of hundreds to 100,000 vertices.
//
// Walks (walk.cuh) where the frontier is small. Otherwise pulls if alpha times its arcs is more than the unexplored
// arcs plus vertices / beta, and pushes if not. All have one barrier of the grid a level.
//
// A vertex is listed for all blocks at most once, so a list has room for all vertices.
#pragma once

#include "push.cuh"
#include "walk.cuh"

APART void push(Level level, State state) {
    Outbox outbox = {shared.outboxes[threadIdx.x / 32], 0};
    const auto follow = [&](ArcFrom from) {
        const int arc[1] = {from.arc}, tail[1] = {from.tail};
        push_along<1>(level.graph, level.number, level.visited, level.distance, level.memory.parents, level.next(), arc,
                      tail, outbox);
    };
    for_each_own(state, queue_of(level.number), 0, follow);
    if (state.given_groups != 0) for_each_given(state, level.memory, level.number, follow);
    push_list(level.graph, level.number, {level.memory.list_of(level.graph, level.number).list, state.size},
              level.visited, level.distance, level.memory.parents, level.next(), outbox);
}

// Returns the arcs of what the thread has found.
APART unsigned pull_apart(Graph graph, unsigned level, const unsigned* visited, unsigned* next_visited,
                          unsigned* distance, unsigned* has_rest, int* parents) {
    return arcs_of(pull(graph, level, visited, next_visited, distance, shared.scratch(), has_rest, parents));
}

// Leaves lead nowhere, and are not listed.
APART void list_apart(Graph graph, const unsigned* visited, const unsigned* before, NextFrontier next) {
    Outbox outbox = {shared.outboxes[threadIdx.x / 32], 0};
    list_frontier(graph, visited, before, 2, shared.scratch(), next, outbox);
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

// The source alone is reached.
__device__ __forceinline__ void begin(const Graph& graph, int source, const unsigned* isolated, const Memory& memory) {
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        memory.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
        if (TREE) memory.parents[vertex] = NO_VERTEX;
    }
    for (long long word = thread_index(); word < words_of(graph.vertices); word += thread_count()) {
        memory.visited[word] = __ldg(&isolated[word]) | (word == source / 32 ? 1u << source % 32 : 0);
    }
    if (thread_index() == 0) {
        Progress* const progress = memory.progress;
        memory.lists[0] = make_int2(source, 0);
        progress->listed[0] = progress->listed[1] = progress->listed[2] = 0;
        progress->rest = {};
        progress->tally[0] = progress->tally[1] = 0;
        progress->given[0] = progress->given[1] = 0;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, int arcs, const int* offsets, const int* targets, const int* hubs, const unsigned* isolated,
           int source, int undirected, unsigned alpha, int beta, unsigned* distance, unsigned* visited,
           unsigned* visited_before, int2* lists, int4* given, Progress* progress, int* parents) {
    const Graph graph = {vertices, arcs, offsets, targets, hubs};
    const Memory memory = {distance, visited, visited_before, lists, reinterpret_cast<ArcGroup*>(given),
                           progress, parents};
    begin(graph, source, isolated, memory);
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
    bool walked = false, pulled = false, listed = false, swapped = false;
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
            list_apart(graph, now_visited, other_visited, list);
            grid_barrier(&progress->barrier);
            state.size = __ldcg(list.size);
        }
        listed = state.size != 0;  // and has to be cleared in the next level
        walked = walks, pulled = pulls;
        const Level level = {graph, state.level, undirected != 0, distance, now_visited, memory};
        if (walks) {
            walk_on(level, few, state);
        } else if (pulls) {
            unsigned* const has_rest = &progress->rest.is_there[level.number % 2];
            const unsigned found =
                pull_apart(graph, state.level, now_visited, other_visited, distance, has_rest, parents);
            finish(memory, found, state);
            if (__ldcg(has_rest)) {
                const Outbox outbox = {shared.outboxes[threadIdx.x / 32], 0};
                state.found +=
                    arcs_of(pull_rest(graph, level.number, now_visited, other_visited, distance, outbox,
                                      level.next().list, &progress->rest, has_rest, &progress->barrier, parents));
            }
            swapped = !swapped;
        } else {
            push(level, state);
            finish(memory, 0, state);
            state.size = __ldcg(memory.list_of(graph, state.level).size);
            state.found = max(arcs_of(state.size), vertices_of(state.size));
        }
    }
    if (thread_index() == 0) progress->levels = state.level;
}
