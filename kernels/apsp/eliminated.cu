// All-pairs shortest paths on graphs with small separators, by elimination over min and +.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// The host divides the graph into parts of about a hundred vertices, takes out a set of separators, which cover every
// arc between two parts, and divides the graph of the separators in the same way, until few are left. A vertex is
// inside one part, of some level, and on the boundary of parts of lower levels. The matrix of a part, its front, has
// the vertices inside and then those of the boundary.
//
// Up: a level's fronts are closed (`close`, Floyd-Warshall on tiles): shortest paths that pass no vertices but those
// inside and those of parts below. Their distances within the boundary are arcs of the next level's graph (`lift`).
//
// Down: a path that enters or leaves a part passes its boundary, so distances are products of matrices over min and +.
// With the distances among all separators known, those from the separators to the vertices inside are
//     distance(s, v) = min over b on the boundary of distance(s, b) + front(b, v)        (`extend_columns`),
// those from the vertices inside to all others are
//     distance(u, w) = min over b on the boundary of front(u, b) + distance(b, w)        (`extend_rows`),
// and between two vertices of a part also front(u, v) (`relax_within`). This is done level by level in the `core`, the
// matrix of all separators, and for the lowest level in the answer, which has the order of the graph.
//
// Nearly all of the time is `extend_rows` on the lowest level, which writes the answer. A thread has some columns,
// whose rows of distance(b, ...) stay in its registers for all rows of the part; front(u, b) is the same for all lanes.
// With few vertices on a boundary the speed of memory decides, with many the rate of the instruction.
//
// Launches: `place` the arcs in fronts; for each level `close` and `lift`; for each level the three products' kernels.
//
// Carre 1971, "An algebra for network routing problems" (elimination over min and +); Lipton, Rose and Tarjan 1979,
// "Generalized nested dissection"; Sao, Kannan, Gera and Vuduc 2020, "A supernodal all-pairs shortest path algorithm".

#define WIDTH 32
#include "minplus.cuh"

#ifndef STREAM
#define STREAM 0
#endif
#ifndef RESIDENT
#define RESIDENT 2
#endif
#ifndef ROW_UNROLL
#define ROW_UNROLL 2
#endif
#ifndef VARIANT
#define VARIANT 0
#endif
constexpr int TILE = 64;  // side of a tile in `close`; a thread has 4 x 4 of it
constexpr int BLOCK = 256;
constexpr int ROWS = 64;  // whose operands are in shared memory at a time

// A front in the pool: row i begins at `offset` + i * `pitch`. Its vertices are listed from `member` on.
struct Front {
    long long offset;
    int pitch, inside, boundary, member;

    __device__ __forceinline__ Front(const long long* fronts, int number) {
        const long long* fields = fronts + number * 5ll;
        offset = fields[0], pitch = fields[1], inside = fields[2], boundary = fields[3], member = fields[4];
    }
    __device__ __forceinline__ int size() const { return inside + boundary; }
    __device__ __forceinline__ int tiles() const { return (size() + TILE - 1) / TILE; }
    __device__ __forceinline__ long long at(int row, int column) const {
        return offset + row * (long long)pitch + column;
    }
};

// ---- arcs

// Lowers the entries of the pool where the arcs belong to the arcs' weights.
extern "C" __global__ void place(int arcs, const long long* to, const int* weights, unsigned* pool) {
    for (long long arc = thread_index(); arc < arcs; arc += thread_count()) {
        atomicMin(pool + to[arc], static_cast<unsigned>(weights[arc]));
    }
}

// The same for distances within the boundaries of closed fronts, which are arcs of a level above.
extern "C" __global__ void lift(long long arcs, const long long* from, const long long* to, unsigned* pool) {
    for (long long arc = thread_index(); arc < arcs; arc += thread_count()) {
        const unsigned length = pool[from[arc]];
        if (length < UNREACHABLE) atomicMin(pool + to[arc], length);
    }
}

// ---- fronts

using Tile = unsigned[TILE][TILE + 4];

__device__ __forceinline__ int thread_row() { return threadIdx.x / 16 * 4; }
__device__ __forceinline__ int thread_column() { return threadIdx.x % 16 * 4; }

__device__ __forceinline__ void spread_four(unsigned (&values)[4], const unsigned* from) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
}
__device__ __forceinline__ void store_four(const unsigned (&values)[4], unsigned* to) {
    *reinterpret_cast<uint4*>(to) = make_uint4(values[0], values[1], values[2], values[3]);
}

