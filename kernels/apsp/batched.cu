// All-pairs shortest paths on sparse graphs: distances to many vertices side by side, so that reading an arc serves
// all.
//
// Returns, for every vertex u and every target t of a list, the cost of a cheapest path from u to t; UNREACHABLE where
// there is none.
//
// A vertex has a row: its distances to a batch of targets. The row is the minimum over its arcs of the row at the other
// end plus the weight, in vectors of 16 bytes. The vertex's owner alone writes it: there are no atomics and no queue,
// and the rows are rows of the answer.
//
// `lower`, for any weights: a block has a batch to itself, and its rows in shared memory if they fit there. It goes
// through all vertices until nothing changes, but lowers only rows that are due: those of vertices with an arc to a
// vertex that changed in the sweep before. Rows are read while their owners may be lowering them: every value read is
// the length of some path, and a vertex that missed a change is due in the next sweep.
//
// `spread_bits`, for unit weights: a bit a target. Row v of the frontier has the targets that are `level` arcs from v;
// the next frontier is what the arcs bring together, less what has been seen. All blocks work on all vertices and 512
// targets a row, a warp a row or for vertices with many arcs a block, level by level, in one cooperative launch. Rows
// that have seen all targets are skipped. Two frontiers alternate, and a row counts only if its stamp is that of the
// level before, so rows need no clearing. (Stamps are bytes: a row of 256 levels before counts too, and adds only
// targets that have been seen.)
//
// Launches: for unit weights one for each batch of targets; else two (`pack`, `lower`) and, unless 16 bits are known to
// be enough (minplus.cuh), `lower` with WIDTH 32, which returns at once if they were.
//
// Then et al. 2014, "The More the Merrier: Efficient Multi-Source Graph Traversal" (many searches at once in bits).

#include "minplus.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

enum : int { ROW = VECTORS * 4 * PACK };  // targets of a batch
enum : int { AT_ONCE = 2 };               // arcs of a lane that are loaded together

extern __shared__ __align__(16) uint4 dynamic_shared[];

