// Blocked Floyd-Warshall in one launch: tasks on tiles, handed out in an order in which none waits for a later one.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// Step k goes through PIVOT vertices at once. Three kinds of task:
//   pivot(k)       closes the square of the matrix between these vertices: the shortest paths among them;
//   panel(k, t)    joins the closed square to tile t of its rows, or of its columns, or to half of that tile;
//   tile(k, i, j)  joins column panel i and row panel j where they meet: nearly all of the work, a product of matrices
//                  with + for * and min for +, of which each thread keeps 8 x 8 words in registers.
//
// Blocks stay and draw tickets; the ticket's number is a task. Stage s holds pivot(s), the tiles of step s-1 that the
// panels of step s need (none where these do that step by themselves), some other tiles to bridge the time until the
// pivot is closed, panels(s), and the remaining tiles. Before it works on a task a block waits for the signals of what
// the task needs. All of that has lower tickets, and a block does its tickets in order, so the lowest one that is open
// is at work: nobody waits for ever, however many blocks run at once, and steps need no barrier between them: while one
// block closes a pivot the others do tiles.
//
// Where a chain of waits decides, work is done twice to make it shorter: pivot(s) applies step s-1 to its square
// itself, beside the tile that does the same, and where there are few tiles panels do likewise. A distance in the
// matrix is at all times the length of some walk, and only falls; so it does not matter which of the two values they
// find there. Panels are kept outside of the matrix. The tile that a panel belongs to comes to the same distances, and
// writes them, unless it consists of pivot rows or columns alone: then the panel is written to the matrix too and the
// tile left out.
//
// With WIDTH 16 a word holds two columns, so that every instruction relaxes two distances (minplus.cuh says when that
// is exact). The operands that multiply whole words, column panels and pivot columns, are stored spread: the same
// distance in both halves of a word.
//
// Launches: with WIDTH 32 two, `place` and `floyd_warshall`. With WIDTH 16 three, with `widen` at the end, and those
// two with WIDTH 32 after them, which leave at once if 16 bits have been enough, unless that is known beforehand.
//
// Venkataraman, Sahni and Mukhopadhyaya 2003 (blocks); Katz and Kider 2008 (on a GPU).

#include "gate.cuh"
#include "minplus.cuh"
#include "signals.cuh"

constexpr int THREADS = 256;           // that compute: 16 x 16, a warp is 4 x 8 of them
constexpr int CLERK = THREADS;         // the first of the others, who draws tickets, looks at signals and raises them
constexpr int CREW = BLOCK - THREADS;  // that bring what tiles need
constexpr int TILE = 128;              // rows of a tile and words of each
constexpr int CHUNK = PIVOT / 2;  // columns of A and rows of B: one half is multiplied while the other is on its way
constexpr int HALF = 2 * CHUNK * TILE;
constexpr int UNROLLED = UNROLL;
constexpr int STAGES = 4;  // for tiles, which run one into the other: quarters
constexpr int QUARTER = PIVOT / STAGES;
constexpr int STAGE = 2 * QUARTER * TILE;
constexpr unsigned BRIDGE = 4;  // tiles for each block between a pivot and the panels that wait for it
constexpr unsigned STRIP = 16;  // tiles of a row that follow each other, so that their panels stay in the L2
constexpr int PIVOT_WORDS = PIVOT / PACK;
constexpr bool ROWS_FILL_TILE = PIVOT == TILE, COLUMNS_FILL_TILE = PIVOT_WORDS == TILE;
constexpr int PIVOT_ROW_SLOTS = PIVOT / 16;
constexpr int PIVOT_WORD_SLOTS = PIVOT_WORDS / 16;

// Two halves, or four stages, each of some rows of A (its columns, turned) and as many of B; and a tile.
extern __shared__ __align__(16) unsigned dynamic_shared[];

__device__ __forceinline__ bool computes() { return threadIdx.x < THREADS; }
__device__ __forceinline__ int thread_row() { return threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8; }
__device__ __forceinline__ int thread_column() { return threadIdx.x / 32 % 2 * 8 + threadIdx.x % 8; }

// Where in a tile a thread's rows and words are: four neighbours, and four more 64 further on.
__device__ __forceinline__ int row_of(int slot) { return slot / 4 * 64 + thread_row() * 4 + slot % 4; }
// ... and how far the row of slot r is from the one before.
__device__ __forceinline__ int rows_to(int r) { return r % 4 == 0 ? 61 : 1; }
template <int WORDS>
__device__ __forceinline__ int word_of(int slot) {
    if (WORDS < 4) return thread_column() * WORDS + slot;
    return slot / 4 * 64 + thread_column() * 4 + slot % 4;
}

