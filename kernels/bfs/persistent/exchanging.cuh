// A search on a graph that fits into the shared memory of all blocks together.
//
// A block has a range of vertices, whose arcs it keeps in shared memory, and a bit for each vertex of the graph that
// tells whether it is visited. In each level it looks at its arcs, but where all near ones leave visited vertices: an
// unvisited vertex with a visited neighbour is found. Then blocks exchange what is visited. A word of 32 vertices
// travels with the number of its level beside it, in 64 bits that are written at once, so that blocks wait for each
// word and not at a barrier. Words of even and of odd levels are kept apart: a block is never more than one level ahead
// of one whose words it needs. A block may have none, and be behind; then it finds words of later levels, and nobody
// waits for it.
//
// All arcs have both directions. An arc is kept in 32 bits: the number of its tail in the range, and where the bit of
// its target is.
#pragma once

#include "bitmap.cuh"
#include "relaxed.cuh"

enum : unsigned { NO_TAIL = ~0u >> TARGET_BITS };  // vertices of a range, at most

struct Progress {
    unsigned barrier, levels;
};

// The vertices and arcs of a block.
struct Range {
    unsigned first_word, words, first, vertices;
    int first_arc, arcs;
};

__device__ __forceinline__ Range range_of(unsigned block, int vertices, const int* first_words, const int* offsets) {
    const unsigned word = first_words[block], words = first_words[block + 1] - word;
    const unsigned first = min(word * 32, unsigned(vertices)), count = min(words * 32, vertices - first);
    return {word, words, first, count, offsets[first], offsets[first + count] - offsets[first]};
}

// Where the bit of a vertex is: words 32 apart are in different banks. Doing it twice undoes it.
__device__ __forceinline__ unsigned place_of(unsigned vertex) { return vertex ^ (vertex / 1024 % 32 * 32); }

// Packs the arcs of a range; the lanes of a warp share those of a vertex.
extern "C" __global__ void pack(int vertices, const int* first_words, const int* offsets, const int* targets,
                                unsigned* packed) {
    const Range range = range_of(blockIdx.x, vertices, first_words, offsets);
    for (unsigned vertex = threadIdx.x / 32; vertex < range.vertices; vertex += BLOCK / 32) {
        const int begin = offsets[range.first + vertex], end = offsets[range.first + vertex + 1];
        for (int i = begin + lane_index(); i < end; i += 32) packed[i] = vertex << TARGET_BITS | place_of(targets[i]);
    }
}

// Looks at arcs of the block. What was visited before this level is one step nearer than what is found. A warp
// passes over its `closed` pieces, whose tails are all visited; `own` are the bits of the block's visited vertices.
__device__ __forceinline__ void look(const Range& range, const unsigned* arcs, const unsigned* visited,
                                     const unsigned* own, unsigned* found, int* parents, unsigned& closed) {
    constexpr int piece = 32 * READ_TOGETHER;
    unsigned bit = 1;
    for (int first = threadIdx.x / 32 * piece; first < range.arcs; first += BLOCK / 32 * piece, bit *= 2) {
        if (closed & bit) continue;
        unsigned tail[READ_TOGETHER], target[READ_TOGETHER];
        bool open[READ_TOGETHER], any = false;
        for (int k = 0; k < READ_TOGETHER; ++k) {
            const int i = first + k * 32 + int(lane_index());
            const unsigned arc = i < range.arcs ? arcs[i] : ~0u;
            tail[k] = arc >> TARGET_BITS, target[k] = arc & ((1u << TARGET_BITS) - 1);
        }
        for (int k = 0; k < READ_TOGETHER; ++k) open[k] = tail[k] != NO_TAIL && !has_bit(own, tail[k]);
        for (int k = 0; k < READ_TOGETHER; ++k) any |= open[k];
        if (!__any_sync(ALL_LANES, any)) closed |= bit;
        for (int k = 0; k < READ_TOGETHER; ++k) open[k] = open[k] && has_bit(visited, target[k]);
        for (int k = 0; k < READ_TOGETHER; ++k) {
            if (!open[k] || has_bit(found, tail[k])) continue;
            const bool is_first = claim_bit(found, tail[k]);
            if (TREE && is_first) parents[range.first + tail[k]] = int(place_of(target[k]));
        }
    }
}

