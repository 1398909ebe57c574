// Pushing: the arcs of a frontier lead to unvisited vertices, which are claimed, told their distance and listed.
#pragma once

#include "level.cuh"

// All blocks share the arcs of the frontier.
__device__ __forceinline__ void push(Level level, Frontier frontier) {
    Outbox outbox = empty_outbox();
    int from = NO_VERTEX;
    for_each_arc<READ_TOGETHER>(
        frontier, level.graph.offsets, [&](int vertex) { from = vertex; },
        [&](const arc_t(&arc)[READ_TOGETHER], const int (&owner)[READ_TOGETHER]) {
            int target[READ_TOGETHER];
            bool found[READ_TOGETHER];
            for (int k = 0; k < READ_TOGETHER; ++k) {
                target[k] = arc[k] == NO_ARC ? NO_VERTEX : __ldg(&level.graph.targets[arc[k]]);
            }
            for (int k = 0; k < READ_TOGETHER; ++k)
                found[k] = target[k] != NO_VERTEX && !has_bit(level.visited, target[k]);
            for (int k = 0; k < READ_TOGETHER; ++k) found[k] = found[k] && claim_bit(level.visited, target[k]);
            for (int k = 0; k < READ_TOGETHER; ++k) {
                const int tail = TREE ? __shfl_sync(ALL_LANES, from, owner[k]) : NO_VERTEX;
                if (found[k]) level.distance[target[k]] = level.number + 1;
                if (TREE && found[k]) level.parents[target[k]] = tail;
                outbox.push(target[k], found[k], level.graph.offsets, level.next);
            }
        });
    outbox.flush(level.graph.offsets, level.next);
}
