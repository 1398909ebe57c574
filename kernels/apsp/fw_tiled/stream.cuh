// Tiles one after the other: the copy threads fill shared memory with what the compute warps multiply.
//
// A tile's product is computed in STAGES, each with its own part of shared memory, so that copies run up to three
// stages ahead, into the next tile. Warps wait at gates for data, never for each other: one stores its part of a tile
// while another begins the next tile. The scheduler draws the tickets meanwhile. A series of tiles ends with a task
// that is not a tile.
#pragma once

#include "gate.cuh"
#include "product.cuh"
#include "schedule.cuh"

enum : int { STAGES = 4 };
enum : int { STAGE = PIVOT / STAGES };          // columns of A and rows of B
enum : int { STAGE_WORDS = 2 * STAGE * TILE };  // of both
enum : int { STAGE_BYTES = STAGE * TILE * 4 };  // of either

// How the two sides wait for each other.
struct Pipeline {
    Gate offered;        // the task of the round is in `tasks`
    Gate full[STAGES];   // the stage is in shared memory, and with the first stage the tile
    Gate taken[STAGES];  // ... and has been multiplied
    Gate stored;         // the tile is in the matrix
    Task tasks[2];       // of this round and the one before
};

// How often the gates have opened: once a tile, and `offered` and `full[0]` at the end of each series too.
struct Progress {
    unsigned tiles, series;
};

__device__ __forceinline__ void set_up(Pipeline& pipeline) {
    for (int stage = 0; stage < STAGES; ++stage) {
        // Each copy thread arrives for the tile; for a stage the scheduler, and where it cannot copy in bulk they all.
        pipeline.full[stage].set_up((stage == 0 ? COPY_THREADS : 0) + (BULK_COPIES ? 1 : COPY_THREADS + 1));
        pipeline.taken[stage].set_up(COMPUTE_THREADS / 32);
    }
    pipeline.offered.set_up(1);
    pipeline.stored.set_up(COMPUTE_THREADS / 32);
}

// ---- the compute warps

__device__ __forceinline__ void arrive_as_warp(Gate& gate) {
    __syncwarp();
    if (lane_index() == 0) gate.arrive();
}

__device__ __forceinline__ void take_tile(unsigned (&c)[8][8]) {
    const unsigned* tile = dynamic_shared + STAGES * STAGE_WORDS;
#pragma unroll
    for (int r = 0; r < 8; ++r) load(c[r], tile + row_of(r) * TILE, thread_column());
}

__device__ __forceinline__ Task multiply_tiles(const Board& board, Pipeline& pipeline, Progress& progress) {
    unsigned c[8][8];
    for (;; ++progress.tiles) {
        const unsigned round = progress.tiles + progress.series;
        pipeline.full[0].await(round);
        const Task task = pipeline.tasks[round % 2];
        if (task.kind != TILE_TASK) return task;
        take_tile(c);
#pragma unroll 1
        for (int stage = 0; stage < STAGES; ++stage) {
            if (stage > 0) pipeline.full[stage].await(progress.tiles);
            const unsigned* columns = dynamic_shared + stage * STAGE_WORDS;
            multiply_lines<STAGE>(c, columns, columns + STAGE * TILE);
            arrive_as_warp(pipeline.taken[stage]);
        }
        store_tile(c, board.at(task.i * TILE, task.j * TILE), board.pitch());
        arrive_as_warp(pipeline.stored);
    }
}

// ---- the copy threads, of which the scheduler is one

// Draws a task; if it is a tile, waits until it may begin. Meanwhile tile number `number`, which is `in_work`, is
// announced as soon as it is stored, because another block may wait for it.
__device__ Task next_task(const Board& board, const Pipeline& pipeline, Task& in_work, unsigned number) {
    const Task task = task_after(board, draw_ticket(board));
    if (task.kind != TILE_TASK) return task;
    const Needs needs = needs_of_tile(board, task);
    while (!needs.met()) {
        if (in_work.kind == TILE_TASK && pipeline.stored.is_open(number)) {
            announce_tile(board, in_work);
            in_work.kind = NO_TASK;
        }
        __nanosleep(20);
    }
    after_signals();
    before_bulk_copies();
    return task;
}

// The scheduler announces the tile in work, unless `next_task` has, as soon as it is stored.
__device__ __forceinline__ void announce_in_work(const Board& board, const Pipeline& pipeline, const Task& in_work,
                                                 unsigned number) {
    if (threadIdx.x != SCHEDULER || in_work.kind != TILE_TASK) return;
    pipeline.stored.await(number);
    announce_tile(board, in_work);
}

