// One cluster of blocks that work as one large block: they write into each other's shared memory, several times faster
// than through global memory and a grid-wide barrier.
//
// CLUSTER is the number of blocks, which is the whole grid. Where the hardware has no clusters it is 1. On the CPU the
// blocks are those of a cooperative launch.
//
// Every vertex belongs to one block, its owner, so that what is known of it can be kept in that block's shared memory.
// The 32 vertices of a word of a bitmap have one owner. Which one is mixed from all bits of the number, because
// frontiers of grids come in strides.
#pragma once

#include "warpath.cuh"

#if CLUSTER > 1 && !defined(WARPATH_HOST)
#define ONE_CLUSTER __cluster_dims__(CLUSTER, 1, 1)
#else
#define ONE_CLUSTER
#endif

// Of every CLUSTER words of a bitmap each block owns one.
__device__ __forceinline__ unsigned owner_of_word(unsigned word) {
    unsigned mixed = word / CLUSTER * 0x9e3779b1;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca6b;
    return (word ^ mixed >> 20) % CLUSTER;
}
__device__ __forceinline__ unsigned owner_of(int vertex) { return owner_of_word(unsigned(vertex) / 32); }

// Which of its own words the owner of a vertex keeps its bit in; how many words a block has; and where in the bitmap of
// all vertices a word of block `rank` is.
__device__ __forceinline__ unsigned own_word(int vertex) { return unsigned(vertex) / 32 / CLUSTER; }
__device__ __forceinline__ unsigned own_words(int vertices) { return unsigned(vertices - 1) / 32 / CLUSTER + 1; }
__device__ __forceinline__ unsigned word_of_all(unsigned own, unsigned rank) {
    const unsigned first = own * CLUSTER;
    return first + (owner_of_word(first) ^ rank);
}

// All threads of all blocks of the cluster wait here for each other; what one wrote before, all see after.
__device__ __forceinline__ void cluster_barrier() {
#if defined(WARPATH_HOST)
    host::synchronize_grid({__FILE__, __LINE__});
#elif CLUSTER > 1
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    __syncthreads();
#endif
}