// Global memory that other blocks write is read and written past the L1, which nobody keeps up to date.
template <bool GLOBAL, typename Vector>
__device__ __forceinline__ Vector read(const unsigned* from) {
#ifndef WARPATH_HOST
    if (GLOBAL) return __ldcg(reinterpret_cast<const Vector*>(from));
#endif
    return *reinterpret_cast<const Vector*>(from);
}
template <bool GLOBAL, typename Vector>
__device__ __forceinline__ void write(unsigned* to, Vector value) {
#ifndef WARPATH_HOST
    if (GLOBAL) return __stcg(reinterpret_cast<Vector*>(to), value);
#endif
    *reinterpret_cast<Vector*>(to) = value;
}

template <int COUNT, bool GLOBAL = false>
__device__ __forceinline__ void load(unsigned (&values)[COUNT], const unsigned* from, int first) {
    if constexpr (COUNT == 2) {
        const uint2 pair = read<GLOBAL, uint2>(from + first * 2);
        values[0] = pair.x, values[1] = pair.y;
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; i += 4) {
            const uint4 four = read<GLOBAL, uint4>(from + i / 4 * 64 + first * 4);
            values[i] = four.x, values[i + 1] = four.y, values[i + 2] = four.z, values[i + 3] = four.w;
        }
    }
}

template <int COUNT, bool GLOBAL = false>
__device__ __forceinline__ void store(const unsigned (&values)[COUNT], unsigned* to, int first) {
    if constexpr (COUNT == 2) {
        write<GLOBAL>(to + first * 2, make_uint2(values[0], values[1]));
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; i += 4) {
            write<GLOBAL>(to + i / 4 * 64 + first * 4,
                          make_uint4(values[i], values[i + 1], values[i + 2], values[i + 3]));
        }
    }
}

template <int ROWS, int WORDS>
__device__ __forceinline__ void load_tile(unsigned (&c)[ROWS][WORDS], const unsigned* from, long long pitch) {
    if (!computes()) return;
    from += row_of(0) * pitch + word_of<WORDS>(0);
#pragma unroll
    for (int r = 0; r < ROWS; ++r, from += rows_to(r) * pitch) load<WORDS, true>(c[r], from, 0);
}

template <int ROWS, int WORDS>
__device__ __forceinline__ void store_tile(const unsigned (&c)[ROWS][WORDS], unsigned* to, long long pitch) {
    if (!computes()) return;
    to += row_of(0) * pitch + word_of<WORDS>(0);
#pragma unroll
    for (int r = 0; r < ROWS; ++r, to += rows_to(r) * pitch) store<WORDS, true>(c[r], to, 0);
}

// Columns become rows of spread words, what `multiply` takes as A: calls put(column, which of them) for each.
template <int ROWS, int WORDS, typename Put>
__device__ __forceinline__ void for_each_column(const unsigned (&c)[ROWS][WORDS], Put put) {
    if (!computes()) return;
#pragma unroll
    for (int w = 0; w < WORDS; ++w) {
#pragma unroll
        for (int part = 0; part < PACK; ++part) {
            unsigned column[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; ++r) column[r] = spread(c[r][w], part);
            put(column, word_of<WORDS>(w) * PACK + part);
        }
    }
}

template <int ROWS, int WORDS>
__device__ __forceinline__ void store_columns(const unsigned (&c)[ROWS][WORDS], unsigned* to, int pitch) {
    for_each_column(c, [&](const unsigned (&column)[ROWS], int which) {
        store<ROWS, true>(column, to + which * pitch, thread_row());
    });
}

// Brings 16 * WORDS words of CHUNK rows at a time into shared memory.
template <int WORDS>
struct Rows {
    static constexpr int FOURS = WORDS * 16 / 4, ROWS_AT_ONCE = THREADS / FOURS;
    const unsigned* from;
    long long pitch;

    __device__ __forceinline__ Rows(const unsigned* first, long long pitch)
        : from(first + threadIdx.x / FOURS * pitch + threadIdx.x % FOURS * 4), pitch(pitch) {}

    __device__ __forceinline__ void bring(unsigned* shared) {
#pragma unroll
        for (int row = 0; row < CHUNK; row += ROWS_AT_ONCE) {
            if (ROWS_AT_ONCE > CHUNK && threadIdx.x / FOURS >= CHUNK) break;
            copy_async(shared + row * WORDS * 16 + threadIdx.x * 4, from + row * pitch);
        }
        from += CHUNK * pitch;
    }
};

// What is in shared memory already, put there by `keep_rows` or `keep_columns`.
struct Kept {
    __device__ __forceinline__ void bring(unsigned*) const {}
};
__device__ __forceinline__ unsigned* kept(int line, int pitch) {
    return dynamic_shared + line / CHUNK * HALF + line % CHUNK * pitch;
}

// For `multiply` as B. A barrier has to follow, as in there.
template <int ROWS, int WORDS>
__device__ __forceinline__ void keep_rows(const unsigned (&c)[ROWS][WORDS]) {
    if (!computes()) return;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) store(c[r], kept(row_of(r), WORDS * 16) + CHUNK * TILE, thread_column());
}

