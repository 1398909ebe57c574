// c = min(c, A + B): the product of matrices over min and +, of operands in shared memory and c in registers.
//
// A is stored by columns, B by rows: one column and one row give each thread what it needs for all of its words.
#pragma once

#include "async_copy.cuh"
#include "registers.cuh"

// The product of PIVOT columns and rows is computed in CHUNKS: one is multiplied while the next is copied.
enum : int { CHUNKS = 2 };
enum : int { CHUNK = PIVOT / CHUNKS };          // columns of A and rows of B
enum : int { CHUNK_WORDS = 2 * CHUNK * TILE };  // of both
enum : int { UNROLLED = UNROLL };

// The chunks of A and B, or the stages of a stream (stream.cuh), and a tile.
extern __shared__ __align__(16) unsigned dynamic_shared[];

// An operand in global memory: rows of 16 * WORDS words, which the compute threads copy a chunk at a time.
template <int WORDS>
struct Rows {
    static constexpr int VECTORS = WORDS * 16 / 4, ROWS_AT_ONCE = COMPUTE_THREADS / VECTORS;
    const unsigned* from;
    long long pitch;

    __device__ __forceinline__ Rows(const unsigned* first, long long pitch)
        : from(first + threadIdx.x / VECTORS * pitch + threadIdx.x % VECTORS * 4), pitch(pitch) {}

    __device__ __forceinline__ void copy_chunk(unsigned* shared) {
#pragma unroll
        for (int row = 0; row < CHUNK; row += ROWS_AT_ONCE) {
            if (ROWS_AT_ONCE > CHUNK && threadIdx.x / VECTORS >= CHUNK) break;
            copy_async(shared + row * WORDS * 16 + threadIdx.x * 4, from + row * pitch);
        }
        from += CHUNK * pitch;
    }
};

// An operand that `share_rows` or `share_columns` has put into shared memory.
struct Shared {
    __device__ __forceinline__ void copy_chunk(unsigned*) const {}
};
__device__ __forceinline__ unsigned* shared_line(int line, int pitch) {
    return dynamic_shared + line / CHUNK * CHUNK_WORDS + line % CHUNK * pitch;
}

// Makes c the operand B of the next product, which begins with a barrier.
template <int ROWS, int WORDS>
__device__ __forceinline__ void share_rows(const unsigned (&c)[ROWS][WORDS]) {
    if (!computes()) return;
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        store(c[r], shared_line(row_of<ROWS>(r), WORDS * 16) + CHUNK * TILE, thread_column());
}

// Makes c the operand A.
template <int ROWS, int WORDS>
__device__ __forceinline__ void share_columns(const unsigned (&c)[ROWS][WORDS]) {
    for_each_column(c, [](const unsigned (&column)[ROWS], int number) {
        store(column, shared_line(number, ROWS * 16), thread_row());
    });
}

template <typename A, typename B>
__device__ __forceinline__ void copy_chunks(A& a, B& b, int chunk) {
    if (!computes()) return;
    a.copy_chunk(dynamic_shared + chunk * CHUNK_WORDS);
    b.copy_chunk(dynamic_shared + chunk * CHUNK_WORDS + CHUNK * TILE);
}

// The product of COUNT columns and as many rows.
template <int COUNT, int ROWS, int WORDS>
__device__ __forceinline__ void multiply_lines(unsigned (&c)[ROWS][WORDS], const unsigned* columns,
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

// The product of PIVOT columns of A and rows of B.
template <int ROWS, int WORDS, typename A, typename B>
__device__ __forceinline__ void multiply(unsigned (&c)[ROWS][WORDS], A a, B b) {
    copy_chunks(a, b, 0);
    commit_copies();
#pragma unroll 1
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        await_copies();
        __syncthreads();
        if (chunk == 0) {
            copy_chunks(a, b, 1);
            commit_copies();
        }
        const unsigned* columns = dynamic_shared + chunk * CHUNK_WORDS;
        if (computes()) multiply_lines<CHUNK>(c, columns, columns + CHUNK * TILE);
    }
    __syncthreads();
}
