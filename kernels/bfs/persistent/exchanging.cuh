// A search on a graph that fits into the shared memory of all blocks together.
//
// A block has a range of vertices, whose arcs it keeps in shared memory, and a bit for each vertex of the graph that
// tells whether it is visited. In each level it looks at all of its arcs: an unvisited vertex with a visited neighbour
// is found. Then blocks exchange what is visited. A word of 32 vertices travels with the number of its level beside it,
// in 64 bits that are written at once, so that blocks wait for each word and not at a barrier. Words of even and of odd
// levels are kept apart: a block is never more than one level ahead, because it needs the words of all others.
//
// All arcs have both directions.
#pragma once

#include "exchange.cuh"

struct Progress {
    unsigned barrier, levels;
};

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, const int* first_words, const int* offsets, const unsigned* packed, int source,
           unsigned* distance, unsigned long long* sent, Progress* progress, int* parents) {
    extern __shared__ __align__(16) unsigned dynamic_shared[];
    const unsigned words = words_of(vertices);
    unsigned *const visited = dynamic_shared, *const arcs = dynamic_shared + words;
    const Range range = range_of(blockIdx.x, vertices, first_words, offsets);

    for (int i = threadIdx.x; i < range.arcs; i += BLOCK) arcs[i] = __ldg(&packed[range.first_arc + i]);
    for (unsigned word = threadIdx.x; word < words; word += BLOCK) {
        visited[word] = word == unsigned(source) / 32 ? 1u << source % 32 : 0;
    }
    for (unsigned word = threadIdx.x; word < MOST_OWN / 32; word += BLOCK) {
        found_of_levels[0][word] = found_of_levels[1][word] = 0;
    }
    for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) {
        for (int parity = 0; parity < 2; ++parity) sent[parity * words + range.first_word + word] = 0;
    }
    for (unsigned vertex = threadIdx.x; vertex < range.vertices; vertex += BLOCK) {
        distance[range.first + vertex] = range.first + vertex == unsigned(source) ? 0 : UNREACHABLE;
        if (TREE) parents[range.first + vertex] = NO_VERTEX;
    }
    __syncthreads();

    unsigned level = 0;
    for (;; ++level) {
        unsigned *const found = found_of_levels[level % 2], *const other = found_of_levels[1 - level % 2];
        unsigned long long* const sent_now = sent + level % 2 * words;
        look(range, arcs, visited, found, parents);
        __syncthreads();
        const bool tells = tell(range, level, visited, found, sent_now, distance);
        for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) other[word] = 0;
        if (level == 0) {
            grid_barrier(&progress->barrier);  // nobody reads words that a search before this one has sent
        } else {
            synchronize_host_grid();
        }
        const bool hears = listen(range, words, level, visited, sent_now);
        if (!__syncthreads_or(tells || hears)) break;
    }
    if (thread_index() == 0) progress->levels = level + 1;
}