__device__ __forceinline__ void load_registers(unsigned (&c)[4][4], const unsigned* from, int pitch) {
#pragma unroll
    for (int r = 0; r < 4; ++r) spread_four(c[r], from + (thread_row() + r) * (long long)pitch + thread_column());
}
__device__ __forceinline__ void store_registers(const unsigned (&c)[4][4], unsigned* to, int pitch) {
#pragma unroll
    for (int r = 0; r < 4; ++r) store_four(c[r], to + (thread_row() + r) * (long long)pitch + thread_column());
}

__device__ __forceinline__ void load_rows(Tile& tile, const unsigned* from, int pitch) {
    for (int i = threadIdx.x; i < TILE * TILE / 4; i += BLOCK) {
        const int row = i / (TILE / 4), column = i % (TILE / 4) * 4;
        *reinterpret_cast<uint4*>(&tile[row][column]) =
            *reinterpret_cast<const uint4*>(from + row * (long long)pitch + column);
    }
}
// The transpose, by lanes that have a row each: their stores do not conflict.
__device__ __forceinline__ void load_columns(Tile& tile, const unsigned* from, int pitch) {
    for (int i = threadIdx.x; i < TILE * TILE / 4; i += BLOCK) {
        const int row = i % TILE, column = i / TILE * 4;
        unsigned four[4];
        spread_four(four, from + row * (long long)pitch + column);
#pragma unroll
        for (int j = 0; j < 4; ++j) tile[column + j][row] = four[j];
    }
}

// Lowers tile `c` of a front by the product of tiles `a` and `b`, of which one may be `c` itself.
__device__ __forceinline__ void multiply_tile(unsigned* c, const unsigned* a, const unsigned* b, int pitch) {
    __shared__ Tile columns, rows;
    unsigned own[4][4];
    __syncthreads();
    load_columns(columns, a, pitch);
    load_rows(rows, b, pitch);
    load_registers(own, c, pitch);
    __syncthreads();
#pragma unroll 8
    for (int m = 0; m < TILE; ++m) {
        unsigned column[4], row[4];
        spread_four(column, &columns[m][thread_row()]);
        spread_four(row, &rows[m][thread_column()]);
#pragma unroll
        for (int r = 0; r < 4; ++r) {
#pragma unroll
            for (int w = 0; w < 4; ++w) own[r][w] = shorter(own[r][w], column[r], row[w]);
        }
    }
    store_registers(own, c, pitch);
}

// Floyd-Warshall on the first `size` vertices of a tile, whose distances to themselves become 0.
__device__ __forceinline__ void close_tile(unsigned* tile, int pitch, int size) {
    __shared__ unsigned rows[2][TILE], columns[2][TILE];
    unsigned c[4][4];
    load_registers(c, tile, pitch);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (thread_row() == thread_column()) c[i][i] = 0;
    }
    __syncthreads();
#pragma unroll 1
    for (int first = 0; first < size; first += 4) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (thread_row() == first) store_four(c[i], &rows[i % 2][thread_column()]);
            if (thread_column() == first) {
                const unsigned column[4] = {c[0][i], c[1][i], c[2][i], c[3][i]};
                store_four(column, &columns[i % 2][thread_row()]);
            }
            __syncthreads();
            unsigned to[4], onward[4];
            spread_four(to, &columns[i % 2][thread_row()]);
            spread_four(onward, &rows[i % 2][thread_column()]);
#pragma unroll
            for (int r = 0; r < 4; ++r) {
#pragma unroll
                for (int w = 0; w < 4; ++w) c[r][w] = shorter(c[r][w], to[r], onward[w]);
            }
        }
    }
    store_registers(c, tile, pitch);
}

