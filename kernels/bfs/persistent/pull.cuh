// Pulling: every unvisited vertex looks for a visited neighbour, and stops at the first.
//
// A visited neighbour of an unvisited vertex is in the frontier, because the vertex would have been found earlier
// otherwise; so the bits of visited vertices are enough. New bits go into a second copy. Only where arcs have both
// directions.
//
// The neighbour that is visited first is most often one with many arcs, the vertex's hub. Hubs are found while
// preparing and stand side by side, so that the arcs of most vertices are not read. Vertices without arcs, and bits
// beyond the last vertex, count as visited from the beginning, so that pulls pass over them.
#pragma once

#include "level.cuh"

enum : int { SAMPLE = 16 };     // arcs of a vertex among which its hub is looked for
enum : int { HUBS_AHEAD = 2 };  // vertices of a lane whose hubs are looked at together

// Returns a target of one of the lane's arcs for which suits(target) holds, or NO_VERTEX. Each lane tries its first
// arcs alone; for each lane that has found none then all lanes try together. Numbers of arcs are unsigned: a step may
// exceed the largest.
template <typename Suits>
__device__ __forceinline__ int find_target(const int* targets, unsigned_arc_t begin, unsigned_arc_t end, Suits suits) {
    constexpr unsigned alone = 2 * READ_TOGETHER;
    int found = NO_VERTEX;
    const unsigned_arc_t stop = min(end, begin + alone);
    for (unsigned_arc_t arc = begin; arc < stop && found == NO_VERTEX; arc += READ_TOGETHER) {
        int target[READ_TOGETHER];
        for (int k = 0; k < READ_TOGETHER; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NO_VERTEX;
        for (int k = 0; k < READ_TOGETHER; ++k) {
            if (target[k] != NO_VERTEX && suits(target[k])) found = target[k];
        }
    }
    unsigned undecided = __ballot_sync(ALL_LANES, found == NO_VERTEX && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const unsigned_arc_t last = __shfl_sync(ALL_LANES, end, lane);
        unsigned_arc_t arc = __shfl_sync(ALL_LANES, stop, lane);
        unsigned lanes = 0;
        for (; arc < last && lanes == 0; arc += 32) {
            const unsigned_arc_t own = arc + lane_index();
            lanes = __ballot_sync(ALL_LANES, own < last && suits(__ldg(&targets[own])));
        }
        if (lane_index() == lane && lanes != 0) found = __ldg(&targets[arc - 32 + __ffs(lanes) - 1]);
    }
    return found;
}

// Adds up what the threads of a block have found.
__device__ __forceinline__ void add_found(FrontierSize found, FrontierSize* size) {
    __shared__ FrontierSize total;
    if (threadIdx.x == 0) total = 0;
    const FrontierSize inclusive = inclusive_size(found);
    __syncthreads();
    if (lane_index() == 31 && inclusive != 0) atomicAdd(&total, inclusive);
    __syncthreads();
    if (threadIdx.x == 0 && total != 0) atomicAdd(size, total);
}

// Finds the next level, and adds up its size. Hubs are looked at first, for many vertices together; the list then keeps
// those whose arcs have to be read: all of them, or PIECE if `has_rest` can tell of others.
__device__ __forceinline__ void pull(Level level, unsigned* has_rest) {
    const Graph& graph = level.graph;
    const unsigned* const visited = level.visited;
    WarpScratch& scratch = own_scratch();
    unsigned found = 0;
    unsigned_arc_t found_arcs = 0;
    const auto reach = [&](int vertex, int parent, unsigned_arc_t arcs, unsigned width) {
        level.distance[vertex] = level.number + 1;
        if (TREE) level.parents[vertex] = parent;
        atomicOr(&scratch.changed[unsigned(vertex) / 32 % width], 1u << vertex % 32);
        ++found, found_arcs += arcs;
    };
    const auto pull_list = [&](unsigned count, unsigned width) {
        unsigned left = 0;
        if (lane_index() < width) scratch.changed[lane_index()] = 0;  // a __syncwarp follows before any is set
        for (unsigned i = lane_index(); i - lane_index() < count; i += 32 * HUBS_AHEAD) {
            int vertex[HUBS_AHEAD], hub[HUBS_AHEAD];
            unsigned_arc_t arcs[HUBS_AHEAD];
            bool met[HUBS_AHEAD];
#pragma unroll
            for (int k = 0; k < HUBS_AHEAD; ++k) vertex[k] = scratch.members[min(i + 32 * k, count - 1)];
            __syncwarp();
#pragma unroll
            for (int k = 0; k < HUBS_AHEAD; ++k) hub[k] = __ldg(&graph.hubs[vertex[k]]);
#pragma unroll
            for (int k = 0; k < HUBS_AHEAD; ++k)
                arcs[k] = __ldg(&graph.offsets[vertex[k] + 1]) - __ldg(&graph.offsets[vertex[k]]);
#pragma unroll
            for (int k = 0; k < HUBS_AHEAD; ++k) met[k] = hub[k] != NO_VERTEX && has_bit(visited, max(hub[k], 0));
#pragma unroll
            for (int k = 0; k < HUBS_AHEAD; ++k) {
                const bool valid = i + 32 * k < count;
                if (valid && met[k]) reach(vertex[k], TREE ? __ldg(&graph.hubs[vertex[k]]) : 0, arcs[k], width);
                const bool is_left = valid && !met[k] && arcs[k] > 1;
                const unsigned lanes = __ballot_sync(ALL_LANES, is_left);
                if (is_left) scratch.members[left + __popc(lanes & lanes_before())] = vertex[k];
                left += __popc(lanes);
            }
        }
        __syncwarp();
        for (unsigned i = lane_index(); i - lane_index() < left; i += 32) {
            const int vertex = i < left ? scratch.members[i] : NO_VERTEX;
            const unsigned_arc_t begin = i < left ? __ldg(&graph.offsets[vertex]) : 0;
            const unsigned_arc_t end = i < left ? __ldg(&graph.offsets[vertex + 1]) : 0;
            const auto is_visited = [&](int target) { return has_bit(visited, target); };
            const unsigned_arc_t stop = has_rest ? min(end, begin + PIECE) : end;
            const int parent = find_target(graph.targets, begin, stop, is_visited);
            if (parent != NO_VERTEX) {
                reach(vertex, parent, end - begin, width);
            } else if (stop < end) {
                *has_rest = 1;
            }
        }
    };
    for_each_list(
        words_of(graph.vertices), scratch.members, [&](unsigned word) { return ~visited[word]; }, pull_list,
        [&](unsigned word, int place) {
            level.next_visited[word] = visited[word] | (place < 0 ? 0 : scratch.changed[place]);
        });
    add_found(frontier_size(found, found_arcs), level.next.size);
}

// Lists the members of a set that have at least so many arcs.
template <typename Members>
__device__ __forceinline__ void list_members(const Graph& graph, Members members, int least, NextFrontier list) {
    Outbox outbox = empty_outbox();
    for_each_member(words_of(graph.vertices), own_scratch().members, members, [&](int vertex) {
        const bool selected = vertex >= 0 && graph.offsets[vertex] + least <= graph.offsets[vertex + 1];
        outbox.push(vertex, selected, graph.offsets, list);
    });
    outbox.flush(graph.offsets, list);
}

// Pulls what a pull has left, all blocks sharing the arcs: one warp would take longer for a vertex with 100,000 arcs
// than all others for the level. Lists it where the next level would be listed.
__device__ __forceinline__ void pull_rest(Level level, unsigned* has_rest, Progress* progress) {
    const arc_t* const offsets = level.graph.offsets;
    const NextFrontier rest = {level.next.list, &progress->counts.rest};
    list_members(level.graph, [&](unsigned word) { return ~level.next_visited[word]; }, PIECE + 1, rest);
    grid_barrier(&progress->barrier);
    if (thread_index() == 0) *has_rest = 0;
    int own = NO_VERTEX;
    for_each_arc<READ_TOGETHER>(
        {rest.list, __ldcg(rest.size)}, offsets, [&](int vertex) { own = vertex; },
        [&](const arc_t(&arc)[READ_TOGETHER], const int (&owner)[READ_TOGETHER]) {
            int target[READ_TOGETHER];
            for (int k = 0; k < READ_TOGETHER; ++k) {
                target[k] = arc[k] == NO_ARC ? NO_VERTEX : __ldg(&level.graph.targets[arc[k]]);
            }
            for (int k = 0; k < READ_TOGETHER; ++k) {
                const int vertex = __shfl_sync(ALL_LANES, own, owner[k]);
                if (target[k] == NO_VERTEX || !has_bit(level.visited, target[k])) continue;
                const bool is_known = __ldcg(&level.next_visited[unsigned(vertex) / 32]) >> vertex % 32 & 1;
                if (is_known || !claim_bit(level.next_visited, vertex)) continue;
                level.distance[vertex] = level.number + 1;
                if (TREE) level.parents[vertex] = target[k];
                atomicAdd(level.next.size, frontier_size(1, offsets[vertex + 1] - offsets[vertex]));
            }
        });
    grid_barrier(&progress->barrier);
}

// Finds the hub of every vertex: of SAMPLE neighbours the one with the most arcs, and of several the last; or if there
// are no hubs the first neighbour. Finds the vertices without arcs as bits, with all bits beyond the last vertex.
extern "C" __global__ void find_hubs(int vertices, const arc_t* offsets, const int* targets, int has_hubs, int* hubs,
                                     unsigned* isolated) {
    for (long long vertex = thread_index(); vertex / 32 * 32 < vertices; vertex += thread_count()) {
        const arc_t begin = vertex < vertices ? offsets[vertex] : 0;
        const arc_t count = vertex < vertices ? offsets[vertex + 1] - begin : 0, step = max(count / SAMPLE, arc_t(1));
        int target[SAMPLE], hub = count > 0 ? __ldg(&targets[begin]) : NO_VERTEX;
        arc_t most = 0;
        for (int k = 0; k < SAMPLE && has_hubs; ++k) {
            target[k] = k < count ? __ldg(&targets[begin + k * step]) : NO_VERTEX;
        }
        for (int k = 0; k < SAMPLE && has_hubs; ++k) {
            const arc_t own = k < count ? __ldg(&offsets[target[k] + 1]) - __ldg(&offsets[target[k]]) : 0;
            if (own > 0 && own >= most) most = own, hub = target[k];
        }
        if (vertex < vertices) hubs[vertex] = hub;
        const unsigned bits = __ballot_sync(ALL_LANES, count == 0);
        if (lane_index() == 0) isolated[vertex / 32] = bits;
    }
}
