// All-pairs shortest paths on sparse graphs: many vertices' distances side by side, so that reading an arc serves all.
//
// Returns, for every vertex u and every vertex t of a list, the cost of a cheapest path from u to t; UNREACHABLE if
// none.
//
// A vertex has a row: its distances to a batch of targets. Its row is the minimum over its arcs of the row at the other
// end plus the weight: whole vectors at a time, read along the arcs as the graph stores them, written by the vertex's
// owner alone: no atomics, no queue, and the rows land in the matrix the right way round.
//
// `lower`, for any weights: a block has a batch to itself and keeps the rows in shared memory if they fit there. It
// goes through all vertices until nothing changes, but looks only at those that are due: where a vertex at the end of
// an arc has changed in the sweep before. Rows are read while their owners may be lowering them: every value read is
// the length of some path, and who has missed a change is due in the next sweep.
//
// `spread_bits`, for unit weights: a bit a target. Row v of the frontier has the targets that are `level` arcs from v;
// the next frontier is what the arcs bring together, less what has been seen. All blocks work on all vertices and 512
// targets a row, a warp a row, level by level, in one cooperative launch. Frontiers alternate between two places, and a
// row counts only if its stamp says that it is of the level before; stale rows need no clearing (those of 256 levels
// before, which the stamp confuses, bring nothing that has not been seen).
//
// Launches: for unit weights one for each batch of targets, else two (`pack`, `lower`) and, unless 16 bits are known to
// be enough (minplus.cuh), `lower` with WIDTH 32, which leaves at once if they were.
//
// Then et al. 2014, "The more the merrier" (many searches at once in bits).

#include "minplus.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

constexpr int ROW = VECTORS * 4 * PACK;  // targets of a batch
constexpr int AT_ONCE = 2;               // arcs that a lane has under way

extern __shared__ __align__(16) uint4 dynamic_shared[];

// An arc in one word where vertices and weights have 16 bits; a weight of FAR or more is as good as FAR.
extern "C" __global__ void pack(int arcs, const int* targets, const int* weights, unsigned* packed) {
    for (long long arc = thread_index(); arc < arcs; arc += thread_count()) {
        packed[arc] =
            static_cast<unsigned>(targets[arc]) << 16 | min(static_cast<unsigned>(weights[arc]), FAR & 0xffff);
    }
}

struct Arc {
    int target;
    unsigned weight;
};

struct Arcs {
    const int *offsets, *targets, *weights;
    const unsigned* packed;

    __device__ __forceinline__ Arc operator[](int arc) const {
#if WIDTH == 16 && PACKED
        const unsigned word = packed[arc];
        return {static_cast<int>(word >> 16), word & 0xffff};
#else
        return {targets[arc], min(static_cast<unsigned>(weights[arc]), FAR)};
#endif
    }
};

__device__ __forceinline__ uint4 shorter(uint4 known, uint4 onward, unsigned weight) {
    return make_uint4(shorter(known.x, onward.x, weight), shorter(known.y, onward.y, weight),
                      shorter(known.z, onward.z, weight), shorter(known.w, onward.w, weight));
}
__device__ __forceinline__ uint4 minimum(uint4 a, uint4 b) {
    return make_uint4(minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z), minimum(a.w, b.w));
}
__device__ __forceinline__ bool operator!=(uint4 a, uint4 b) {
    return (a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w);
}
__device__ __forceinline__ uint4 from_lane(uint4 value, int distance) {
    return make_uint4(__shfl_xor_sync(ALL_LANES, value.x, distance), __shfl_xor_sync(ALL_LANES, value.y, distance),
                      __shfl_xor_sync(ALL_LANES, value.z, distance), __shfl_xor_sync(ALL_LANES, value.w, distance));
}

// Lowers the row of vertex `v`, if it is `due`, by LANES neighbouring lanes that share its arcs; whether it has
// changed. All lanes of the warp take part.
__device__ __forceinline__ bool lower_row(int v, bool due, const Arcs& arcs, uint4* rows) {
    const int lane = threadIdx.x % LANES, end = due ? arcs.offsets[v + 1] : 0;
    uint4 best[VECTORS];
#pragma unroll
    for (int i = 0; i < VECTORS; ++i) best[i] = make_uint4(FAR_WORD, FAR_WORD, FAR_WORD, FAR_WORD);
    for (int first = due ? arcs.offsets[v] + lane : 0; first < end; first += AT_ONCE * LANES) {
        Arc arc[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            if (first + i * LANES < end) arc[i] = arcs[first + i * LANES];
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            if (first + i * LANES >= end) break;
            const unsigned weight = spread(arc[i].weight);
#pragma unroll
            for (int j = 0; j < VECTORS; ++j) {
                best[j] = shorter(best[j], rows[arc[i].target * (long long)VECTORS + j], weight);
            }
        }
    }
    bool changed = false;
#pragma unroll
    for (int j = 0; j < VECTORS; ++j) {
#pragma unroll
        for (int lanes = 1; lanes < LANES; lanes *= 2) best[j] = minimum(best[j], from_lane(best[j], lanes));
        uint4* row = rows + v * (long long)VECTORS + j;
        const uint4 before = due ? *row : best[j], after = minimum(before, best[j]);
        __syncwarp();
        if (after != before) {
            if (lane == 0) *row = after;
            changed = true;
        }
    }
    return changed;
}

