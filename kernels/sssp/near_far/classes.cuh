// The arcs of each vertex by classes of weight, ascending, and in any order within a class. Borders of classes are
// powers of two and one and a half of them, the first class has weight 0 only: so the class of an arc follows from its
// weight, and a search for the first arc that is as heavy as a border finds where a class begins.
//
// A lane divides the arcs of a vertex with few. For others a warp counts the arcs of each class, then it puts each
// where its class has room; where there are many, each warp of a block counts and puts a share.
#pragma once

#include "relaxing.cuh"
#include "weighted.cuh"

struct ClassedGraph {
    int vertices;
    const arc_t* offsets;
    const int2* arcs;  // targets and weights

    __device__ __forceinline__ int2 arc(arc_t number) const { return __ldg(&arcs[number]); }
};

namespace classes {

enum : int { CLASSES = 64 };
enum : int { READ_ALONE = 2 * READ_TOGETHER };  // arcs of a vertex that a lane looks at before its warp helps

// How many bits of `weight` do not matter: all but the first two.
__device__ __forceinline__ unsigned rest_of(unsigned weight) { return weight < 2 ? 0 : 30 - __clz(int(weight)); }

__device__ __forceinline__ unsigned class_of(unsigned weight) {
    return 2 * rest_of(weight) + (weight >> rest_of(weight));
}

// The least weight of the class of `weight`.
__device__ __forceinline__ unsigned border_at(unsigned weight) { return weight >> rest_of(weight) << rest_of(weight); }

// The least border that is no less than `weight`, which is not 0.
__device__ __forceinline__ unsigned border_from(unsigned weight) {
    return border_at(weight - 1) + (1u << rest_of(weight - 1));
}

// Looks through the arcs of the lane's vertex, in their order, for something that is as little as possible: `best` so
// far. improve(arc, length, best) is what an arc offers, or `best`; goes_on(arc, length, best) tells whether arcs after
// it might offer less. The first arcs are looked at by the lane itself, ARCS at a time; where that does not suffice,
// the others are by all lanes of the warp. `length` is the vertex's own.
template <int ARCS, typename Improve, typename GoesOn>
__device__ __forceinline__ unsigned look_through(const ClassedGraph& graph, arc_t next, arc_t end, unsigned length,
                                                 unsigned best, Improve improve, GoesOn goes_on) {
    const int2 none = make_int2(0, int(UNREACHABLE));
    bool is_open = next < end;
    for (int i = 0; i < READ_ALONE && is_open; i += ARCS, next += ARCS) {
        int2 arc[ARCS];
        unsigned least = best;
        for (int k = 0; k < ARCS; ++k) arc[k] = k < end - next ? graph.arc(next + k) : none;
        for (int k = 0; k < ARCS; ++k) least = min(least, improve(arc[k], length, best));
        best = least;
        is_open = ARCS < end - next && goes_on(arc[ARCS - 1], length, best);
    }
    for (unsigned lanes = __ballot_sync(ALL_LANES, is_open); lanes != 0; lanes &= lanes - 1) {
        const int owner = __ffs(lanes) - 1;
        const unsigned_arc_t last = __shfl_sync(ALL_LANES, end, owner);
        const unsigned of_owner = __shfl_sync(ALL_LANES, length, owner);
        unsigned least = __shfl_sync(ALL_LANES, best, owner);
        bool is_over = false;
        for (unsigned_arc_t i = __shfl_sync(ALL_LANES, next, owner) + lane_index(); !is_over; i += 32) {
            const int2 arc = i < last ? graph.arc(arc_t(i)) : none;
            least = __reduce_min_sync(ALL_LANES, improve(arc, of_owner, least));
            is_over = __any_sync(ALL_LANES, i >= last || !goes_on(arc, of_owner, least));
        }
        if (int(lane_index()) == owner) best = least;
    }
    return best;
}

// Divides the few arcs of a lane's vertex, by counting those that come before each.
__device__ __forceinline__ void divide_alone(const Graph& graph, arc_t first, arc_t end, int2* arcs) {
    const arc_t count = end - first;
    unsigned its_class[READ_ALONE];
    for (int k = 0; k < READ_ALONE; ++k) {
        its_class[k] = k < count ? class_of(__ldg(&graph.weights[first + k])) : CLASSES;
    }
    for (int k = 0; k < READ_ALONE; ++k) {
        unsigned place = 0;
        for (int i = 0; i < READ_ALONE; ++i) place += its_class[i] < its_class[k] + (i < k);
        if (k < count) arcs[first + place] = graph.arc(first + k);
    }
}

// Divides the arcs of a vertex among as many warps as there are `counts`, of which this one is number `warp`. `meet` is
// a barrier of these warps.
template <typename Meet>
__device__ __forceinline__ void divide_vertex(const Graph& graph, arc_t first, arc_t end, unsigned (*counts)[CLASSES],
                                              unsigned warp, unsigned warps, int2* arcs, Meet meet) {
    const unsigned_arc_t begin = first + warp * 32 + lane_index(), step = warps * 32, stop = end;
    const unsigned even = 2 * lane_index(), odd = even + 1;  // classes
    int2 arc[READ_ALONE];
    const auto read = [&](unsigned_arc_t next) {
        for (int k = 0; k < READ_ALONE; ++k, next += step) {
            arc[k] = next < stop ? graph.arc(arc_t(next)) : make_int2(NO_VERTEX, 0);
        }
    };
    counts[warp][even] = counts[warp][odd] = 0;
    __syncwarp();
    for (unsigned_arc_t i = begin; i < stop; i += READ_ALONE * step) {
        read(i);
        for (int k = 0; k < READ_ALONE; ++k) {
            if (arc[k].x != NO_VERTEX) atomicAdd(&counts[warp][class_of(arc[k].y)], 1);
        }
    }
    meet();
    if (warp == 0) {
        unsigned all[2] = {};
        for (unsigned i = 0; i < warps; ++i) {
            all[0] += counts[i][even];
            all[1] += counts[i][odd];
        }
        unsigned end_of_odd = warp_inclusive_sum(all[0] + all[1]), end_of_even = end_of_odd - all[1];
        for (unsigned i = warps; i-- > 0;) {
            counts[i][even] = end_of_even -= counts[i][even];
            counts[i][odd] = end_of_odd -= counts[i][odd];
        }
    }
    meet();
    for (unsigned_arc_t i = begin; i < stop; i += READ_ALONE * step) {
        if (stop - first > READ_ALONE * step) read(i);  // or they are known
        for (int k = 0; k < READ_ALONE; ++k) {
            if (arc[k].x != NO_VERTEX) arcs[first + atomicAdd(&counts[warp][class_of(arc[k].y)], 1)] = arc[k];
        }
    }
    meet();
}

}  // namespace classes

