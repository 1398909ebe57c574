// Blocked Floyd-Warshall in one launch: blocks draw tasks on tiles in an order in which none needs a later one.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// A step takes PIVOT vertices at once, in three kinds of tasks:
//   pivot(k)       closes the square of the matrix between these vertices: the shortest paths among them;
//   panel(k, t)    multiplies the closed square with tile t of its rows, or of its columns, or with part of that tile;
//   tile(k, i, j)  multiplies column panel i with row panel j: nearly all of the work, a product of matrices over min
//                  and + (fw_tiled/product.cuh), with 8 x 8 words in the registers of each thread
//                  (fw_tiled/registers.cuh), which other warps supply (fw_tiled/stream.cuh).
//
// A block stays for the whole computation. It draws tickets, whose numbers stand for tasks (fw_tiled/schedule.cuh), and
// waits before each task for the signals of the tasks that it needs (fw_tiled/board.cuh). There is no barrier between
// steps: while one block closes a pivot the others do tiles.
//
// Where the waits are a chain, work is done twice to shorten it: pivot(s) applies step s - 1 to its square itself,
// besides the tile that does the same, and where there are few tiles so do the panels. A distance in the matrix is at
// any time the length of some walk, and only falls, so they may read it before or after that tile writes it. Panels are
// stored outside of the matrix. The tile that a panel comes from computes the same distances and writes them, unless it
// consists of pivot rows or columns alone: then the panel's task writes it, and the tile has none.
//
// With WIDTH 16 a word holds two columns, so that an instruction relaxes two distances (minplus.cuh says when that is
// exact). Operands A, column panels and pivot columns, are stored spread: a distance in both halves of a word.
//
// Launches: with WIDTH 32 `place` and `floyd_warshall`. With WIDTH 16 these and `widen`, and, unless 16 bits are known
// to be enough, the two with WIDTH 32, which return at once if 16 bits were.
//
// Venkataraman, Sahni and Mukhopadhyaya 2003, "A blocked all-pairs shortest-paths algorithm"; Katz and Kider 2008,
// "All-pairs shortest-paths for large graphs on the GPU".

#include "fw_tiled/pivot.cuh"
#include "fw_tiled/stream.cuh"

// Part of a tile, which begins at a row and a word of the matrix, after step - 1. If `ahead` the tile may lack that
// step, which is then applied to this part alone.
template <int ROWS, int WORDS>
__device__ __forceinline__ void load_part(unsigned (&c)[ROWS][WORDS], const Board& board, bool ahead, int step, int row,
                                          int word) {
    const int i = row / TILE, j = word / TILE;
    const bool catches_up = ahead && step > 0;
    await({board.steps_of_tile(i, j), nullptr, nullptr, catches_up ? step - 1 : step, 0, 0});
    load_tile(c, board.at(row, word), board.pitch());
    if (!catches_up) return;
    await({board.row_panels_done + j, board.column_panels_done + i, nullptr, board.parts() * step, board.parts() * step,
           0});
    const unsigned* columns = board.column_panel(step - 1, i) + row % TILE;
    const unsigned* rows = board.row_panel(step - 1, j) + word % TILE;
    multiply(c, Rows<ROWS>(columns, TILE), Rows<WORDS>(rows, TILE));
}

__device__ __forceinline__ void do_pivot(const Board& board, int step) {
    PivotSquare c = {};  // otherwise the copy threads would carry it in registers from task to task
    load_part(c, board, true, step, step * PIVOT, step * PIVOT_WORDS);
    close(c);
    store_tile(c, board.pivot_rows(step), PIVOT_WORDS);
    store_columns(c, board.pivot_columns(step), PIVOT);
    __syncthreads();
    announce(board.pivots_closed, step + 1);
}

// Writes a panel to the matrix too, as the tile that consists of it.
template <int ROWS, int WORDS>
__device__ __forceinline__ void store_as_tile(const Board& board, int step, int i, int j,
                                              const unsigned (&c)[ROWS][WORDS]) {
    store_tile(c, board.at(i * TILE, j * TILE), board.pitch());
    __syncthreads();
    announce_tile(board, {TILE_TASK, step, i, j});
}

// The panel of a tile, or of one of its PARTS.
template <int PARTS>
__device__ __forceinline__ void do_row_panel(const Board& board, int step, int part) {
    const int word = part * (TILE / PARTS), j = word / TILE;
    unsigned c[PIVOT_ROW_SLOTS][8 / PARTS] = {};
    load_part(c, board, board.catching_up(), step, step * PIVOT, word);
    share_rows(c);
    await_pivot(board, step);
    multiply(c, Rows<PIVOT_ROW_SLOTS>(board.pivot_columns(step), PIVOT), Shared());
    store_tile(c, board.row_panel(step, j) + word % TILE, TILE);
    announce_panel(board, board.row_panels_done + j, step);
    if (ROWS_FILL_TILE) store_as_tile(board, step, board.row_tile(step), j, c);
}