// ---- vectors of distances, and of bits

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
__device__ __forceinline__ uint4 operator|(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ __forceinline__ uint4 without(uint4 a, uint4 b) {
    return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
__device__ __forceinline__ bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
__device__ __forceinline__ bool all(uint4 a) { return (a.x & a.y & a.z & a.w) == 0xffffffff; }
__device__ __forceinline__ unsigned part(uint4 vector, int i) {
    return i == 0 ? vector.x : i == 1 ? vector.y : i == 2 ? vector.z : vector.w;
}
// The vector of the lane whose number differs by the bits of `distance`.
__device__ __forceinline__ uint4 from_lane(uint4 value, int distance) {
    return make_uint4(__shfl_xor_sync(ALL_LANES, value.x, distance), __shfl_xor_sync(ALL_LANES, value.y, distance),
                      __shfl_xor_sync(ALL_LANES, value.z, distance), __shfl_xor_sync(ALL_LANES, value.w, distance));
}

// ---- any weights

// An arc in one word where vertices and weights have 16 bits; a weight of FAR or more acts as FAR.
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

// The arcs reversed.
struct InArcs {
    const int *offsets, *sources;
};

// The rows of a block's batch, and for each vertex a mark: whether it is due in even sweeps, then whether in odd ones.
// ROWS_SHARED and DUE_SHARED say which are in shared memory; the others are in `scratch`.
struct Batch {
    int vertices;
    uint4* rows;
    unsigned char* due;

    __device__ __forceinline__ Batch(int vertices, uint4* scratch) : vertices(vertices) {
        const long long row_vectors = vertices * (long long)VECTORS, due_vectors = (2 * vertices + 15) / 16;
        uint4* own = scratch + blockIdx.x * (row_vectors + due_vectors);
        rows = ROWS_SHARED ? dynamic_shared : own;
        due = reinterpret_cast<unsigned char*>(DUE_SHARED && !ROWS_SHARED ? dynamic_shared : rows + row_vectors);
    }

    __device__ __forceinline__ Distance* distances() const { return reinterpret_cast<Distance*>(rows); }
};

// Lowers the row of vertex v if it is `due`, by LANES neighbouring lanes that share its arcs. Returns whether the row
// has changed. All lanes of the warp take part.
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

// Marks the vertices with an arc to v as due; done by `lanes` lanes, of which this is number `lane`.
__device__ __forceinline__ void notify(int v, int lane, int lanes, const InArcs& in_arcs, unsigned char* due) {
    const int end = in_arcs.offsets[v + 1];
    for (int i = in_arcs.offsets[v] + lane; i < end; i += lanes) due[in_arcs.sources[i]] = 1;
}

// Begins with `width` targets from number `first` on, whose distances to themselves are 0.
__device__ __forceinline__ void begin(const Batch& batch, const int* list, int first, int width,
                                      const InArcs& in_arcs) {
    __syncthreads();
    for (long long i = threadIdx.x; i < batch.vertices * (long long)VECTORS; i += blockDim.x) {
        batch.rows[i] = make_uint4(FAR_WORD, FAR_WORD, FAR_WORD, FAR_WORD);
    }
    for (int v = threadIdx.x; v < 2 * batch.vertices; v += blockDim.x) batch.due[v] = 0;
    __syncthreads();
    for (int i = threadIdx.x / 32; i < width; i += blockDim.x / 32) {
        const int target = list ? list[first + i] : first + i;
        if (threadIdx.x % 32 == 0) batch.distances()[target * (long long)ROW + i] = 0;
        notify(target, threadIdx.x % 32, 32, in_arcs, batch.due + batch.vertices);
    }
}

// Sweeps until nothing changes. Returns the number of sweeps.
__device__ __forceinline__ int sweep(const Batch& batch, const Arcs& arcs, const InArcs& in_arcs) {
    const int vertices = batch.vertices, lane = threadIdx.x % LANES;
    int round = 0;
    for (bool changed = true; __syncthreads_or(changed);) {
        ++round;
        changed = false;
        unsigned char *due = batch.due + round % 2 * vertices, *due_next = batch.due + (round + 1) % 2 * vertices;
        for (int first = threadIdx.x / 32 * 32 / LANES; first < vertices; first += blockDim.x / LANES) {
            const int v = first + threadIdx.x % 32 / LANES;
            const bool is_due = v < vertices && due[v];
            if (!__any_sync(ALL_LANES, is_due)) continue;
            if (is_due && lane == 0) due[v] = 0;
            if (lower_row(v, is_due, arcs, batch.rows)) {
                notify(v, lane, LANES, in_arcs, due_next);
                changed = true;
            }
        }
    }
    return round;
}

// Writes a batch into the columns from `first` on of a matrix with `columns` columns. Returns the larger of `largest`
// and the largest distance of this thread that is not FAR.
__device__ __forceinline__ unsigned store(const Batch& batch, int first, int width, int columns, unsigned* distance,
                                          unsigned largest) {
    for (long long i = threadIdx.x; i < batch.vertices * (long long)ROW; i += blockDim.x) {
        const long long v = i / ROW;
        const int column = i % ROW;
        if (column >= width) continue;
        const unsigned length = batch.distances()[i];
        distance[v * columns + first + column] = length == FAR ? UNREACHABLE : length;
        if (length != FAR) largest = max(largest, length);
    }
    return largest;
}

// The targets are vertices 0 to `targets` - 1, or those in `list`. With WIDTH 16 stores the largest distance below FAR;
// with WIDTH 32 returns at once if a computation with WIDTH 16 has been exact: if that distance is below `limit`.
extern "C" __global__ void __launch_bounds__(1024)
    lower(int vertices, int targets, const int* list, const int* offsets, const int* arc_targets, const int* weights,
          const unsigned* packed, const int* in_offsets, const int* in_sources, uint4* scratch, unsigned* distance,
          unsigned* largest, unsigned limit, int* sweeps) {
    if (WIDTH == 32 && largest && *largest < limit) return;
    const Arcs arcs = {offsets, arc_targets, weights, packed};
    const InArcs in_arcs = {in_offsets, in_sources};
    const Batch batch(vertices, scratch);
    unsigned own_largest = 0;
    for (int first = blockIdx.x * ROW; first < targets; first += gridDim.x * ROW) {
        const int width = min(ROW, targets - first);
        begin(batch, list, first, width, in_arcs);
        const int rounds = sweep(batch, arcs, in_arcs);
        if (threadIdx.x == 0) atomicMax(sweeps, rounds);
        own_largest = store(batch, first, width, targets, distance, own_largest);
    }
    if (WIDTH == 32) return;
    own_largest = __reduce_max_sync(ALL_LANES, own_largest);
    if (lane_index() == 0) atomicMax(largest, own_largest);
}

// ---- unit weights

// Targets of a row are BITS: four vectors, one for each lane of a group.
enum : int { GROUPS = 8 };  // of a warp, which follow an arc each
enum : int { ARCS = 4 };    // of a group that are loaded together

// Sets of `BITS` targets, each with a row of bits for every vertex.
struct BitRows {
    long long rows;         // of all sets
    uint4* frontiers;       // two, of even and of odd levels
    uint4* seen;            // targets that a vertex is at most `level` arcs from
    unsigned char* stamps;  // for each row of each frontier, the level that it is of

    __device__ __forceinline__ long long index(int level, long long row) const { return level % 2 * rows + row; }
    __device__ __forceinline__ uint4* frontier(int level) const { return frontiers + level % 2 * rows * 4; }
    __device__ __forceinline__ unsigned char* stamp(int level) const { return stamps + level % 2 * rows; }
};

__device__ __forceinline__ void clear(const BitRows& bits, int* grown) {
    for (long long i = thread_index(); i < bits.rows; i += thread_count()) {
        bits.stamps[i] = 1;              // no even level
        bits.stamps[bits.rows + i] = 0;  // no odd level
    }
    for (long long i = thread_index(); i < bits.rows * 4; i += thread_count()) {
        bits.seen[i] = make_uint4(0, 0, 0, 0);
        bits.frontiers[i] = make_uint4(0, 0, 0, 0);
    }
    if (thread_index() < 3) grown[thread_index()] = 0;
}

// The targets from number `first` on are in the frontier of level 0.
__device__ __forceinline__ void begin(const BitRows& bits, int vertices, const int* list, int first, int targets,
                                      int columns, unsigned* distance) {
    for (long long i = thread_index(); i < targets; i += thread_count()) {
        const int target = list ? list[first + i] : first + i;
        const long long row = i / BITS * vertices + target, word = row * (BITS / 32) + i % BITS / 32;
        atomicOr(reinterpret_cast<unsigned*>(bits.frontiers) + word, 1u << i % 32);
        atomicOr(reinterpret_cast<unsigned*>(bits.seen) + word, 1u << i % 32);
        bits.stamps[row] = 0;
        distance[target * (long long)columns + first + i] = 0;
    }
}

// Unites the vectors of the same number that the groups of a warp have.
__device__ __forceinline__ void unite(uint4& vector) {
    for (int lanes = 4; lanes < 32; lanes *= 2) vector = vector | from_lane(vector, lanes);
}

__device__ __forceinline__ uint4 united(uint4 vector) {
    unite(vector);
    return vector;
}

// Writes `level` where a target is in `bits`, of which lane i of the first four has vector i, in a row of the matrix.
__device__ __forceinline__ void write_level(uint4 bits, unsigned level, unsigned* row) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int word = 0; word < BITS / 32; ++word) {
        const unsigned targets = __shfl_sync(ALL_LANES, part(bits, word % 4), word / 4);
        if (targets >> lane & 1) row[word * 32 + lane] = level;
    }
}