// ... as A.
template <int ROWS, int WORDS>
__device__ __forceinline__ void keep_columns(const unsigned (&c)[ROWS][WORDS]) {
    for_each_column(
        c, [](const unsigned (&column)[ROWS], int which) { store(column, kept(which, ROWS * 16), thread_row()); });
}

template <typename A, typename B>
__device__ __forceinline__ void bring(A& a, B& b, int half) {
    if (!computes()) return;
    a.bring(dynamic_shared + half * HALF);
    b.bring(dynamic_shared + half * HALF + CHUNK * TILE);
}

// c = min(c, A + B) for some columns of A, turned into rows, and as many rows of B.
template <int COUNT, int ROWS, int WORDS>
__device__ __forceinline__ void multiply_chunk(unsigned (&c)[ROWS][WORDS], const unsigned* columns,
                                               const unsigned* rows) {
#pragma unroll UNROLLED
    for (int m = 0; m < COUNT; ++m) {
        unsigned column[ROWS], row[WORDS];
        load(column, columns + m * ROWS * 16, thread_row());
        load(row, rows + m * WORDS * 16, thread_column());
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
            for (int w = 0; w < WORDS; ++w) c[r][w] = shorter(c[r][w], column[r], row[w]);
        }
    }
}

// c = min(c, A + B). `a` brings PIVOT columns of A, turned into rows, and `b` as many rows of B.
template <int ROWS, int WORDS, typename A, typename B>
__device__ __forceinline__ void multiply(unsigned (&c)[ROWS][WORDS], A a, B b) {
    bring(a, b, 0);
    commit_copies();
#pragma unroll 1
    for (int half = 0; half < 2; ++half) {
        await_copies();
        __syncthreads();
        if (half == 0) {
            bring(a, b, 1);
            commit_copies();
        }
        const unsigned* columns = dynamic_shared + half * HALF;
        if (computes()) multiply_chunk<CHUNK>(c, columns, columns + CHUNK * TILE);
    }
    __syncthreads();
}

// Floyd-Warshall on the pivot square, which the block holds in registers, by two vertices k and k + 1 at a time: the
// threads that hold these rows and columns show them to the others, who bring those of k + 1 up to date for themselves.
__device__ __forceinline__ void close(unsigned (&c)[PIVOT_ROW_SLOTS][PIVOT_WORD_SLOTS]) {
#pragma unroll
    for (int half = 0; half < PIVOT_ROW_SLOTS / 4; ++half) {
#pragma unroll 1
        for (int owner = 0; owner < 16; ++owner) {
#pragma unroll
            for (int pair = 0; pair < 2; ++pair) {
                unsigned* rows = dynamic_shared + pair * 512;
                unsigned* columns = rows + 256;
                if (thread_row() == owner) {
                    store(c[half * 4 + pair * 2], rows, thread_column());
                    store(c[half * 4 + pair * 2 + 1], rows + 128, thread_column());
                }
                // Where the words are that hold both columns: without packing, where the rows are.
                const int holder = PACK == 2 && PIVOT_WORD_SLOTS == 4 ? half * 8 + owner / 2 : owner;
                if (computes() && thread_column() == holder) {
#pragma unroll
                    for (int i = 0; i < 2; ++i) {
                        unsigned values[PIVOT_ROW_SLOTS];
#pragma unroll
                        for (int r = 0; r < PIVOT_ROW_SLOTS; ++r) {
                            const int slot = PACK == 2 ? pair : half * 4 + pair * 2 + i;
                            const bool further = PACK == 2 && PIVOT_WORD_SLOTS == 4 && owner % 2;
                            values[r] = spread(further ? c[r][2 % PIVOT_WORD_SLOTS + pair] : c[r][slot], i);
                        }
                        store(values, columns + i * 128, thread_row());
                    }
                }
                __syncthreads();
                if (!computes()) continue;
                const int k = half * 64 + owner * 4 + pair * 2;
                const unsigned back = columns[k + 1], forth = columns[128 + k];  // from k + 1 to k, from k to k + 1
                unsigned through[2][PIVOT_ROW_SLOTS], onward[2][PIVOT_WORD_SLOTS];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    load(through[i], columns + i * 128, thread_row());
                    load(onward[i], rows + i * 128, thread_column());
                }
#pragma unroll
                for (int w = 0; w < PIVOT_WORD_SLOTS; ++w) onward[1][w] = shorter(onward[1][w], back, onward[0][w]);
#pragma unroll
                for (int r = 0; r < PIVOT_ROW_SLOTS; ++r) {
                    through[1][r] = shorter(through[1][r], through[0][r], forth);
#pragma unroll
                    for (int w = 0; w < PIVOT_WORD_SLOTS; ++w) {
                        c[r][w] = shorter(shorter(c[r][w], through[0][r], onward[0][w]), through[1][r], onward[1][w]);
                    }
                }
            }
        }
    }
    __syncthreads();
}