// Everyone who has an arc to `v` is due in the sweep that `due` is for; by `lanes` lanes of which this one is `lane`.
__device__ __forceinline__ void notify(int v, int lane, int lanes, const int* in_offsets, const int* in_sources,
                                       unsigned char* due) {
    const int end = in_offsets[v + 1];
    for (int i = in_offsets[v] + lane; i < end; i += lanes) due[in_sources[i]] = 1;
}

// Lists of fewer than all targets have their vertices in `list`. `scratch` has the rows of each block and who is due,
// unless they are in shared memory. `largest` is where the largest distance below FAR goes (WIDTH 16), or where it is:
// then, if it is below `limit`, there is nothing left to do.
extern "C" __global__ void __launch_bounds__(1024)
    lower(int vertices, int targets, const int* list, const int* offsets, const int* arc_targets, const int* weights,
          const unsigned* packed, const int* in_offsets, const int* in_sources, uint4* scratch, unsigned* distance,
          unsigned* largest, unsigned limit, int* sweeps) {
    if (WIDTH == 32 && largest && *largest < limit) return;
    const Arcs arcs = {offsets, arc_targets, weights, packed};
    const long long row_vectors = vertices * (long long)VECTORS;
    // Where they are: ROWS_SHARED and DUE_SHARED say what fits in shared memory.
    const long long due_vectors = (2 * vertices + 15) / 16;
    uint4* own = scratch + blockIdx.x * (row_vectors + due_vectors);
    uint4* rows = ROWS_SHARED ? dynamic_shared : own;
    // One mark a vertex for even sweeps, then one for odd ones.
    unsigned char* due =
        reinterpret_cast<unsigned char*>(DUE_SHARED && !ROWS_SHARED ? dynamic_shared : rows + row_vectors);
    Distance* distances = reinterpret_cast<Distance*>(rows);
    const int lane = threadIdx.x % LANES;
    unsigned most = 0;
    for (int first = blockIdx.x * ROW; first < targets; first += gridDim.x * ROW) {
        const int width = min(ROW, targets - first);
        __syncthreads();
        for (long long i = threadIdx.x; i < row_vectors; i += blockDim.x) {
            rows[i] = make_uint4(FAR_WORD, FAR_WORD, FAR_WORD, FAR_WORD);
        }
        for (int v = threadIdx.x; v < 2 * vertices; v += blockDim.x) due[v] = 0;
        __syncthreads();
        for (int i = threadIdx.x / 32; i < width; i += blockDim.x / 32) {
            const int target = list ? list[first + i] : first + i;
            if (threadIdx.x % 32 == 0) distances[target * (long long)ROW + i] = 0;
            notify(target, threadIdx.x % 32, 32, in_offsets, in_sources, due + vertices);
        }
        int round = 0;
        for (bool changed = true; __syncthreads_or(changed);) {
            ++round;
            changed = false;
            unsigned char *due_now = due + round % 2 * vertices, *due_next = due + (round + 1) % 2 * vertices;
            for (int warp_first = threadIdx.x / 32 * 32 / LANES; warp_first < vertices;
                 warp_first += blockDim.x / LANES) {
                const int v = warp_first + threadIdx.x % 32 / LANES;
                const bool is_due = v < vertices && due_now[v];
                if (!__any_sync(ALL_LANES, is_due)) continue;
                if (is_due && lane == 0) due_now[v] = 0;
                if (lower_row(v, is_due, arcs, rows)) {
                    notify(v, lane, LANES, in_offsets, in_sources, due_next);
                    changed = true;
                }
            }
        }
        if (threadIdx.x == 0) atomicMax(sweeps, round);
        for (long long i = threadIdx.x; i < vertices * (long long)ROW; i += blockDim.x) {
            const long long v = i / ROW;
            const int column = i % ROW;
            if (column >= width) continue;
            const unsigned found = distances[i];
            distance[v * targets + first + column] = found == FAR ? UNREACHABLE : found;
            if (found != FAR) most = max(most, found);
        }
    }
    if (WIDTH == 32) return;
    most = __reduce_max_sync(ALL_LANES, most);
    if (lane_index() == 0) atomicMax(largest, most);
}

constexpr int BITS = 512;  // targets of a row of bits: four vectors
constexpr int GROUPS = 8;  // of four lanes: a warp follows as many arcs at once