// Closes `count` fronts from number `first` on, none of which has more than `most` tiles a side. A step takes a tile of
// vertices: it closes their square, multiplies it with their rows and columns, and these with each other.
extern "C" __global__ void __launch_bounds__(BLOCK)
    close(const long long* fronts, int first, int count, int most, unsigned* pool, unsigned* barrier) {
    for (int step = 0; step < most; ++step) {
        for (int i = blockIdx.x; i < count; i += gridDim.x) {
            const Front front(fronts, first + i);
            if (step >= front.tiles()) continue;
            close_tile(pool + front.at(step * TILE, step * TILE), front.pitch, min(TILE, front.size() - step * TILE));
        }
        if (most == 1) return;
        grid_barrier(barrier);
        for (long long i = blockIdx.x; i < count * 2ll * most; i += gridDim.x) {
            const Front front(fronts, first + i / (2 * most));
            const int tile = i % most, own = step * TILE, other = tile * TILE;
            if (step >= front.tiles() || tile >= front.tiles() || tile == step) continue;
            unsigned* pivot = pool + front.at(own, own);
            if (i / most % 2) {
                unsigned* panel = pool + front.at(own, other);
                multiply_tile(panel, pivot, panel, front.pitch);
            } else {
                unsigned* panel = pool + front.at(other, own);
                multiply_tile(panel, panel, pivot, front.pitch);
            }
        }
        grid_barrier(barrier);
        for (long long i = blockIdx.x; i < count * (long long)most * most; i += gridDim.x) {
            const Front front(fronts, first + i / (most * most));
            const int row = i / most % most, column = i % most, tiles = front.tiles();
            if (max(step, max(row, column)) >= tiles || row == step || column == step) continue;
            multiply_tile(pool + front.at(row * TILE, column * TILE), pool + front.at(row * TILE, step * TILE),
                          pool + front.at(step * TILE, column * TILE), front.pitch);
        }
        grid_barrier(barrier);
    }
}

// ---- products

// COLUMNS neighbouring distances of a row.
template <int COLUMNS>
struct Vector {
    unsigned part[COLUMNS];

    __device__ __forceinline__ void fill(unsigned value) {
#pragma unroll
        for (int i = 0; i < COLUMNS; ++i) part[i] = value;
    }
    __device__ __forceinline__ void load(const unsigned* from) {
        if constexpr (COLUMNS == 4) {
            const uint4 four = *reinterpret_cast<const uint4*>(from);
            part[0] = four.x, part[1] = four.y, part[2] = four.z, part[3] = four.w;
        } else if constexpr (COLUMNS == 2) {
            const uint2 two = *reinterpret_cast<const uint2*>(from);
            part[0] = two.x, part[1] = two.y;
        } else {
            part[0] = *from;
        }
    }
    __device__ __forceinline__ void store(unsigned* to) const {
        if constexpr (COLUMNS == 4) {
#if STREAM && !defined(WARPATH_HOST)
            __stcs(reinterpret_cast<uint4*>(to), make_uint4(part[0], part[1], part[2], part[3]));
            return;
#endif
            *reinterpret_cast<uint4*>(to) = make_uint4(part[0], part[1], part[2], part[3]);
        } else if constexpr (COLUMNS == 2) {
            *reinterpret_cast<uint2*>(to) = make_uint2(part[0], part[1]);
        } else {
            *to = part[0];
        }
    }
    // Lowers by the sums of four lengths and the vectors from `onward` on.
    __device__ __forceinline__ void lower(uint4 lengths, const Vector* onward) {
#pragma unroll
        for (int i = 0; i < COLUMNS; ++i) {
            part[i] = shorter(part[i], lengths.x, onward[0].part[i]);
            part[i] = shorter(part[i], lengths.y, onward[1].part[i]);
            part[i] = shorter(part[i], lengths.z, onward[2].part[i]);
            part[i] = shorter(part[i], lengths.w, onward[3].part[i]);
        }
    }
};

// Lengths from ROWS rows to up to 64 vertices of a boundary, and where the rows begin.
struct Operand {
    unsigned lengths[ROWS * 64];
    long long begins[ROWS];
};

// Rows of the answer, or of the core, in a table: row u begins at (u - first_row) * pitch.
struct Table {
    unsigned* entries;
    long long pitch;
    int first_row;

    __device__ __forceinline__ long long begin(int row) const { return (row - first_row) * pitch; }
};