// Sends the block's words, and notes the distances of the vertices found. Returns whether there were any.
__device__ __forceinline__ bool tell(const Range& range, unsigned level, unsigned* visited, unsigned* own,
                                     const unsigned* found, unsigned long long* sent, unsigned* distance) {
    bool any = false;
    for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) {
        const unsigned now = own[word] |= found[word];
        visited[place_of((range.first_word + word) * 32) / 32] = now;
        any |= found[word] != 0;
        store_relaxed(&sent[range.first_word + word], (unsigned long long)(level + 1) << 32 | now);
    }
    for (unsigned vertex = threadIdx.x; vertex < range.vertices; vertex += BLOCK) {
        if (has_bit(found, vertex)) distance[range.first + vertex] = level + 1;
    }
    return any;
}

// Waits for the words of other blocks. Returns whether one has changed.
__device__ __forceinline__ bool listen(const Range& range, unsigned words, unsigned level, unsigned* visited,
                                       const unsigned long long* sent) {
    bool any = false;
    for (unsigned first = threadIdx.x; first < words; first += READ_TOGETHER * BLOCK) {
        unsigned long long received[READ_TOGETHER];
        bool is_complete;
        do {
            is_complete = true;
            for (int k = 0; k < READ_TOGETHER; ++k) {
                if (first + k * BLOCK < words) received[k] = load_relaxed(&sent[first + k * BLOCK]);
            }
            for (int k = 0; k < READ_TOGETHER; ++k) {
                is_complete &= first + k * BLOCK >= words || received[k] >> 32 > level;
            }
        } while (!is_complete);
        for (int k = 0; k < READ_TOGETHER; ++k) {
            const unsigned word = first + k * BLOCK, place = place_of(word * 32) / 32, now = unsigned(received[k]);
            if (word >= words || word - range.first_word < range.words || visited[place] == now) continue;
            visited[place] = now;
            any = true;
        }
    }
    return any;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, const int* first_words, const int* offsets, const unsigned* packed, int source,
           unsigned* distance, unsigned long long* sent, Progress* progress, int* parents) {
    extern __shared__ __align__(16) unsigned dynamic_shared[];
    __shared__ unsigned own[(NO_TAIL + 31) / 32], found_of_levels[2][(NO_TAIL + 31) / 32];  // in even and in odd levels
    const unsigned words = words_of(vertices);
    unsigned *const visited = dynamic_shared, *const arcs = dynamic_shared + (words + 31) / 32 * 32;
    const Range range = range_of(blockIdx.x, vertices, first_words, offsets);

    for (int i = threadIdx.x; i < range.arcs; i += BLOCK) arcs[i] = __ldg(&packed[range.first_arc + i]);
    for (unsigned word = threadIdx.x; word < words; word += BLOCK) {
        visited[place_of(word * 32) / 32] = word == unsigned(source) / 32 ? 1u << source % 32 : 0;
    }
    for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) {
        own[word] = range.first_word + word == unsigned(source) / 32 ? 1u << source % 32 : 0;
        found_of_levels[0][word] = found_of_levels[1][word] = 0;
        sent[range.first_word + word] = sent[words + range.first_word + word] = 0;
    }
    for (unsigned vertex = range.first + threadIdx.x; vertex < range.first + range.vertices; vertex += BLOCK) {
        distance[vertex] = vertex == unsigned(source) ? 0 : UNREACHABLE;
        if (TREE) parents[vertex] = NO_VERTEX;
    }
    unsigned closed = 0;
    __syncthreads();

    for (unsigned level = 0;; ++level) {
        unsigned *const found = found_of_levels[level % 2], *const other = found_of_levels[1 - level % 2];
        unsigned long long* const sent_now = sent + level % 2 * words;
        look(range, arcs, visited, own, found, parents, closed);
        __syncthreads();
        const bool tells = tell(range, level, visited, own, found, sent_now, distance);
        for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) other[word] = 0;
        if (level == 0) {
            grid_barrier(&progress->barrier);  // nobody reads words that a search before this one has sent
        } else {
            synchronize_host_grid();
        }
        const bool hears = listen(range, words, level, visited, sent_now);
        if (thread_index() == 0) progress->levels = level + 1;
        if (!__syncthreads_or(tells || hears)) break;
    }
}
