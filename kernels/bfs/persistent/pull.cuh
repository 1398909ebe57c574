// Levels in which unvisited vertices look for a visited neighbour.
#pragma once

#include "state.cuh"

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

// Returns the arcs of what the thread has found. Marks vertices without arcs as visited too.
APART unsigned pull(Graph graph, unsigned level, const unsigned* visited, unsigned* next_visited, unsigned* distance) {
    unsigned found = 0;
    for_each_member(
        words_of(graph.vertices), shared.scratch(), [&](unsigned word) { return ~visited[word]; },
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
APART void list_frontier(Graph graph, const unsigned* visited, const unsigned* before, NextFrontier next) {
    Outbox outbox = {shared.outboxes[threadIdx.x / 32], 0};
    for_each_member(
        words_of(graph.vertices), shared.scratch(), [&](unsigned word) { return visited[word] & ~before[word]; },
        [&](int vertex, unsigned*) {
            const bool selected = vertex >= 0 && graph.offsets[vertex] + 1 < graph.offsets[vertex + 1];
            outbox.push(vertex, selected, graph.offsets, next);
        },
        [](unsigned, unsigned, unsigned) {});
    outbox.flush(graph.offsets, next);
}
