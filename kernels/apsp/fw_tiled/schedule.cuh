// The order of tasks: ticket by ticket, so that every task needs only tasks of lower tickets.
//
// Stage s consists of
//   pivot(s);
//   the urgent tiles of step s - 1: those that the panels of step s wait for;
//   a bridge of other tiles, which are done while the pivot is being closed;
//   the panels of step s;
//   the remaining tiles of step s - 1.
// A block draws tickets until they are beyond the last stage, and does their tasks in order. So the lowest ticket whose
// task is not done is being worked on, whatever the number of blocks: there is no deadlock.
#pragma once

#include "board.cuh"

enum : unsigned { BRIDGE = 4 };  // tiles for each block
enum : unsigned { STRIP = 16 };  // columns of tiles that are gone through together, so that their panels stay in the L2

// Panels in an order that begins with those that the next pivot waits for; rows and columns alternate.
__device__ Task panel_at(const Board& board, int step, unsigned position) {
    const unsigned parts = board.parts(), columns = board.tile_columns * parts, rows = board.tile_rows * parts;
    const bool alternate = position < 2 * columns;
    if (alternate && position % 2 == 0) {
        return {ROW_PANEL_TASK, step, 0, int((position / 2 + board.column_tile(step + 1) * parts) % columns)};
    }
    const unsigned column_panel = alternate ? position / 2 : position - columns;
    return {COLUMN_PANEL_TASK, step, int((column_panel + board.row_tile(step + 1) * parts) % rows), 0};
}

// A tile that consists of pivot rows or columns alone is no task of its own: its panel writes it.
__device__ Task tile_task(const Board& board, int step, int i, int j) {
    const bool is_panel =
        (ROWS_FILL_TILE && i == board.row_tile(step)) || (COLUMNS_FILL_TILE && j == board.column_tile(step));
    return {is_panel ? NO_TASK : TILE_TASK, step, i, j};
}

// How many tiles of a step are in the rows and columns of the next pivot, if the next panels wait for them.
__device__ unsigned urgent_tiles(const Board& board) {
    return board.catching_up() ? 0 : board.tile_rows + board.tile_columns - 1;
}

__device__ Task urgent_at(const Board& board, int step, int position) {
    const int i = board.row_tile(step + 1), j = board.column_tile(step + 1);
    if (position < board.tile_columns) return tile_task(board, step, i, position);
    position -= board.tile_columns;
    return tile_task(board, step, position + (position >= i), j);
}

// All tiles of a step, strip by strip and row by row in each; those that were urgent are left out.
__device__ Task tile_at(const Board& board, int step, unsigned position) {
    const unsigned strip_tiles = board.tile_rows * STRIP, strip = position / strip_tiles;
    const unsigned within = position % strip_tiles, width = min(STRIP, board.tile_columns - strip * STRIP);
    const int i = within / width, j = strip * STRIP + within % width;
    const bool last = step + 1 == board.steps;
    const bool was_urgent =
        !board.catching_up() && !last && (i == board.row_tile(step + 1) || j == board.column_tile(step + 1));
    return was_urgent ? Task{NO_TASK, step, i, j} : tile_task(board, step, i, j);
}

__device__ Task task_of(const Board& board, unsigned ticket) {
    const unsigned tiles = board.tiles(), panels = board.panels(), urgent = urgent_tiles(board);
    const unsigned bridge = min(tiles / 2, BRIDGE * gridDim.x), length = 1 + urgent + tiles + panels;
    // Stage 0 has no tiles: tickets are counted as if they had been done.
    ticket += urgent + bridge;
    if (ticket == urgent + bridge) return {PIVOT_TASK, 0, 0, 0};
    const bool first = ticket <= urgent + bridge + panels;
    if (!first) ticket += tiles - bridge;
    const unsigned stage = ticket / length, position = ticket % length - 1;
    if (stage == (unsigned)board.steps) {
        ticket -= stage * length;
        return ticket < tiles ? tile_at(board, stage - 1, ticket) : Task{END, 0, 0, 0};
    }
    if (stage > (unsigned)board.steps) return {END, 0, 0, 0};
    if (ticket == stage * length) return {PIVOT_TASK, (int)stage, 0, 0};
    if (position < urgent) return urgent_at(board, stage - 1, position);
    if (position < urgent + bridge) return tile_at(board, stage - 1, position - urgent);
    if (position < urgent + bridge + panels) return panel_at(board, stage, position - urgent - bridge);
    return tile_at(board, stage - 1, position - urgent - panels);
}

__device__ __forceinline__ int draw_ticket(const Board& board) { return atomicAdd(board.ticket, 1); }

// The task of a ticket, or of the next one drawn that has a task.
__device__ Task task_after(const Board& board, unsigned ticket) {
    for (;;) {
        const Task task = task_of(board, ticket);
        if (task.kind != NO_TASK) return task;
        ticket = draw_ticket(board);
    }
}