template <int PARTS>
__device__ __forceinline__ void do_column_panel(const Board& board, int step, int part) {
    const int row = part * (TILE / PARTS), i = row / TILE;
    unsigned c[8 / PARTS][PIVOT_WORD_SLOTS] = {};
    load_part(c, board, board.catching_up(), step, row, step * PIVOT_WORDS);
    share_columns(c);
    await_pivot(board, step);
    multiply(c, Shared(), Rows<PIVOT_WORD_SLOTS>(board.pivot_rows(step), PIVOT_WORDS));
    store_columns(c, board.column_panel(step, i) + row % TILE, TILE);
    announce_panel(board, board.column_panels_done + i, step);
    if (COLUMNS_FILL_TILE && i != board.row_tile(step)) {  // that tile is the row panel's
        store_as_tile(board, step, i, board.column_tile(step), c);
    }
}

template <int PARTS>
__device__ __forceinline__ void do_panel(const Board& board, const Task& task) {
    task.kind == ROW_PANEL_TASK ? do_row_panel<PARTS>(board, task.step, task.j)
                                : do_column_panel<PARTS>(board, task.step, task.i);
}

// With WIDTH 32: whether a computation with WIDTH 16 was exact, because its largest distance is below the limit.
__device__ __forceinline__ bool is_computed(const unsigned* largest, unsigned limit) {
    return WIDTH == 32 && largest && *largest < limit;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    floyd_warshall(int tile_rows, int tile_columns, int steps, unsigned* matrix, unsigned* panels, unsigned* pivots,
                   int* signals, const unsigned* largest, unsigned limit) {
    __shared__ Board board;
    __shared__ Pipeline pipeline;
    __shared__ Task drawn;
    if (is_computed(largest, limit)) return;
    if (threadIdx.x == SCHEDULER) {
        set_up(board, tile_rows, tile_columns, steps, matrix, panels, pivots, signals);
        set_up(pipeline);
    }
    Progress progress = {0, 0};
    for (;;) {
        Task none = {NO_TASK, 0, 0, 0};
        if (threadIdx.x == SCHEDULER) drawn = next_task(board, pipeline, none, 0);
        __syncthreads();
        Task task = drawn;
        __syncthreads();
        if (task.kind == TILE_TASK) task = do_tiles(board, pipeline, progress, task);
        switch (task.kind) {
            case PIVOT_TASK:
                do_pivot(board, task.step);
                break;
            case ROW_PANEL_TASK:
            case COLUMN_PANEL_TASK:
                if (board.parts() == 4) {
                    do_panel<4>(board, task);
                } else if (board.parts() == 2) {
                    do_panel<2>(board, task);
                } else {
                    do_panel<1>(board, task);
                }
                break;
            default:
                return;
        }
    }
}

// The matrix before the first step: 0 on the diagonal, the weights of arcs, FAR elsewhere; a block does a row at a
// time. Also clears the signals, and with WIDTH 16 the largest distance.
extern "C" __global__ void place(int vertices, int rows, int row_words, const int* offsets, const int* targets,
                                 const int* weights, unsigned* matrix, int signal_count, int* signals,
                                 unsigned* largest, unsigned limit) {
    if (is_computed(largest, limit)) return;
    if (WIDTH == 16 && thread_index() == 0) *largest = 0;
    for (long long i = thread_index(); i < signal_count; i += thread_count()) signals[i] = 0;
    for (int u = blockIdx.x; u < rows; u += gridDim.x) {
        unsigned* words = matrix + u * (long long)row_words;
        uint4* vectors = reinterpret_cast<uint4*>(words);
        for (int i = threadIdx.x; i < row_words / 4; i += blockDim.x) {
            vectors[i] = make_uint4(FAR_WORD, FAR_WORD, FAR_WORD, FAR_WORD);
        }
        __syncthreads();
        Distance* row = reinterpret_cast<Distance*>(words);
        if (threadIdx.x == 0) row[u] = 0;
        if (u >= vertices) continue;
        const unsigned end = offsets[u + 1];  // unsigned: arc + blockDim.x may exceed 2^31 - 1
        for (unsigned arc = offsets[u] + threadIdx.x; arc < end; arc += blockDim.x) {
            if (targets[arc] != u) row[targets[arc]] = min((unsigned)weights[arc], FAR);
        }
    }
}

#if WIDTH == 16
// The matrix in 32 bits, and the largest distance that is not FAR.
extern "C" __global__ void widen(int vertices, int row_words, const unsigned* matrix, int wide_words, unsigned* wide,
                                 unsigned* largest) {
    unsigned own_largest = 0;
    for (int u = blockIdx.x; u < vertices; u += gridDim.x) {
        const unsigned* row = matrix + u * (long long)row_words;
        uint2* wide_row = reinterpret_cast<uint2*>(wide + u * (long long)wide_words);
        for (int i = threadIdx.x; i < wide_words / 2; i += blockDim.x) {
            const unsigned low = row[i] & 0xffff, high = row[i] >> 16;
            wide_row[i] = make_uint2(low == FAR ? UNREACHABLE : low, high == FAR ? UNREACHABLE : high);
            own_largest = max(own_largest, max(low == FAR ? 0 : low, high == FAR ? 0 : high));
        }
    }
    own_largest = __reduce_max_sync(ALL_LANES, own_largest);
    if (lane_index() == 0) atomicMax(largest, own_largest);
}
#endif