// The rows of a front by way of vertices `from` to `from` + DEPTH - 1 of its boundary, at columns first_column + thread
// * COLUMNS. The distances from the boundary on are rows of `known`.
template <int COLUMNS, int DEPTH>
__device__ __forceinline__ void rows_by_way(const Front& front, int from, int first_column, int columns,
                                            const int* rows, const unsigned* pool, const Table& known, const Table& out,
                                            Operand& operand) {
    const int column = first_column + threadIdx.x * COLUMNS, depth = min(DEPTH, front.boundary - from);
    Vector<COLUMNS> onward[DEPTH];
#pragma unroll
    for (int b = 0; b < DEPTH; ++b) {
        onward[b].fill(UNREACHABLE);
        if (b < depth && column < columns) {
            onward[b].load(known.entries + known.begin(rows[front.member + front.inside + from + b]) + column);
        }
    }
    for (int first = 0; first < front.inside; first += ROWS) {
        const int count = min(ROWS, front.inside - first);
        __syncthreads();
        for (int i = threadIdx.x; i < count * DEPTH; i += BLOCK) {
            const int row = i / DEPTH, b = i % DEPTH;
            operand.lengths[i] = b < depth ? pool[front.at(first + row, front.inside + from + b)] : UNREACHABLE;
        }
        if (threadIdx.x < count) operand.begins[threadIdx.x] = out.begin(rows[front.member + first + threadIdx.x]);
        __syncthreads();
        if (column >= columns) continue;
        const uint4* lengths = reinterpret_cast<const uint4*>(operand.lengths);
#pragma unroll ROW_UNROLL
        for (int row = 0; row < count; ++row) {
            unsigned* entries = out.entries + operand.begins[row] + column;
            Vector<COLUMNS> distance;
            distance.fill(UNREACHABLE);
            if (from > 0) distance.load(entries);
#pragma unroll
            for (int b = 0; b < DEPTH; b += 4) distance.lower(lengths[row * (DEPTH / 4) + b / 4], onward + b);
            distance.store(entries);
        }
    }
}

// The same for `span` columns and the whole boundary.
template <int COLUMNS, int DEPTH>
__device__ __forceinline__ void rows_by_boundary(const Front& front, int first_column, int end_column, const int* rows,
                                                 const unsigned* pool, const Table& known, const Table& out,
                                                 Operand& operand) {
    for (int column = first_column; column < end_column; column += BLOCK * COLUMNS) {
        int from = 0;
        do {
            rows_by_way<COLUMNS, DEPTH>(front, from, column, end_column, rows, pool, known, out, operand);
            from += DEPTH;
        } while (from < front.boundary);
    }
}

constexpr int SPAN = BLOCK * 4;  // columns of a block

// Rows of `out` for the vertices inside `count` fronts, by those of the boundaries in `known`, in all columns. `rows`
// has for each member of a front the number of its row, in `out` or in `known`.
extern "C" __global__ void __launch_bounds__(BLOCK, RESIDENT)
    extend_rows(const long long* fronts, int first, int columns, const int* rows, const unsigned* pool, unsigned* known,
                long long known_pitch, unsigned* out, long long out_pitch, int first_row) {
    __shared__ Operand operand;
    const Front front(fronts, first + blockIdx.y);
    const int column = blockIdx.x * SPAN, end = min(columns, column + SPAN);
    const Table from = {known, known_pitch, 0}, to = {out, out_pitch, first_row};
#define BY(COLUMNS, DEPTH) rows_by_boundary<COLUMNS, DEPTH>(front, column, end, rows, pool, from, to, operand)
    if (front.boundary <= 4) {
        BY(4, 4);
    } else if (front.boundary <= 8) {
        BY(4, 8);
    } else if (front.boundary <= 12) {
        BY(4, 12);
    } else if (front.boundary <= 16) {
        BY(4, 16);
    } else if (front.boundary <= 24) {
        BY(2, 24);
    } else if (front.boundary <= 32) {
        BY(2, 32);
#if VARIANT == 0
    } else if (front.boundary <= 48) {
        BY(1, 48);
    } else {
        BY(1, 64);
    }
#elif VARIANT == 1
    } else if (front.boundary <= 48) {
        BY(2, 48);
    } else {
        BY(1, 64);
    }
#elif VARIANT == 2
    } else if (front.boundary <= 40) {
        BY(2, 40);
    } else if (front.boundary <= 48) {
        BY(2, 48);
    } else {
        BY(1, 64);
    }
#elif VARIANT == 3
    } else {
        BY(4, 16);
    }
#elif VARIANT == 4
    } else {
        BY(2, 32);
    }
#endif
#undef BY
}

