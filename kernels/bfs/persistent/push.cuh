// Levels in which all blocks share the arcs of the frontier evenly.
#pragma once

#include "state.cuh"

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

APART void push(Level level, State state) {
    Outbox outbox = {shared.outboxes[threadIdx.x / 32], 0};
    const auto follow = [&](int arc) {
        const int arcs[1] = {arc};
        push_along<1>(level, arcs, outbox);
    };
    for_each_own(state, queue_of(level.number), 0, follow);
    if (state.given_groups != 0) for_each_given(state, level.memory, level.number, follow);
    for_each_arc<PUSHED>(
        {level.memory.list_of(level.graph, level.number).list, state.size}, level.graph.offsets, [](int) {},
        [&](const int (&arc)[PUSHED], const int (&)[PUSHED]) { push_along<PUSHED>(level, arc, outbox); });
    outbox.flush(level.graph.offsets, level.next());
}
