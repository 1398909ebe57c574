// All-pairs shortest paths on graphs with small separators, by elimination over min and +.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// Preparing divides the graph into parts of about a hundred vertices: clusters, at first of a vertex each, join in
// pairs that have many arcs between them for their sizes (`match`). It takes out a set of separators, which cover every
// arc between two parts (`cover`), and divides the graph of the separators in the same way, until few are left. A
// vertex is inside one part, of some level, and on the boundary of parts of lower levels. The matrix of a part, its
// front, has the vertices inside and then those of the boundary.
//
// Up: a level's fronts are closed (`close_each`, `close_together`, Floyd-Warshall on tiles): shortest paths that pass
// no vertices but those inside and those of parts below. Their distances within the boundary are arcs of the next
// level's graph (`lift`).
//
// Down: a path that leaves or enters a part passes its boundary, so distances are products of matrices over min and +.
// With the distances among the separators of the levels above known, those from a vertex u inside, and to it, are
//     distance(u, w) = min over b on the boundary of front(u, b) + distance(b, w),
//     distance(w, u) = min over b on the boundary of distance(w, b) + front(b, u).
// `extend_rows` computes both, the second as rows of the transpose, which `turn` transposes. Between two vertices of a
// part, front(u, v) counts too (`relax_within`). This goes level by level in the `core`, the matrix of all separators;
// on the lowest level the rows are those of the answer, in the order of the graph.
//
// Nearly all of the time is the last `extend_rows`, which writes the answer. A thread has some columns, whose
// distance(b, w) stay in its registers for all rows of the part; front(u, b) is the same for all lanes. With few
// vertices on a boundary the speed of memory decides, with many the rate of the instruction.
//
// Launches of a solve: `place` the arcs in fronts; for each level `close_each` or `close_together`, and `lift`; then
// for each level `extend_rows` and `turn`, `extend_rows` and `relax_within`, and on a directed graph `turn` again. The
// highest level needs no first two.
//
// Lipton, Rose and Tarjan 1979, "Generalized nested dissection"; Djidjev et al. 2014, "Efficient multi-GPU computation
// of all-pairs shortest paths" (parts and their boundaries); Sao et al. 2020, "A supernodal all-pairs shortest path
// algorithm".

#define WIDTH 32
#include "minplus.cuh"

// ---- parts

using Rank = unsigned long long;

// An arc between two clusters is tail * clusters + head.
struct Ends {
    int tail, head;

    __device__ __forceinline__ Ends(long long arc, int clusters) : tail(arc / clusters), head(arc % clusters) {}
};

// How gladly two clusters join, the same for both: by the arcs between them for each pair of their vertices; a hash
// decides between equals. It is for the first of equal arcs, which are sorted; 0 for the others, and for large
// clusters.
__device__ __forceinline__ Rank preference(const long long* arc, const long long* begin, const long long* end,
                                           int clusters, const int* sizes, int most) {
    const Ends ends(*arc, clusters);
    const int size = sizes[ends.tail], other = sizes[ends.head];
    if (ends.tail == ends.head || size + other > most || (arc > begin && arc[-1] == *arc)) return 0;
    int count = 1;
    while (arc + count < end && arc[count] == *arc) ++count;
    const float density = count / (static_cast<float>(size) * other);
    unsigned mixed = min(ends.tail, ends.head) * 2654435761u ^ max(ends.tail, ends.head) * 2246822519u;
    mixed = (mixed ^ mixed >> 15) * 3266489917u;
    return Rank{__float_as_uint(density)} << 32 | (mixed ^ mixed >> 16);
}