// `count` rows of `out` from number first_row on, in the columns inside a front, by way of its boundary, whose columns
// of `core` have the same rows. Each thread has a column.
template <int DEPTH>
__device__ __forceinline__ void columns_by_way(const Front& front, int first_row, int count, const int* columns,
                                               const unsigned* pool, const unsigned* core, long long core_pitch,
                                               unsigned* out, Operand& operand) {
    for (int from = 0; from == 0 || from < front.boundary; from += DEPTH) {
        const int depth = min(DEPTH, front.boundary - from);
        __syncthreads();
        for (int i = threadIdx.x; i < count * DEPTH; i += blockDim.x) {
            const int row = i / DEPTH, b = i % DEPTH;
            const int* column = columns + front.member + front.inside + from + b;
            operand.lengths[i] = b < depth ? core[(first_row + row) * core_pitch + *column] : UNREACHABLE;
        }
        __syncthreads();
        for (int v = threadIdx.x; v < front.inside; v += blockDim.x) {
            const unsigned* entries = pool + front.at(front.inside + from, v);
            Vector<1> onward[DEPTH];
#pragma unroll
            for (int b = 0; b < DEPTH; ++b) {
                onward[b].fill(b < depth ? *entries : UNREACHABLE);
                entries += front.pitch;
            }
            const int column = columns[front.member + v];
            const uint4* lengths = reinterpret_cast<const uint4*>(operand.lengths);
#pragma unroll 2
            for (int row = 0; row < count; ++row) {
                unsigned* entry = out + operand.begins[row] + column;
                Vector<1> distance;
                distance.fill(from > 0 ? *entry : UNREACHABLE);
#pragma unroll
                for (int b = 0; b < DEPTH; b += 4) distance.lower(lengths[row * (DEPTH / 4) + b / 4], onward + b);
                *entry = distance.part[0];
            }
        }
    }
}

// The first `count` rows of the core in the columns inside fronts, written to `out`. Row s is row rows[s] there, or s
// without `rows`. `columns` has the columns of each front's members: in `out` if inside, in the core on the boundary.
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    extend_columns(const long long* fronts, int first, int count, const int* columns, const unsigned* pool,
                   const unsigned* core, long long core_pitch, const int* rows, unsigned* out, long long out_pitch) {
    __shared__ Operand operand;
    const Front front(fronts, first + blockIdx.x);
    const int first_row = blockIdx.y * ROWS, end = min(ROWS, count - first_row);
    if (threadIdx.x < end) {
        const int row = first_row + threadIdx.x;
        operand.begins[threadIdx.x] = (rows ? rows[row] : row) * out_pitch;
    }
#define BY(DEPTH) columns_by_way<DEPTH>(front, first_row, end, columns, pool, core, core_pitch, out, operand)
    if (front.boundary <= 8) {
        BY(8);
    } else if (front.boundary <= 16) {
        BY(16);
    } else if (front.boundary <= 32) {
        BY(32);
    } else {
        BY(64);
    }
#undef BY
}

// Lowers the distances between vertices inside the same front to those that stay inside.
extern "C" __global__ void relax_within(const long long* fronts, int first, const int* rows, const int* columns,
                                        const unsigned* pool, unsigned* out, long long out_pitch, int first_row) {
    const Front front(fronts, first + blockIdx.x);
    const Table table = {out, out_pitch, first_row};
    for (int u = blockIdx.y; u < front.inside; u += gridDim.y) {
        unsigned* row = table.entries + table.begin(rows[front.member + u]);
        for (int v = threadIdx.x; v < front.inside; v += blockDim.x) {
            unsigned* entry = row + columns[front.member + v];
            *entry = min(*entry, pool[front.at(u, v)]);
        }
    }
}

// Writes the core's distances to the rows and columns of `out` that its vertices have, and UNREACHABLE behind the last
// of `all_columns`, where vectors end. A block does a row at a time.
extern "C" __global__ void unfold(int count, int all_columns, const unsigned* core, long long core_pitch,
                                  const int* rows, const int* columns, unsigned* out, long long out_pitch) {
    for (int s = blockIdx.x; s < count; s += gridDim.x) {
        const unsigned* from = core + s * core_pitch;
        unsigned* to = out + (rows ? rows[s] : s) * out_pitch;
        for (int t = threadIdx.x; t < count; t += blockDim.x) to[columns[t]] = from[t];
        for (int t = all_columns + threadIdx.x; t < out_pitch; t += blockDim.x) to[t] = UNREACHABLE;
    }
}