// Bits of one row, a level at a time: what its arcs bring from the frontier of the level before.
struct Spread {
    const BitRows& bits;
    const int *offsets, *targets;
    int level;

    // Follows groups of arcs of vertex v, in the set of rows that begins at `set`: the first and every `stride`-th.
    __device__ __forceinline__ uint4 gather(int v, long long set, unsigned first, unsigned stride, uint4 known) const {
        const int lane = threadIdx.x % 32;
        const uint4* from = bits.frontier(level + 1);
        const unsigned char *stamps = bits.stamp(level + 1), previous = level - 1;
        const unsigned end = offsets[v + 1];  // unsigned: a step may exceed 2^31 - 1
        uint4 fresh = make_uint4(0, 0, 0, 0);
        int steps = 0;
        for (unsigned arc = offsets[v] + first * ARCS * GROUPS; arc < end; arc += stride * ARCS * GROUPS) {
#pragma unroll
            for (int i = 0; i < ARCS; ++i) {
                const unsigned own = arc + i * GROUPS + lane / 4;
                if (own >= end) continue;
                const long long next = set + targets[own];
                if (stamps[next] == previous) fresh = fresh | from[next * 4 + lane % 4];
            }
            if (++steps % 8 == 0) {  // a long row may be complete before its end
                uint4 whole = fresh;
                unite(whole);
                whole = whole | known;
                if (__all_sync(ALL_LANES, all(whole))) break;
            }
        }
        return fresh;
    }