enum Kind { PIVOT_TASK, ROW_PANEL_TASK, COLUMN_PANEL_TASK, TILE_TASK, NO_TASK, END };

struct Task {
    Kind kind;
    int step, i, j;  // of a panel the part's number, as j along its rows, as i along its columns
};

struct Board {
    int tile_rows, tile_columns, steps;
    bool few_tiles;  // not many more than one for each block
    unsigned *matrix, *row_panels, *column_panels, *pivots;
    // Signals: how many pivots are closed; for each column and row of tiles how many parts of its panels are done, of
    // all steps (of none before all of the last one); the steps that a tile has had; and for each step how many tiles
    // are through, and how many parts of the next step's panels.
    int *ticket, *closed, *row_panel, *column_panel, *tile, *through;

    __device__ long long pitch() const { return tile_columns * (long long)TILE; }
    __device__ int tiles() const { return tile_rows * tile_columns; }
    // Whether panels do the step before theirs by themselves instead of waiting for their tiles, and are shared between
    // two blocks each. It is more work, but where there are few tiles steps are a chain of waits.
    __device__ bool catching_up() const { return PIVOT < TILE && few_tiles; }
    __device__ int parts() const { return catching_up() ? 2 : 1; }
    __device__ int panels() const { return (tile_rows + tile_columns) * parts(); }
    __device__ int row_tile(int step) const { return step * PIVOT / TILE; }
    __device__ int column_tile(int step) const { return step * PIVOT_WORDS / TILE; }
    __device__ unsigned* place(int row, int word) const { return matrix + row * pitch() + word; }
    // Panels of two steps are kept: nobody needs older ones once the next step's are written.
    __device__ unsigned* row_panel_of(int step, int j) const {
        return row_panels + (step % 2 * tile_columns + j) * (long long)(PIVOT * TILE);
    }
    __device__ unsigned* column_panel_of(int step, int i) const {
        return column_panels + (step % 2 * tile_rows + i) * (long long)(PIVOT * TILE);
    }
    __device__ unsigned* pivot_columns(int step) const { return pivots + step * (long long)(2 * PIVOT * PIVOT); }
    __device__ unsigned* pivot_rows(int step) const { return pivot_columns(step) + PIVOT * PIVOT; }
    __device__ int* tile_of(int i, int j) const { return tile + i * tile_columns + j; }
};

// What the block has written before its last barrier is there for those who see the signals.
__device__ __forceinline__ void announce(int* signal, int value, int* counter = nullptr) {
    if (threadIdx.x != CLERK) return;
    before_signals();
    raise_signal(signal, value);
    if (counter) atomicAdd(counter, 1);
}

__device__ __forceinline__ void announce_tile(const Board& board, const Task& task) {
    announce(board.tile_of(task.i, task.j), task.step + 1, board.through + task.step);
}

// Three signals, or fewer, that a task waits for.
struct Needs {
    const int *first, *second, *third;
    int a, b, c;

    __device__ __forceinline__ bool met() const {
        const int now_a = read_signal(first), now_b = second ? read_signal(second) : b;
        const int now_c = third ? read_signal(third) : c;
        return now_a >= a && now_b >= b && now_c >= c;
    }
};

__device__ __forceinline__ void await(const Needs& needs) {
    if (threadIdx.x == CLERK) {
        while (!needs.met()) __nanosleep(20);
        after_signals();
    }
    __syncthreads();
}

// Part of a tile, which begins at a row and a word of the matrix, as step - 1 leaves it. If `ahead` the tile need not
// have had that step, which is done here, for this part alone.
template <int ROWS, int WORDS>
__device__ __forceinline__ void take_part(unsigned (&c)[ROWS][WORDS], const Board& board, bool ahead, int step, int row,
                                          int word) {
    const int i = row / TILE, j = word / TILE;
    const bool catches_up = ahead && step > 0;
    await({board.tile_of(i, j), nullptr, nullptr, catches_up ? step - 1 : step, 0, 0});
    load_tile(c, board.place(row, word), board.pitch());
    if (!catches_up) return;
    await({board.row_panel + j, board.column_panel + i, nullptr, board.parts() * step, board.parts() * step, 0});
    const unsigned* columns = board.column_panel_of(step - 1, i) + row % TILE;
    const unsigned* rows = board.row_panel_of(step - 1, j) + word % TILE;
    multiply(c, Rows<ROWS>(columns, TILE), Rows<WORDS>(rows, TILE));
}

__device__ __forceinline__ void do_pivot(const Board& board, int step) {
    unsigned c[PIVOT_ROW_SLOTS][PIVOT_WORD_SLOTS] = {};  // or else threads without one carry it from task to task
    take_part(c, board, true, step, step * PIVOT, step * PIVOT_WORDS);
    close(c);
    store_tile(c, board.pivot_rows(step), PIVOT_WORDS);
    store_columns(c, board.pivot_columns(step), PIVOT);
    __syncthreads();
    announce(board.closed, step + 1);
}