// Joins clusters in pairs that prefer each other and have at most `most` vertices together, and those that are left
// again, as often as HANDSHAKES says. `becomes` gets the cluster that each is part of, `joined` the number of pairs.
extern "C" __global__ void match(long long count, int clusters, const long long* arcs, int* sizes, int most,
                                 Rank* preferences, Rank* best, int* partner, long long* becomes, int* joined,
                                 unsigned* barrier) {
    const long long begin = thread_index(), stride = thread_count();
    for (long long i = begin; i < count; i += stride) {
        preferences[i] = preference(arcs + i, arcs, arcs + count, clusters, sizes, most);
    }
    for (long long i = begin; i < HANDSHAKES * (long long)clusters; i += stride) best[i] = 0;
    for (long long i = begin; i < clusters; i += stride) partner[i] = clusters;
    for (int handshake = 0; handshake < HANDSHAKES; ++handshake, best += clusters) {
        grid_barrier(barrier);
        for (long long i = begin; i < count; i += stride) {
            const Ends ends(arcs[i], clusters);
            const bool alone = partner[ends.tail] == clusters && partner[ends.head] == clusters;
            if (alone && preferences[i]) atomicMax(best + ends.tail, preferences[i]);
        }
        grid_barrier(barrier);
        for (long long i = begin; i < count; i += stride) {
            const Ends ends(arcs[i], clusters);
            const Rank own = preferences[i];
            if (own && best[ends.tail] == own && best[ends.head] == own) atomicMin(partner + ends.tail, ends.head);
        }
    }
    grid_barrier(barrier);
    for (long long i = begin; i < clusters; i += stride) {
        const int other = partner[i];
        const bool mutual = other < clusters && partner[other] == i;
        becomes[i] = mutual && other < i ? other : i;
        if (!mutual || other < i) continue;
        sizes[i] += sizes[other], sizes[other] = 0;
        atomicAdd(joined, 1);
    }
}

// Chooses vertices that cover all arcs between two parts: in some rounds those with more open arcs, which have no
// chosen end, than each of their neighbours, and then of each open arc the end with more. A rank is the number of open
// arcs, and then the complement of the vertex.
extern "C" __global__ void cover(long long arcs, int vertices, const long long* tails, const long long* heads,
                                 const long long* part, int rounds, Rank* ranks, Rank* best, int* chosen,
                                 unsigned* barrier) {
    enum : int { CHOSEN = 1, AT_LAST = 2 };
    const long long begin = thread_index(), stride = thread_count();
    const auto is_open = [=](long long arc) {
        const long long tail = tails[arc], head = heads[arc];
        return part[tail] != part[head] && chosen[tail] != CHOSEN && chosen[head] != CHOSEN;
    };
    for (int round = 0;; ++round) {
        for (long long v = begin; v < vertices; v += stride) ranks[v] = ~unsigned(v), best[v] = 0;
        grid_barrier(barrier);
        for (long long arc = begin; arc < arcs; arc += stride) {
            if (is_open(arc)) atomicAdd(ranks + tails[arc], Rank{1} << 32);
        }
        grid_barrier(barrier);
        if (round == rounds) break;
        for (long long arc = begin; arc < arcs; arc += stride) {
            if (is_open(arc)) atomicMax(best + tails[arc], ranks[heads[arc]]);
        }
        grid_barrier(barrier);
        for (long long v = begin; v < vertices; v += stride) {
            if (best[v] > 0 && ranks[v] > best[v]) chosen[v] = CHOSEN;
        }
        grid_barrier(barrier);
    }
    for (long long arc = begin; arc < arcs; arc += stride) {
        const long long tail = tails[arc], head = heads[arc];
        if (is_open(arc)) chosen[ranks[tail] > ranks[head] ? tail : head] = AT_LAST;
    }
}

// A front has tiles of TILE rows and columns; a thread has 4 x 4 entries of one.

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

using Tile = unsigned[TILE][TILE + 4];  // rows of whole vectors, which begin in different banks

__device__ __forceinline__ int thread_row() { return threadIdx.x / 16 * 4; }
__device__ __forceinline__ int thread_column() { return threadIdx.x % 16 * 4; }

__device__ __forceinline__ void load_four(unsigned (&values)[4], const unsigned* from) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
}
__device__ __forceinline__ void store_four(const unsigned (&values)[4], unsigned* to) {
    *reinterpret_cast<uint4*>(to) = make_uint4(values[0], values[1], values[2], values[3]);
}

__device__ __forceinline__ void load_registers(unsigned (&c)[4][4], const unsigned* from, int pitch) {
#pragma unroll
    for (int r = 0; r < 4; ++r) load_four(c[r], from + (thread_row() + r) * (long long)pitch + thread_column());
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
        load_four(four, from + row * (long long)pitch + column);
#pragma unroll
        for (int j = 0; j < 4; ++j) tile[column + j][row] = four[j];
    }
}