// The arrivals for a stage that nothing is copied for, or that was copied row by row.
__device__ __forceinline__ void arrive_for_stage(Gate& full) {
    if (!BULK_COPIES) full.arrive_after_copies();
    if (threadIdx.x == SCHEDULER) full.arrive();
}

// Copies rows of a tile's width, the warps in turn. Additions share a pipe with the minima of the compute warps. So the
// offset in shared memory is part of the instruction, and the address of the next row a multiply-add, for another pipe.
template <int ROWS, int ROW = 0>
__device__ __forceinline__ void copy_rows(unsigned* shared, const unsigned* from, int pitch) {
    if constexpr (ROW < ROWS) {
        copy_async<ROW * TILE>(shared, from + ROW * (long long)pitch);
        copy_rows<ROWS, ROW + COPY_THREADS / 32>(shared, from, pitch);
    }
}

// A tile and its panels in global memory.
struct TileSource {
    const unsigned *tile, *columns, *rows;
    int pitch;

    __device__ __forceinline__ TileSource(const Board& board, const Task& task)
        : tile(board.at(task.i * TILE, task.j * TILE)),
          columns(board.column_panel(task.step, task.i)),
          rows(board.row_panel(task.step, task.j)),
          pitch(board.pitch()) {}

    __device__ __forceinline__ void copy_tile() const {
        const int warp = (threadIdx.x - SCHEDULER) / 32, word = lane_index() * 4;
        copy_rows<TILE>(dynamic_shared + STAGES * STAGE_WORDS + warp * TILE + word,
                        tile + warp * (long long)pitch + word, pitch);
    }

    __device__ __forceinline__ void copy_stage(int stage, Gate& full) const {
        unsigned* shared = dynamic_shared + stage * STAGE_WORDS;
        const int offset = stage * STAGE * TILE;
        if constexpr (BULK_COPIES) {
            if (threadIdx.x != SCHEDULER) return;
            full.copy_bulk(shared, columns + offset, STAGE_BYTES);
            full.copy_bulk(shared + STAGE * TILE, rows + offset, STAGE_BYTES);
            full.arrive_expecting(2 * STAGE_BYTES);
        } else {
            const int own = (threadIdx.x - SCHEDULER) * 4;
            copy_rows<STAGE>(shared + own, columns + offset + own, TILE);
            copy_rows<STAGE>(shared + STAGE * TILE + own, rows + offset + own, TILE);
            arrive_for_stage(full);
        }
    }
};

// Stage 0 is copied as soon as the tile before has been taken from it. The last stage is copied only when the tile
// before is announced: then the gate `stored` is never more than a round ahead of the scheduler.
__device__ __forceinline__ Task copy_tiles(const Board& board, Pipeline& pipeline, Progress& progress, Task first) {
    Task in_work = {NO_TASK, 0, 0, 0};  // the scheduler has not announced it
    for (;; ++progress.tiles) {
        const unsigned round = progress.tiles + progress.series, before = progress.tiles - 1;
        if (threadIdx.x == SCHEDULER) {
            pipeline.tasks[round % 2] = in_work.kind == NO_TASK ? first : next_task(board, pipeline, in_work, before);
            pipeline.offered.arrive();
        }
        pipeline.offered.await(round);
        const Task task = pipeline.tasks[round % 2];
        if (task.kind != TILE_TASK) {
            pipeline.full[0].arrive_after_copies();
            arrive_for_stage(pipeline.full[0]);
            announce_in_work(board, pipeline, in_work, before);
            return task;
        }
        const TileSource source(board, task);
        source.copy_tile();
        pipeline.full[0].arrive_after_copies();
        for (int stage = 0; stage < STAGES; ++stage) {
            if (BULK_COPIES && threadIdx.x != SCHEDULER) break;
            if (stage > 0 && progress.tiles > 0) pipeline.taken[stage].await(before);
            if (stage == STAGES - 1) announce_in_work(board, pipeline, in_work, before);
            source.copy_stage(stage, pipeline.full[stage]);
        }
        in_work = task;
        pipeline.taken[0].await(progress.tiles);
    }
}

// Does tiles from `first` on. Returns the task that ends the series.
__device__ __forceinline__ Task do_tiles(const Board& board, Pipeline& pipeline, Progress& progress,
                                         const Task& first) {
    const Task next =
        computes() ? multiply_tiles(board, pipeline, progress) : copy_tiles(board, pipeline, progress, first);
    ++progress.series;
    __syncthreads();
    return next;
}
