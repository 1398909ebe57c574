// What the blocks share: the matrix, its panels and pivots, and the signals that announce what is done.
#pragma once

#include "registers.cuh"
#include "signals.cuh"

// Whether a tile can consist of pivot rows, or columns, alone.
enum : bool { ROWS_FILL_TILE = PIVOT == TILE, COLUMNS_FILL_TILE = PIVOT_WORDS == TILE };

enum Kind { PIVOT_TASK, ROW_PANEL_TASK, COLUMN_PANEL_TASK, TILE_TASK, NO_TASK, END };

struct Task {
    Kind kind;
    int step, i, j;  // row and column of a tile; the part of a row panel in j, that of a column panel in i
};

struct Board {
    int tile_rows, tile_columns, steps;
    int panel_parts;  // tasks of a panel: more than one where there are few tiles for so many blocks
    unsigned *matrix, *row_panels, *column_panels, *pivots;
    // Signals, which count over all steps unless the comment says otherwise.
    int* ticket;  // drawn next
    int* pivots_closed;
    int* row_panels_done;     // parts of panels, for each column of tiles
    int* column_panels_done;  // ... and for each row
    int* tile_steps;          // steps that a tile has had, for each tile
    int* panels_read;         // for each step: tiles, and parts of the next step's panels, that have read its panels

    __device__ long long pitch() const { return tile_columns * (long long)TILE; }
    __device__ int tiles() const { return tile_rows * tile_columns; }
    // Whether panels apply the step before theirs themselves instead of waiting for their tiles, each in parts.
    // That is more work, but where there are few tiles the steps are a chain of waits.
    __device__ bool catching_up() const { return PIVOT < TILE && panel_parts > 1; }
    __device__ int parts() const { return PIVOT < TILE ? panel_parts : 1; }
    __device__ int panels() const { return (tile_rows + tile_columns) * parts(); }
    __device__ int row_tile(int step) const { return step * PIVOT / TILE; }
    __device__ int column_tile(int step) const { return step * PIVOT_WORDS / TILE; }
    __device__ unsigned* at(int row, int word) const { return matrix + row * pitch() + word; }
    // Panels of two steps are stored: when a step's are written, those of two steps before have been read.
    __device__ unsigned* row_panel(int step, int j) const {
        return row_panels + (step % 2 * tile_columns + j) * (long long)(PIVOT * TILE);
    }
    __device__ unsigned* column_panel(int step, int i) const {
        return column_panels + (step % 2 * tile_rows + i) * (long long)(PIVOT * TILE);
    }
    __device__ unsigned* pivot_columns(int step) const { return pivots + step * (long long)(2 * PIVOT * PIVOT); }
    __device__ unsigned* pivot_rows(int step) const { return pivot_columns(step) + PIVOT * PIVOT; }
    __device__ int* steps_of_tile(int i, int j) const { return tile_steps + i * tile_columns + j; }
};

// By one thread, before a barrier of the block.
__device__ __forceinline__ void set_up(Board& board, int tile_rows, int tile_columns, int steps, unsigned* matrix,
                                       unsigned* panels, unsigned* pivots, int* signals) {
    board.tile_rows = tile_rows, board.tile_columns = tile_columns, board.steps = steps;
    const bool few_tiles = 2 * unsigned(board.tiles()) <= 3 * gridDim.x;
    const bool all_at_once = board.tiles() + 4 * unsigned(tile_rows + tile_columns) < gridDim.x;  // and the pivot
    board.panel_parts = all_at_once ? 4 : few_tiles ? 2 : 1;
    board.matrix = matrix, board.pivots = pivots;
    board.row_panels = panels, board.column_panels = panels + 2 * tile_columns * (long long)(PIVOT * TILE);
    board.ticket = signals, board.pivots_closed = signals + 1;
    board.row_panels_done = signals + 2, board.column_panels_done = board.row_panels_done + tile_columns;
    board.panels_read = board.column_panels_done + tile_rows, board.tile_steps = board.panels_read + steps;
}

// Raises a signal, which says that everything is done that the block wrote before its last barrier.
__device__ __forceinline__ void announce(int* signal, int value, int* counter = nullptr) {
    if (threadIdx.x != SCHEDULER) return;
    before_signals();
    raise_signal(signal, value);
    if (counter) atomicAdd(counter, 1);
}

__device__ __forceinline__ void announce_tile(const Board& board, const Task& task) {
    announce(board.steps_of_tile(task.i, task.j), task.step + 1, board.panels_read + task.step);
}

__device__ __forceinline__ void announce_panel(const Board& board, int* panels_done, int step) {
    __syncthreads();
    if (threadIdx.x != SCHEDULER) return;
    before_signals();
    atomicAdd(panels_done, 1);
    if (step > 0) atomicAdd(board.panels_read + step - 1, 1);
}

// Up to three signals that a task waits for, and the least value of each.
struct Needs {
    const int *first, *second, *third;
    int first_value, second_value, third_value;

    __device__ __forceinline__ bool met() const {
        const int now_first = read_signal(first), now_second = second ? read_signal(second) : second_value;
        const int now_third = third ? read_signal(third) : third_value;
        return now_first >= first_value && now_second >= second_value && now_third >= third_value;
    }
};

__device__ __forceinline__ void await(const Needs& needs) {
    if (threadIdx.x == SCHEDULER) {
        while (!needs.met()) __nanosleep(20);
        after_signals();
    }
    __syncthreads();
}

// The pivot is closed, and the panels that this step's replace have been read.
__device__ __forceinline__ void await_pivot(const Board& board, int step) {
    await({board.pivots_closed, step < 2 ? nullptr : board.panels_read + step - 2, nullptr, step + 1,
           board.tiles() + board.panels(), 0});
}

__device__ __forceinline__ Needs needs_of_tile(const Board& board, const Task& task) {
    const int parts = board.parts() * (task.step + 1);
    return {board.row_panels_done + task.j,
            board.column_panels_done + task.i,
            board.steps_of_tile(task.i, task.j),
            parts,
            parts,
            task.step};
}