// `many` has room for the vertices with more than BLOCK arcs; `state` is a barrier's number and how many there
// are.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    divide(int vertices, const arc_t* offsets, const int* targets, const int* weights, int2* arcs, int* many,
           unsigned* state) {
    using namespace classes;
    __shared__ unsigned counts[BLOCK / 32][CLASSES];
    const Graph graph = {vertices, offsets, targets, weights, 0};
    const unsigned warp = threadIdx.x / 32;
    for (long long begin = thread_index() / 32 * 32; begin < vertices; begin += thread_count()) {
        const long long vertex = begin + lane_index();
        const arc_t first = vertex < vertices ? offsets[vertex] : 0, end = vertex < vertices ? offsets[vertex + 1] : 0;
        const bool is_short = end - first <= READ_ALONE, is_long = end - first > BLOCK;
        if (is_short) divide_alone(graph, first, end, arcs);
        if (is_long) many[atomicAdd(&state[1], 1)] = int(vertex);
        for (unsigned lanes = __ballot_sync(ALL_LANES, !is_short && !is_long); lanes != 0; lanes &= lanes - 1) {
            const int owner = __ffs(lanes) - 1;
            const arc_t from = __shfl_sync(ALL_LANES, first, owner), to = __shfl_sync(ALL_LANES, end, owner);
            divide_vertex(graph, from, to, counts + warp, 0, 1, arcs, [] { __syncwarp(); });
        }
    }
    grid_barrier(state);
    const unsigned number = __ldcg(&state[1]);
    for (unsigned i = blockIdx.x; i < number; i += gridDim.x) {
        const int vertex = __ldcg(&many[i]);
        divide_vertex(graph, offsets[vertex], offsets[vertex + 1], counts, warp, BLOCK / 32, arcs,
                      [] { __syncthreads(); });
    }
}
