// Blocked Floyd-Warshall: k advances by a tile at a time, in three phases that work from shared memory.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// The naive algorithm reads every element V times from memory. Here the matrix is cut into TILE x TILE tiles, and a
// step does TILE values of k at once: first the primary tile on the diagonal; then the tiles in its row and its column,
// which need it and themselves; then all others, which need one tile of that row and one of that column. Every block
// first loads the tiles that it needs into shared memory. The matrix is padded to whole tiles with UNREACHABLE.
//
// A block has TILE x TILE threads, 32 x 32 at most; with a tile of 64 each thread has four elements.
//
// A value of k improves only elements outside of row k and column k, because the diagonal is 0. An element is stored
// only if it improves: so nothing that is read for this k is written for it, and one barrier a k is enough.
//
// Launches: one that places the arcs in the matrix, then three for each tile on the diagonal. Blocks of the later
// phases that fall on tiles already done return at once.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 5.3, after Katz and Kider 2008,
// "All-pairs shortest-paths for large graphs on the GPU".
// Corrected: i and j of section 5.3.2 run over ranges that include the primary block, which its text then excludes. The
// paper does not give its tile sizes.

#include "adjacency.cuh"

#ifndef TILE
#define TILE 32
#endif

enum : int { SIDE = TILE < 32 ? TILE : 32 };  // threads along each side of a block

using Tile = unsigned[TILE][TILE];

// Calls element(i, j) for each of this thread's elements of a tile.
template <typename Element>
__device__ inline void each_element(Element element) {
    for (int i = threadIdx.y; i < TILE; i += SIDE) {
        for (int j = threadIdx.x; j < TILE; j += SIDE) element(i, j);
    }
}

__device__ inline unsigned* tile_at(unsigned* matrix, int width, int row, int column) {
    return matrix + static_cast<long long>(row) * TILE * width + static_cast<long long>(column) * TILE;
}

__device__ inline void load(Tile& tile, const unsigned* from, int width) {
    each_element([&](int i, int j) { tile[i][j] = from[static_cast<long long>(i) * width + j]; });
}

__device__ inline void store(const Tile& tile, unsigned* to, int width) {
    each_element([&](int i, int j) { to[static_cast<long long>(i) * width + j] = tile[i][j]; });
}

// Relaxes this thread's elements by way of k: to_k has the first half of the path, from_k the second.
__device__ inline void relax(Tile& tile, const Tile& to_k, const Tile& from_k, int k) {
    each_element([&](int i, int j) {
        const unsigned through_k = to_k[i][k] + from_k[k][j];
        if (through_k < tile[i][j]) tile[i][j] = through_k;
    });
}

extern "C" __global__ void independent(int primary, int width, unsigned* matrix) {
    __shared__ Tile own;
    unsigned* place = tile_at(matrix, width, primary, primary);
    load(own, place, width);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
        relax(own, own, own, k);
        __syncthreads();
    }
    store(own, place, width);
}

extern "C" __global__ void partially_dependent(int primary, int width, unsigned* matrix) {
    __shared__ Tile diagonal, own;
    const int other = blockIdx.x;
    const bool shares_row = blockIdx.y == 0;
    if (other == primary) return;
    unsigned* place = shares_row ? tile_at(matrix, width, primary, other) : tile_at(matrix, width, other, primary);
    load(diagonal, tile_at(matrix, width, primary, primary), width);
    load(own, place, width);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
        if (shares_row) {
            relax(own, diagonal, own, k);
        } else {
            relax(own, own, diagonal, k);
        }
        __syncthreads();
    }
    store(own, place, width);
}

extern "C" __global__ void doubly_dependent(int primary, int width, unsigned* matrix) {
    __shared__ Tile own, in_column, in_row;
    const int row = blockIdx.y;
    const int column = blockIdx.x;
    if (row == primary || column == primary) return;
    unsigned* place = tile_at(matrix, width, row, column);
    load(own, place, width);
    load(in_column, tile_at(matrix, width, row, primary), width);
    load(in_row, tile_at(matrix, width, primary, column), width);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) relax(own, in_column, in_row, k);
    store(own, place, width);
}