__device__ __forceinline__ uint4 operator|(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ __forceinline__ uint4 without(uint4 a, uint4 b) {
    return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
__device__ __forceinline__ bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }

__device__ __forceinline__ unsigned part(uint4 vector, int i) {
    return i == 0 ? vector.x : i == 1 ? vector.y : i == 2 ? vector.z : vector.w;
}

// Writes `level` where lane i of the first four has a bit, in a row of the matrix that begins at `row`.
__device__ __forceinline__ void write_level(uint4 bits, unsigned level, unsigned* row) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int word = 0; word < BITS / 32; ++word) {
        const unsigned found = __shfl_sync(ALL_LANES, part(bits, word % 4), word / 4);
        if (found >> lane & 1) row[word * 32 + lane] = level;
    }
}

// A block of targets [first, first + targets) of the `columns` of the matrix, at most BITS * the number of rows that a
// vertex has here. Frontiers: two of `rows` rows of bits; `stamps` likewise. `barrier` is zero before the first launch.
extern "C" __global__ void __launch_bounds__(256)
    spread_bits(int vertices, int columns, int first, int targets, const int* list, const int* offsets,
                const int* arc_targets, uint4* frontiers, uint4* seen, unsigned char* stamps, unsigned* distance,
                unsigned* barrier, int* found, int* levels) {
    const int row_sets = (targets + BITS - 1) / BITS, lane = threadIdx.x % 32;
    const long long rows = row_sets * (long long)vertices;
    for (long long i = thread_index(); i < rows; i += thread_count()) {
        stamps[i] = 1;         // of even levels: none has this number
        stamps[rows + i] = 0;  // of odd levels
    }
    for (long long i = thread_index(); i < rows * 4; i += thread_count()) {
        seen[i] = make_uint4(0, 0, 0, 0);
        frontiers[i] = make_uint4(0, 0, 0, 0);
    }
    if (thread_index() < 3) found[thread_index()] = 0;
    grid_barrier(barrier);
    for (long long i = thread_index(); i < targets; i += thread_count()) {
        const int target = list ? list[first + i] : first + i;
        const long long row = i / BITS * vertices + target, word = row * (BITS / 32) + i % BITS / 32;
        atomicOr(reinterpret_cast<unsigned*>(frontiers) + word, 1u << i % 32);
        atomicOr(reinterpret_cast<unsigned*>(seen) + word, 1u << i % 32);
        stamps[row] = 0;
        distance[target * (long long)columns + first + i] = 0;
    }
    grid_barrier(barrier);

    int level = 0;
    for (bool growing = true; growing;) {
        ++level;
        const uint4* from = frontiers + (level + 1) % 2 * rows * 4;
        const unsigned char* from_stamps = stamps + (level + 1) % 2 * rows;
        const unsigned char previous = level - 1;
        bool grown = false;
        for (long long row = thread_index() / 32; row < rows; row += thread_count() / 32) {
            const int v = row % vertices;
            const long long set = row - v;
            const unsigned end = offsets[v + 1];  // unsigned: a step may go beyond 2^31 - 1
            const uint4 known = seen[row * 4 + lane % 4];
            uint4 fresh = make_uint4(0, 0, 0, 0);
            int unchecked = 0;
            for (unsigned arc = offsets[v]; arc < end; arc += 4 * GROUPS) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const unsigned mine = arc + i * GROUPS + lane / 4;
                    if (mine >= end) continue;
                    const long long next = set + arc_targets[mine];
                    if (from_stamps[next] == previous) fresh = fresh | from[next * 4 + lane % 4];
                }
                // A long row may be complete before its end.
                if (++unchecked % 8 == 0) {
                    uint4 all = fresh;
                    for (int lanes = 4; lanes < 32; lanes *= 2) all = all | from_lane(all, lanes);
                    all = all | known;
                    if (__all_sync(ALL_LANES, (all.x & all.y & all.z & all.w) == 0xffffffff)) break;
                }
            }
            fresh = without(fresh, known);
            if (!__any_sync(ALL_LANES, any(fresh))) continue;
            for (int lanes = 4; lanes < 32; lanes *= 2) fresh = fresh | from_lane(fresh, lanes);
            if (lane < 4) {
                frontiers[(level % 2 * rows + row) * 4 + lane] = fresh;
                seen[row * 4 + lane] = known | fresh;
            }
            if (lane == 0) stamps[level % 2 * rows + row] = level;
            write_level(fresh, level, distance + v * (long long)columns + first + row / vertices * BITS);
            grown = true;
        }
        if (grown && lane == 0) found[level % 3] = 1;
        if (thread_index() == 0) found[(level + 1) % 3] = 0;
        grid_barrier(barrier);
        growing = *static_cast<volatile int*>(found + level % 3);
    }
    if (thread_index() == 0) *levels = max(*levels, level);
}