// The pivot is closed, and nobody reads the panels any more that this step's take the places of.
__device__ __forceinline__ void await_pivot(const Board& board, int step) {
    await({board.closed, step < 2 ? nullptr : board.through + step - 2, nullptr, step + 1,
           board.tiles() + board.panels(), 0});
}

__device__ __forceinline__ void announce_panel(const Board& board, int* panel, int step) {
    __syncthreads();
    if (threadIdx.x != CLERK) return;
    before_signals();
    atomicAdd(panel, 1);
    if (step > 0) atomicAdd(board.through + step - 1, 1);
}

// A tile that consists of pivot rows or columns alone has had this step when its panel has.
template <int ROWS, int WORDS>
__device__ __forceinline__ void store_as_tile(const Board& board, int step, int i, int j,
                                              const unsigned (&c)[ROWS][WORDS]) {
    store_tile(c, board.place(i * TILE, j * TILE), board.pitch());
    __syncthreads();
    announce_tile(board, {TILE_TASK, step, i, j});
}

// The panel of a tile, or that of one of PARTS parts of it.
template <int PARTS>
__device__ __forceinline__ void do_row_panel(const Board& board, int step, int part) {
    const int word = part * (TILE / PARTS), j = word / TILE;
    unsigned c[PIVOT_ROW_SLOTS][8 / PARTS] = {};
    take_part(c, board, board.catching_up(), step, step * PIVOT, word);
    keep_rows(c);
    await_pivot(board, step);
    multiply(c, Rows<PIVOT_ROW_SLOTS>(board.pivot_columns(step), PIVOT), Kept());
    store_tile(c, board.row_panel_of(step, j) + word % TILE, TILE);
    announce_panel(board, board.row_panel + j, step);
    if (ROWS_FILL_TILE) store_as_tile(board, step, board.row_tile(step), j, c);
}

template <int PARTS>
__device__ __forceinline__ void do_column_panel(const Board& board, int step, int part) {
    const int row = part * (TILE / PARTS), i = row / TILE;
    unsigned c[8 / PARTS][PIVOT_WORD_SLOTS] = {};
    take_part(c, board, board.catching_up(), step, row, step * PIVOT_WORDS);
    keep_columns(c);
    await_pivot(board, step);
    multiply(c, Kept(), Rows<PIVOT_WORD_SLOTS>(board.pivot_rows(step), PIVOT_WORDS));
    store_columns(c, board.column_panel_of(step, i) + row % TILE, TILE);
    announce_panel(board, board.column_panel + i, step);
    if (COLUMNS_FILL_TILE && i != board.row_tile(step)) {  // that tile is the row panel's
        store_as_tile(board, step, i, board.column_tile(step), c);
    }
}

// Panels in an order that begins with those that the next pivot waits for.
__device__ Task panel_at(const Board& board, int step, unsigned place) {
    const unsigned parts = board.parts(), columns = board.tile_columns * parts, rows = board.tile_rows * parts;
    const bool alternate = place < 2 * columns;
    if (alternate && place % 2 == 0) {
        return {ROW_PANEL_TASK, step, 0, int((place / 2 + board.column_tile(step + 1) * parts) % columns)};
    }
    const unsigned column_panel = alternate ? place / 2 : place - columns;
    return {COLUMN_PANEL_TASK, step, int((column_panel + board.row_tile(step + 1) * parts) % rows), 0};
}

// A tile, unless it consists of pivot rows or columns alone: then its panel sees to it.
__device__ Task tile_task(const Board& board, int step, int i, int j) {
    const bool is_panel =
        (ROWS_FILL_TILE && i == board.row_tile(step)) || (COLUMNS_FILL_TILE && j == board.column_tile(step));
    return {is_panel ? NO_TASK : TILE_TASK, step, i, j};
}

// The tiles of a step in the rows and columns of the pivot of the next step, if its panels wait for them.
__device__ unsigned urgent_tiles(const Board& board) {
    return board.catching_up() ? 0 : board.tile_rows + board.tile_columns - 1;
}

__device__ Task urgent_at(const Board& board, int step, int place) {
    const int i = board.row_tile(step + 1), j = board.column_tile(step + 1);
    if (place < board.tile_columns) return tile_task(board, step, i, place);
    place -= board.tile_columns;
    return tile_task(board, step, place + (place >= i), j);
}

// All tiles of a step, strip by strip and each row by row; those that were urgent are left out.
__device__ Task tile_at(const Board& board, int step, unsigned place) {
    const unsigned strip_tiles = board.tile_rows * STRIP, strip = place / strip_tiles, within = place % strip_tiles;
    const unsigned width = min(STRIP, board.tile_columns - strip * STRIP);
    const int i = within / width, j = strip * STRIP + within % width;
    const bool last = step + 1 == board.steps;
    const bool was_urgent =
        !board.catching_up() && !last && (i == board.row_tile(step + 1) || j == board.column_tile(step + 1));
    return was_urgent ? Task{NO_TASK, step, i, j} : tile_task(board, step, i, j);
}