// Lowers tile `c` of a front by the product of tiles `a` and `b`, of which one may be `c` itself.
__device__ __forceinline__ void multiply_tile(unsigned* c, const unsigned* a, const unsigned* b, int pitch) {
    __shared__ __align__(16) Tile columns, rows;
    unsigned own[4][4];
    __syncthreads();
    load_columns(columns, a, pitch);
    load_rows(rows, b, pitch);
    load_registers(own, c, pitch);
    __syncthreads();
#pragma unroll 8
    for (int m = 0; m < TILE; ++m) {
        unsigned column[4], row[4];
        load_four(column, &columns[m][thread_row()]);
        load_four(row, &rows[m][thread_column()]);
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
    __shared__ __align__(16) unsigned rows[2][TILE], columns[2][TILE];
    unsigned c[4][4];
    __syncthreads();
    load_registers(c, tile, pitch);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (thread_row() == thread_column()) c[i][i] = 0;
    }
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
            load_four(to, &columns[i % 2][thread_row()]);
            load_four(onward, &rows[i % 2][thread_column()]);
#pragma unroll
            for (int r = 0; r < 4; ++r) {
#pragma unroll
                for (int w = 0; w < 4; ++w) c[r][w] = shorter(c[r][w], to[r], onward[w]);
            }
        }
    }
    store_registers(c, tile, pitch);
}

// A step of a front takes a tile of vertices: it closes their square, multiplies it with their rows and their columns,
// and these with each other.
struct Step {
    const Front& front;
    int number;
    unsigned* pool;

    __device__ __forceinline__ unsigned* tile(int row, int column) const {
        return pool + front.at(row * TILE, column * TILE);
    }
    __device__ __forceinline__ void close_square() const {
        close_tile(tile(number, number), front.pitch, min(TILE, front.size() - number * TILE));
    }
    __device__ __forceinline__ void multiply_panel(int other, bool of_rows) const {
        unsigned *square = tile(number, number), *panel = of_rows ? tile(number, other) : tile(other, number);
        if (other != number) multiply_tile(panel, of_rows ? square : panel, of_rows ? panel : square, front.pitch);
    }
    __device__ __forceinline__ void multiply_panels(int row, int column) const {
        if (row == number || column == number) return;
        multiply_tile(tile(row, column), tile(row, number), tile(number, column), front.pitch);
    }
};

// Closes fronts from number `first` on, each by a block.
extern "C" __global__ void __launch_bounds__(BLOCK) close_each(const long long* fronts, int first, unsigned* pool) {
    const Front front(fronts, first + blockIdx.x);
    const int tiles = front.tiles();
    for (int number = 0; number < tiles; ++number) {
        const Step step = {front, number, pool};
        step.close_square();
        for (int i = 0; i < 2 * tiles; ++i) step.multiply_panel(i / 2, i % 2);
        for (int i = 0; i < tiles * tiles; ++i) step.multiply_panels(i / tiles, i % tiles);
    }
}

// Closes `count` fronts by all blocks together. None has more than `most` tiles a side.
extern "C" __global__ void __launch_bounds__(BLOCK)
    close_together(const long long* fronts, int first, int count, int most, unsigned* pool, unsigned* barrier) {
    for (int number = 0; number < most; ++number) {
        for (int i = blockIdx.x; i < count; i += gridDim.x) {
            const Front front(fronts, first + i);
            if (number < front.tiles()) Step{front, number, pool}.close_square();
        }
        grid_barrier(barrier);
        for (int i = blockIdx.x; i < count * 2 * most; i += gridDim.x) {
            const Front front(fronts, first + i / (2 * most));
            const int other = i / 2 % most;
            if (max(number, other) < front.tiles()) Step{front, number, pool}.multiply_panel(other, i % 2);
        }
        grid_barrier(barrier);
        for (int i = blockIdx.x; i < count * most * most; i += gridDim.x) {
            const Front front(fronts, first + i / (most * most));
            const int row = i / most % most, column = i % most;
            if (max(number, max(row, column)) < front.tiles()) Step{front, number, pool}.multiply_panels(row, column);
        }
        grid_barrier(barrier);
    }
}

