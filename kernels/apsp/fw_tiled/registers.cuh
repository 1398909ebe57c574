// A tile of TILE rows, of as many words each, in the registers of a block: which words of it a thread holds, and how
// they are loaded and stored.
//
// The COMPUTE_THREADS form a square of 16 x 16, a warp a rectangle of 4 x 8 in it. Of a tile of 128 rows of 128 words a
// thread holds 8 x 8: four neighbouring rows and the four that are 64 below, and likewise for columns, so that lanes
// access shared memory in vectors of 16 bytes without bank conflicts. What has fewer rows or columns (a panel, half a
// panel, a pivot) takes fewer slots of each thread.
#pragma once

#include "minplus.cuh"

enum : int { COMPUTE_THREADS = 256 };                   // hold tiles in registers
enum : int { SCHEDULER = COMPUTE_THREADS };             // the thread that draws tickets, reads signals and raises them
enum : int { COPY_THREADS = BLOCK - COMPUTE_THREADS };  // the scheduler's warp and others, which copy to shared memory
enum : int { PIVOT_WORDS = PIVOT / PACK };              // of a pivot's row
enum : int { PIVOT_ROW_SLOTS = PIVOT / 16 };
enum : int { PIVOT_WORD_SLOTS = PIVOT_WORDS / 16 };

__device__ __forceinline__ bool computes() { return threadIdx.x < COMPUTE_THREADS; }
__device__ __forceinline__ int thread_row() { return threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8; }
__device__ __forceinline__ int thread_column() { return threadIdx.x / 32 % 2 * 8 + threadIdx.x % 8; }

// The row of a tile that a thread holds in a slot, the distance from the slot before, and the word.
template <int ROWS = 8>
__device__ __forceinline__ int row_of(int slot) {
    if (ROWS < 4) return thread_row() * ROWS + slot;
    return slot / 4 * 64 + thread_row() * 4 + slot % 4;
}
__device__ __forceinline__ int rows_from_previous(int slot) { return slot % 4 == 0 ? 61 : 1; }
template <int WORDS>
__device__ __forceinline__ int word_of(int slot) {
    if (WORDS < 4) return thread_column() * WORDS + slot;
    return slot / 4 * 64 + thread_column() * 4 + slot % 4;
}

// Accesses to global memory that other blocks write bypass the L1, which is not coherent.
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

// The slots of thread row or thread column `first` in a line of a tile.
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
    from += row_of<ROWS>(0) * pitch + word_of<WORDS>(0);
#pragma unroll
    for (int r = 0; r < ROWS; ++r, from += rows_from_previous(r) * pitch) load<WORDS, true>(c[r], from, 0);
}

template <int ROWS, int WORDS>
__device__ __forceinline__ void store_tile(const unsigned (&c)[ROWS][WORDS], unsigned* to, long long pitch) {
    if (!computes()) return;
    to += row_of<ROWS>(0) * pitch + word_of<WORDS>(0);
#pragma unroll
    for (int r = 0; r < ROWS; ++r, to += rows_from_previous(r) * pitch) store<WORDS, true>(c[r], to, 0);
}

// Calls put(column, number) for each of the thread's columns, spread: the same distance in both halves of a word.
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

// Stores the transpose: columns become rows of spread words.
template <int ROWS, int WORDS>
__device__ __forceinline__ void store_columns(const unsigned (&c)[ROWS][WORDS], unsigned* to, int pitch) {
    for_each_column(c, [&](const unsigned (&column)[ROWS], int number) {
        store<ROWS, true>(column, to + number * pitch, thread_row());
    });
}