__device__ Task task_of(const Board& board, unsigned ticket) {
    const unsigned tiles = board.tiles(), panels = board.panels(), urgent = urgent_tiles(board);
    const unsigned bridge = min(tiles / 2, BRIDGE * gridDim.x), length = 1 + urgent + tiles + panels;
    // Stage 0 has a pivot and panels alone: seen as one that has had its tiles before.
    ticket += urgent + bridge;
    if (ticket == urgent + bridge) return {PIVOT_TASK, 0, 0, 0};
    const bool first = ticket <= urgent + bridge + panels;
    if (!first) ticket += tiles - bridge;
    const unsigned stage = ticket / length, place = ticket % length - 1;
    if (stage == (unsigned)board.steps) {
        ticket -= stage * length;
        return ticket < tiles ? tile_at(board, stage - 1, ticket) : Task{END, 0, 0, 0};
    }
    if (stage > (unsigned)board.steps) return {END, 0, 0, 0};
    if (ticket == stage * length) return {PIVOT_TASK, (int)stage, 0, 0};
    if (place < urgent) return urgent_at(board, stage - 1, place);
    if (place < urgent + bridge) return tile_at(board, stage - 1, place - urgent);
    if (place < urgent + bridge + panels) return panel_at(board, stage, place - urgent - bridge);
    return tile_at(board, stage - 1, place - urgent - panels);
}

__device__ __forceinline__ int draw_ticket(const Board& board) { return atomicAdd(board.ticket, 1); }

__device__ Task task_after(const Board& board, unsigned ticket) {
    for (;;) {
        const Task task = task_of(board, ticket);
        if (task.kind != NO_TASK) return task;
        ticket = draw_ticket(board);
    }
}

__device__ __forceinline__ Needs needs_of_tile(const Board& board, const Task& task) {
    const int parts = board.parts() * (task.step + 1);
    return {
        board.row_panel + task.j, board.column_panel + task.i, board.tile_of(task.i, task.j), parts, parts, task.step};
}

// ---- tiles, one after the other: the crew brings what the other warps multiply

// What the two sides tell each other. A stage is a quarter of the columns and rows; the tile comes with the first.
struct Exchange {
    Gate offered, full[STAGES], taken[STAGES], stored;
    Task offers[2];  // a tile, or the task that ends the series
};

// How often the gates have opened: all of them once a tile, offered and full[0] at the end of a series too.
struct Progress {
    unsigned tiles, series;
};

__device__ __forceinline__ void set_up(Exchange& exchange) {
    for (int stage = 0; stage < STAGES; ++stage) {
        // For the tile each of the crew arrives; for a quarter of the panels the clerk, or each of the crew and the
        // clerk.
        exchange.full[stage].set_up((stage == 0 ? CREW : 0) + (BULK_COPIES ? 1 : CREW + 1));
        exchange.taken[stage].set_up(THREADS / 32);
    }
    exchange.offered.set_up(1);
    exchange.stored.set_up(THREADS / 32);
}

__device__ __forceinline__ void arrive_as_warp(Gate& gate) {
    __syncwarp();
    if (lane_index() == 0) gate.arrive();
}

__device__ __forceinline__ void take_tile(unsigned (&c)[8][8]) {
    const unsigned* tile = dynamic_shared + STAGES * STAGE;
#pragma unroll
    for (int r = 0; r < 8; ++r) load(c[r], tile + row_of(r) * TILE, thread_column());
}

// By the warps that compute. They wait for data but never for each other, so that one stores while another multiplies.
__device__ __forceinline__ Task multiply_tiles(const Board& board, Exchange& exchange, Progress& progress) {
    unsigned c[8][8];
    for (;; ++progress.tiles) {
        const unsigned round = progress.tiles + progress.series;
        exchange.full[0].await(round);
        const Task task = exchange.offers[round % 2];
        if (task.kind != TILE_TASK) return task;
        take_tile(c);
#pragma unroll 1
        for (int stage = 0; stage < STAGES; ++stage) {
            if (stage > 0) exchange.full[stage].await(progress.tiles);
            const unsigned* columns = dynamic_shared + stage * STAGE;
            multiply_chunk<QUARTER>(c, columns, columns + QUARTER * TILE);
            arrive_as_warp(exchange.taken[stage]);
        }
        store_tile(c, board.place(task.i * TILE, task.j * TILE), board.pitch());
        arrive_as_warp(exchange.stored);
    }
}

// The clerk's next task: if it is a tile, one that may begin at once. While the clerk waits for that, the tile that the
// others have at work is announced as soon as it is stored, for somebody may wait for it.
__device__ Task next_task(const Board& board, const Exchange& exchange, Task& at_work, unsigned number) {
    const Task task = task_after(board, draw_ticket(board));
    if (task.kind != TILE_TASK) return task;
    const Needs needs = needs_of_tile(board, task);
    while (!needs.met()) {
        if (at_work.kind == TILE_TASK && exchange.stored.is_open(number)) {
            announce_tile(board, at_work);
            at_work.kind = NO_TASK;
        }
        __nanosleep(20);
    }
    after_signals();
    return task;
}