// ---- products

template <typename Vector>
__device__ __forceinline__ void stream(Vector* to, Vector value) {
#ifndef WARPATH_HOST
    __stcs(to, value);
#else
    *to = value;
#endif
}

// COLUMNS neighbouring distances of a row: four or two.
template <int COLUMNS>
struct Vector {
    unsigned part[COLUMNS];

    __device__ __forceinline__ void fill(unsigned value) {
#pragma unroll
        for (int i = 0; i < COLUMNS; ++i) part[i] = value;
    }
    __device__ __forceinline__ void load(const unsigned* from) {
        if constexpr (COLUMNS == 4) {
            load_four(part, from);
        } else {
            const uint2 two = *reinterpret_cast<const uint2*>(from);
            part[0] = two.x, part[1] = two.y;
        }
    }
    // What is written is not read soon: it should not drive out of L2 what is.
    __device__ __forceinline__ void store(unsigned* to) const {
        if constexpr (COLUMNS == 4) {
            stream(reinterpret_cast<uint4*>(to), make_uint4(part[0], part[1], part[2], part[3]));
        } else {
            stream(reinterpret_cast<uint2*>(to), make_uint2(part[0], part[1]));
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

// The lengths of ROWS rows are in shared memory at a time.
enum : int { DEEPEST = 48 };  // vertices of a boundary at a time

struct Operand {
    unsigned lengths[ROWS * DEEPEST];
    long long begins[ROWS];
};

struct Product {
    Front front;
    bool backward;    // from the boundary to the vertices inside, instead of from these to the boundary
    const int* rows;  // of each member of a front: of those inside in `out`, of those on the boundary in `known`
    const unsigned *pool, *known;
    long long known_pitch;
    unsigned* out;
    long long out_pitch;
    int first_row;  // of `out`

    __device__ __forceinline__ const unsigned* onward(int b) const {
        return known + rows[front.member + front.inside + b] * known_pitch;
    }
    __device__ __forceinline__ long long begin(int u) const { return (rows[front.member + u] - first_row) * out_pitch; }
    __device__ __forceinline__ unsigned length(int u, int b) const {
        return pool[backward ? front.at(front.inside + b, u) : front.at(u, front.inside + b)];
    }
};

// Rows of a front in columns first_column + thread * COLUMNS, by way of up to DEPTH vertices of its boundary from
// number `from` on, at least SURE of them. The distances from there on stay in registers.
template <int COLUMNS, int DEPTH, int SURE>
__device__ __forceinline__ void extend(const Product& product, int from, int first_column, int columns,
                                       Operand& operand) {
    const int column = first_column + threadIdx.x * COLUMNS, inside = product.front.inside;
    const int depth = min(DEPTH, product.front.boundary - from);
    Vector<COLUMNS> onward[DEPTH];
#pragma unroll
    for (int b = 0; b < DEPTH; ++b) {
        onward[b].fill(UNREACHABLE);
        if (b < depth && column < columns) onward[b].load(product.onward(from + b) + column);
    }
    for (int first = blockIdx.z * ROWS; first < inside; first += gridDim.z * ROWS) {
        const int count = min(ROWS, inside - first);
        __syncthreads();
        for (int i = threadIdx.x; i < count * DEPTH; i += BLOCK) {
            const int row = i / DEPTH, b = i % DEPTH;
            operand.lengths[i] = b < depth ? product.length(first + row, from + b) : UNREACHABLE;
        }
        if (threadIdx.x < count) operand.begins[threadIdx.x] = product.begin(first + threadIdx.x);
        __syncthreads();
        if (column >= columns) continue;
        const uint4* lengths = reinterpret_cast<const uint4*>(operand.lengths);
#pragma unroll 2
        for (int row = 0; row < count; ++row) {
            unsigned* entries = product.out + operand.begins[row] + column;
            Vector<COLUMNS> distance;
            distance.fill(UNREACHABLE);
            if (from > 0) distance.load(entries);
#pragma unroll
            for (int b = 0; b < DEPTH; b += 4) {
                if (b < SURE || b < depth) distance.lower(lengths[row * (DEPTH / 4) + b / 4], onward + b);
            }
            distance.store(entries);
        }
    }
}

template <int COLUMNS, int DEPTH, int SURE = DEPTH - 4>
__device__ __forceinline__ void extend_span(const Product& product, int from, int first_column, int columns,
                                            Operand& operand) {
    for (int column = first_column; column < columns; column += BLOCK * COLUMNS) {
        extend<COLUMNS, DEPTH, SURE>(product, from, column, columns, operand);
    }
}

// Rows of `out` for the vertices inside fronts, by those of their boundaries in `known`. A block does `span` of the
// columns of a front, and a share of its rows.
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    extend_rows(const long long* fronts, int first, int backward, int columns, int span, const int* rows,
                const unsigned* pool, const unsigned* known, long long known_pitch, unsigned* out, long long out_pitch,
                int first_row) {
    __shared__ __align__(16) Operand operand;
    const Front front(fronts, first + blockIdx.y);
    const Product product = {front, backward != 0, rows, pool, known, known_pitch, out, out_pitch, first_row};
    const int column = blockIdx.x * span, end = min(columns, column + span);
    int from = 0;
    do {
        const int depth = front.boundary - from;
        if (depth <= 8) {
            extend_span<4, 8>(product, from, column, end, operand);
        } else if (depth <= 16) {
            extend_span<4, 16>(product, from, column, end, operand);
        } else if (depth <= 24) {
            extend_span<2, 24>(product, from, column, end, operand);
        } else if (depth <= 32) {
            extend_span<2, 32>(product, from, column, end, operand);
        } else if (depth <= 40) {
            extend_span<2, 40>(product, from, column, end, operand);
        } else if (depth < DEEPEST) {
            extend_span<2, DEEPEST>(product, from, column, end, operand);
        } else {
            extend_span<2, DEEPEST, DEEPEST>(product, from, column, end, operand);
        }
        from += DEEPEST;
    } while (from < front.boundary);
}

// Lowers the distances between vertices inside the same front to those that stay inside.
extern "C" __global__ void relax_within(const long long* fronts, int first, const int* rows, const int* columns,
                                        const unsigned* pool, unsigned* out, long long out_pitch, int first_row) {
    const Front front(fronts, first + blockIdx.x);
    for (int u = blockIdx.y; u < front.inside; u += gridDim.y) {
        unsigned* row = out + (rows[front.member + u] - first_row) * out_pitch;
        for (int v = threadIdx.x; v < front.inside; v += blockDim.x) {
            unsigned* entry = row + columns[front.member + v];
            *entry = min(*entry, pool[front.at(u, v)]);
        }
    }
}

// ---- the transpose

// HEIGHT entries of a row are read together.

// Columns first_column to first_column + count - 1 of `height` rows of `out`: column v is row v of `from`, or where
// there are `sources` row sources[v] of it, or row -1 - sources[v] of `core`; row s of `out` is number s, or rows[s].
// Columns from `real` on are UNREACHABLE.
extern "C" __global__ void turn(int first_column, int count, int real, int height, const int* sources,
                                const unsigned* from, long long from_pitch, const unsigned* core, long long core_pitch,
                                const int* rows, unsigned* out, long long out_pitch) {
    __shared__ unsigned tile[32][HEIGHT + 1];
    const int lane = threadIdx.x % 32, v = first_column + blockIdx.x * 32, s = blockIdx.y * HEIGHT;
    for (int i = threadIdx.x / 32; i < 32; i += BLOCK / 32) {
        if (v + i >= first_column + count) continue;
        const int source = v + i >= real ? 0 : sources ? sources[v + i] : v + i;
        const unsigned* row = source >= 0 ? from + source * from_pitch : core + (-1 - source) * core_pitch;
#pragma unroll
        for (int j = lane; j < HEIGHT; j += 32) {
            if (s + j < height) tile[i][j] = v + i < real ? row[s + j] : UNREACHABLE;
        }
    }
    __syncthreads();
    if (v + lane >= first_column + count) return;
    for (int j = threadIdx.x / 32; j < min(HEIGHT, height - s); j += BLOCK / 32) {
        out[(rows ? rows[s + j] : s + j) * out_pitch + v + lane] = tile[lane][j];
    }
}