    // Adds what the groups of a warp have found to a row, and writes the level there. Returns whether it is anything.
    __device__ __forceinline__ bool settle(long long row, uint4 fresh, uint4 known, unsigned* distances) const {
        const int lane = threadIdx.x % 32;
        fresh = without(fresh, known);
        if (!__any_sync(ALL_LANES, any(fresh))) return false;
        fresh = united(fresh);
        if (lane < 4) {
            bits.frontiers[bits.index(level, row) * 4 + lane] = fresh;
            bits.seen[row * 4 + lane] = known | fresh;
        }
        if (lane == 0) bits.stamps[bits.index(level, row)] = level;
        write_level(fresh, level, distances);
        return true;
    }
};

// The targets are numbers first to first + targets - 1 of the `columns` that the matrix has. The arcs of `hubs`, which
// are the vertices with more than `most_arcs` arcs, are shared by the warps of a block. `barrier` is 0 before the first
// launch; `grown` are three flags in turn: whether a level has found a target.
extern "C" __global__ void __launch_bounds__(SPREADERS)
    spread_bits(int vertices, int columns, int first, int targets, const int* list, const int* offsets,
                const int* arc_targets, int most_arcs, int hub_count, const int* hubs, uint4* frontiers, uint4* seen,
                unsigned char* stamps, unsigned* distance, unsigned* barrier, int* grown, int* levels) {
    __shared__ uint4 found[SPREADERS / 32][4];
    const int row_sets = (targets + BITS - 1) / BITS, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const BitRows bits = {row_sets * (long long)vertices, frontiers, seen, stamps};
    clear(bits, grown);
    grid_barrier(barrier);
    begin(bits, vertices, list, first, targets, columns, distance);
    grid_barrier(barrier);

    int level = 0;
    for (bool growing = true; growing;) {
        ++level;
        const Spread spread = {bits, offsets, arc_targets, level};
        bool has_grown = false;
        for (long long i = blockIdx.x; i < hub_count * (long long)row_sets; i += gridDim.x) {
            const int v = hubs[i % hub_count];
            const long long set = i / hub_count * vertices, row = set + v;
            const uint4 known = seen[row * 4 + lane % 4];
            if (__all_sync(ALL_LANES, all(known))) continue;
            const uint4 fresh = united(spread.gather(v, set, warp, SPREADERS / 32, known));
            if (lane < 4) found[warp][lane] = fresh;
            __syncthreads();
            unsigned* distances = distance + v * (long long)columns + first + set / vertices * BITS;
            if (warp == 0) has_grown |= spread.settle(row, found[lane / 4][lane % 4], known, distances);
            __syncthreads();
        }
        for (long long row = thread_index() / 32; row < bits.rows; row += thread_count() / 32) {
            const int v = row % vertices;
            if (offsets[v + 1] - offsets[v] > most_arcs) continue;
            const uint4 known = seen[row * 4 + lane % 4];
            if (__all_sync(ALL_LANES, all(known))) continue;
            const uint4 fresh = spread.gather(v, row - v, 0, 1, known);
            unsigned* distances = distance + v * (long long)columns + first + row / vertices * BITS;
            has_grown |= spread.settle(row, fresh, known, distances);
        }
        if (has_grown && lane == 0) grown[level % 3] = 1;
        if (thread_index() == 0) grown[(level + 1) % 3] = 0;
        grid_barrier(barrier);
        growing = *static_cast<volatile int*>(grown + level % 3);
    }
    if (thread_index() == 0) *levels = max(*levels, level);
}