// The arrivals for a quarter where there is nothing to bring, or where the crew has asked for it row by row.
__device__ __forceinline__ void fill(Gate& full) {
    if (!BULK_COPIES) full.arrive_after_copies();
    if (threadIdx.x == CLERK) full.arrive();
}

// Copies rows of a tile's width, the crew's warps in turn. Additions share a pipe with the minima: so places in shared
// memory are part of the instruction, and the next row is found by a multiply-add, which goes to the other pipe.
template <int ROWS, int ROW = 0>
__device__ __forceinline__ void bring_rows(unsigned* shared, const unsigned* from, int pitch) {
    if constexpr (ROW < ROWS) {
        copy_async<ROW * TILE>(shared, from + ROW * (long long)pitch);
        bring_rows<ROWS, ROW + CREW / 32>(shared, from, pitch);
    }
}

// What the crew brings for a tile: the tile itself, and a quarter of its panels at a time.
struct Supply {
    const unsigned *tile, *columns, *rows;
    int pitch;

    __device__ __forceinline__ Supply(const Board& board, const Task& task)
        : tile(board.place(task.i * TILE, task.j * TILE)),
          columns(board.column_panel_of(task.step, task.i)),
          rows(board.row_panel_of(task.step, task.j)),
          pitch(board.pitch()) {}

    __device__ __forceinline__ void bring_tile() const {
        const int warp = (threadIdx.x - CLERK) / 32, word = lane_index() * 4;
        bring_rows<TILE>(dynamic_shared + STAGES * STAGE + warp * TILE + word, tile + warp * (long long)pitch + word,
                         pitch);
    }

    __device__ __forceinline__ void bring_quarter(int quarter, Gate& full) const {
        unsigned* shared = dynamic_shared + quarter * STAGE;
        const int skipped = quarter * QUARTER * TILE;
        if constexpr (BULK_COPIES) {
            if (threadIdx.x != CLERK) return;
            constexpr int BYTES = QUARTER * TILE * 4;
            full.copy_bulk(shared, columns + skipped, BYTES);
            full.copy_bulk(shared + QUARTER * TILE, rows + skipped, BYTES);
            full.arrive_expecting(2 * BYTES);
        } else {
            const int own = (threadIdx.x - CLERK) * 4;
            bring_rows<QUARTER>(shared + own, columns + skipped + own, TILE);
            bring_rows<QUARTER>(shared + QUARTER * TILE + own, rows + skipped + own, TILE);
            fill(full);
        }
    }
};

// Announces the tile before once all of it is stored.
__device__ __forceinline__ void see_off(const Board& board, const Exchange& exchange, const Task& at_work,
                                        unsigned number) {
    if (threadIdx.x != CLERK || at_work.kind != TILE_TASK) return;
    exchange.stored.await(number);
    announce_tile(board, at_work);
}

// By the crew: brings tiles, up to three quarters of one ahead, until a task comes that is not a tile. The last quarter
// is given out after the tile before has been seen off: the gate `stored` must not get ahead of the clerk.
__device__ __forceinline__ Task bring_tiles(const Board& board, Exchange& exchange, Progress& progress, Task first) {
    Task at_work = {NO_TASK, 0, 0, 0};  // and not announced, as far as the clerk knows
    for (;; ++progress.tiles) {
        const unsigned round = progress.tiles + progress.series, before = progress.tiles - 1;
        if (threadIdx.x == CLERK) {
            exchange.offers[round % 2] = at_work.kind == NO_TASK ? first : next_task(board, exchange, at_work, before);
            exchange.offered.arrive();
        }
        exchange.offered.await(round);
        const Task task = exchange.offers[round % 2];
        if (task.kind != TILE_TASK) {
            exchange.full[0].arrive_after_copies();
            fill(exchange.full[0]);
            see_off(board, exchange, at_work, before);
            return task;
        }
        const Supply supply(board, task);
        supply.bring_tile();
        exchange.full[0].arrive_after_copies();
        for (int stage = 0; stage < STAGES; ++stage) {
            if (BULK_COPIES && threadIdx.x != CLERK) break;
            if (stage > 0 && progress.tiles > 0) exchange.taken[stage].await(before);  // stage 0: see below
            if (stage == STAGES - 1) see_off(board, exchange, at_work, before);
            supply.bring_quarter(stage, exchange.full[stage]);
        }
        at_work = task;
        exchange.taken[0].await(progress.tiles);
    }
}

