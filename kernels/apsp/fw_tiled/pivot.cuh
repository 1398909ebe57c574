// Closes the square of a pivot, which a block holds in registers: Floyd-Warshall by two vertices k and k + 1 at a time.
//
// The threads that hold the rows and columns of the pair share them with all others. Each thread relaxes its words of
// row and column k + 1 by way of k itself, which saves a barrier.
#pragma once

#include "product.cuh"

using PivotSquare = unsigned[PIVOT_ROW_SLOTS][PIVOT_WORD_SLOTS];

// The vertices k = half * 64 + row * 4 + pair * 2 and k + 1, whose rows the threads of one thread row hold.
struct PivotPair {
    int half, row, pair;

    __device__ __forceinline__ int k() const { return half * 64 + row * 4 + pair * 2; }
    __device__ __forceinline__ int slot() const { return half * 4 + pair * 2; }
    // Shared memory, alternating from pair to pair: both rows, then both columns.
    __device__ __forceinline__ unsigned* rows() const { return dynamic_shared + pair * 512; }
    __device__ __forceinline__ unsigned* columns() const { return rows() + 256; }
};

__device__ __forceinline__ void share_columns(const PivotSquare& c, const PivotPair& k) {
    // Packed columns of a wide pivot are four to a thread: two pairs.
    constexpr bool TWO_PAIRS = PACK == 2 && PIVOT_WORD_SLOTS == 4;
    const int holder = TWO_PAIRS ? k.half * 8 + k.row / 2 : k.row;
    if (!computes() || thread_column() != holder) return;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        unsigned column[PIVOT_ROW_SLOTS];
#pragma unroll
        for (int r = 0; r < PIVOT_ROW_SLOTS; ++r) {
            const int slot = PACK == 2 ? k.pair : k.slot() + i;
            const bool second = TWO_PAIRS && k.row % 2;
            column[r] = spread(second ? c[r][2 % PIVOT_WORD_SLOTS + k.pair] : c[r][slot], i);
        }
        store(column, k.columns() + i * 128, thread_row());
    }
}

__device__ __forceinline__ void share(const PivotSquare& c, const PivotPair& k) {
    if (thread_row() == k.row) {
        store(c[k.slot()], k.rows(), thread_column());
        store(c[k.slot() + 1], k.rows() + 128, thread_column());
    }
    share_columns(c, k);
}

// Relaxes a thread's words by way of k and k + 1: `to` are the distances to them, `from` those from them.
__device__ __forceinline__ void relax_through(PivotSquare& c, unsigned (&to)[2][PIVOT_ROW_SLOTS],
                                              unsigned (&from)[2][PIVOT_WORD_SLOTS], unsigned back, unsigned forth) {
#pragma unroll
    for (int w = 0; w < PIVOT_WORD_SLOTS; ++w) from[1][w] = shorter(from[1][w], back, from[0][w]);
#pragma unroll
    for (int r = 0; r < PIVOT_ROW_SLOTS; ++r) {
        to[1][r] = shorter(to[1][r], to[0][r], forth);
#pragma unroll
        for (int w = 0; w < PIVOT_WORD_SLOTS; ++w) {
            c[r][w] = shorter(shorter(c[r][w], to[0][r], from[0][w]), to[1][r], from[1][w]);
        }
    }
}

__device__ __forceinline__ void close(PivotSquare& c) {
#pragma unroll
    for (int half = 0; half < PIVOT_ROW_SLOTS / 4; ++half) {
#pragma unroll 1
        for (int row = 0; row < 16; ++row) {
#pragma unroll
            for (int pair = 0; pair < 2; ++pair) {
                const PivotPair k = {half, row, pair};
                const unsigned *rows = k.rows(), *columns = k.columns();
                share(c, k);
                __syncthreads();
                if (!computes()) continue;
                const unsigned back = columns[k.k() + 1], forth = columns[128 + k.k()];  // k + 1 to k, k to k + 1
                unsigned to[2][PIVOT_ROW_SLOTS], from[2][PIVOT_WORD_SLOTS];
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    load(to[i], columns + i * 128, thread_row());
                    load(from[i], rows + i * 128, thread_column());
                }
                relax_through(c, to, from, back, forth);
            }
        }
    }
    __syncthreads();
}