// Does a tile and those that follow it. Returns the task that ended the series.
__device__ __forceinline__ Task do_tiles(const Board& board, Exchange& exchange, Progress& progress,
                                         const Task& first) {
    const Task next =
        computes() ? multiply_tiles(board, exchange, progress) : bring_tiles(board, exchange, progress, first);
    ++progress.series;
    __syncthreads();
    return next;
}

// In 32 bits `largest` may be the largest distance of a computation in 16: if it is below `limit` there is nothing left
// to do.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    floyd_warshall(int tile_rows, int tile_columns, int steps, unsigned* matrix, unsigned* panels, unsigned* pivots,
                   int* signals, const unsigned* largest, unsigned limit) {
    __shared__ Board board;
    __shared__ Exchange exchange;
    __shared__ Task drawn;
    if (WIDTH == 32 && largest && *largest < limit) return;
    if (threadIdx.x == CLERK) {
        board.tile_rows = tile_rows, board.tile_columns = tile_columns, board.steps = steps;
        board.few_tiles = 2 * unsigned(board.tiles()) <= 3 * gridDim.x;
        board.matrix = matrix, board.pivots = pivots;
        board.row_panels = panels, board.column_panels = panels + 2 * tile_columns * (long long)(PIVOT * TILE);
        board.ticket = signals, board.closed = signals + 1;
        board.row_panel = signals + 2, board.column_panel = board.row_panel + tile_columns;
        board.through = board.column_panel + tile_rows, board.tile = board.through + steps;
        set_up(exchange);
    }
    Progress progress = {0, 0};
    for (;;) {
        Task none = {NO_TASK, 0, 0, 0};
        if (threadIdx.x == CLERK) drawn = next_task(board, exchange, none, 0);
        __syncthreads();
        Task task = drawn;
        __syncthreads();
        if (task.kind == TILE_TASK) task = do_tiles(board, exchange, progress, task);
        switch (task.kind) {
            case PIVOT_TASK:
                do_pivot(board, task.step);
                break;
            case ROW_PANEL_TASK:
                board.parts() == 2 ? do_row_panel<2>(board, task.step, task.j)
                                   : do_row_panel<1>(board, task.step, task.j);
                break;
            case COLUMN_PANEL_TASK:
                board.parts() == 2 ? do_column_panel<2>(board, task.step, task.i)
                                   : do_column_panel<1>(board, task.step, task.i);
                break;
            default:
                return;
        }
    }
}

// The matrix that the computation starts from: 0 on the diagonal, weights where there are arcs, FAR elsewhere; a block
// does a row at a time. And signals that say that nothing is done yet, and in 16 bits no distance to be the largest
// yet.
extern "C" __global__ void place(int vertices, int rows, int row_words, const int* offsets, const int* targets,
                                 const int* weights, unsigned* matrix, int signal_count, int* signals,
                                 unsigned* largest, unsigned limit) {
    if (WIDTH == 32 && largest && *largest < limit) return;
    if (WIDTH == 16 && thread_index() == 0) *largest = 0;
    for (long long i = thread_index(); i < signal_count; i += thread_count()) signals[i] = 0;
    for (int u = blockIdx.x; u < rows; u += gridDim.x) {
        unsigned* words = matrix + u * (long long)row_words;
        uint4* fours = reinterpret_cast<uint4*>(words);
        for (int i = threadIdx.x; i < row_words / 4; i += blockDim.x) {
            fours[i] = make_uint4(FAR_WORD, FAR_WORD, FAR_WORD, FAR_WORD);
        }
        __syncthreads();
        Distance* row = reinterpret_cast<Distance*>(words);
        if (threadIdx.x == 0) row[u] = 0;
        if (u >= vertices) continue;
        const unsigned end = offsets[u + 1];  // unsigned: a step may go beyond 2^31 - 1
        for (unsigned arc = offsets[u] + threadIdx.x; arc < end; arc += blockDim.x) {
            if (targets[arc] != u) row[targets[arc]] = min((unsigned)weights[arc], FAR);
        }
    }
}

#if WIDTH == 16
// The distances in 32 bits, and the largest that is not FAR.
extern "C" __global__ void widen(int vertices, int row_words, const unsigned* matrix, int wide_words, unsigned* wide,
                                 unsigned* largest) {
    unsigned most = 0;
    for (int u = blockIdx.x; u < vertices; u += gridDim.x) {
        const unsigned* row = matrix + u * (long long)row_words;
        uint2* wide_row = reinterpret_cast<uint2*>(wide + u * (long long)wide_words);
        for (int i = threadIdx.x; i < wide_words / 2; i += blockDim.x) {
            const unsigned low = row[i] & 0xffff, high = row[i] >> 16;
            wide_row[i] = make_uint2(low == FAR ? UNREACHABLE : low, high == FAR ? UNREACHABLE : high);
            most = max(most, max(low == FAR ? 0 : low, high == FAR ? 0 : high));
        }
    }
    most = __reduce_max_sync(ALL_LANES, most);
    if (lane_index() == 0) atomicMax(largest, most);
}
#endif
