// One level of a search in which every block knows which vertices are visited: look, tell the others, and listen to
// them.
#pragma once

#include "bitmap.cuh"
#include "relaxed.cuh"

enum : int { AT_ONCE = 4 };  // arcs that a thread looks at, and words that it waits for, together

// An arc in 32 bits: the number of its tail in the block's range, and its target in TARGET_BITS.
enum : unsigned { NO_TAIL = ~0u >> TARGET_BITS };
enum : int { MOST_OWN = 1 << (32 - TARGET_BITS) };  // vertices of a block

// Shared memory of a block beside its arcs and the bits of all vertices.
__shared__ unsigned found_of_levels[2][MOST_OWN / 32];  // among its own vertices, in even and in odd levels

// The range of a block.
struct Range {
    unsigned first_word, words, first, vertices;
    int first_arc, arcs;
};

__device__ __forceinline__ Range range_of(unsigned block, int vertices, const int* first_words, const int* offsets) {
    Range range;
    range.first_word = first_words[block], range.words = first_words[block + 1] - range.first_word;
    range.first = min(range.first_word * 32, unsigned(vertices));
    range.vertices = min(range.words * 32, unsigned(vertices) - range.first);
    range.first_arc = offsets[range.first];
    range.arcs = offsets[range.first + range.vertices] - range.first_arc;
    return range;
}

// Packs the arcs of a range; the lanes of a warp share those of a vertex.
extern "C" __global__ void pack(int vertices, const int* first_words, const int* offsets, const int* targets,
                                unsigned* packed) {
    const Range range = range_of(blockIdx.x, vertices, first_words, offsets);
    for (unsigned vertex = threadIdx.x / 32; vertex < range.vertices; vertex += BLOCK / 32) {
        const int begin = offsets[range.first + vertex], end = offsets[range.first + vertex + 1];
        for (int arc = begin + lane_index(); arc < end; arc += 32) packed[arc] = vertex << TARGET_BITS | targets[arc];
    }
}

// Looks at all arcs of the block. What was visited before this level is one step nearer than what is found.
__device__ __forceinline__ void look(const Range& range, const unsigned* arcs, const unsigned* visited, unsigned* found,
                                     int* parents) {
    for (int i = threadIdx.x; i < range.arcs; i += AT_ONCE * BLOCK) {
        unsigned tail[AT_ONCE], target[AT_ONCE];
        bool open[AT_ONCE];
        for (int k = 0; k < AT_ONCE; ++k) {
            const unsigned arc = i + k * BLOCK < range.arcs ? arcs[i + k * BLOCK] : ~0u;
            tail[k] = arc >> TARGET_BITS, target[k] = arc & ((1u << TARGET_BITS) - 1);
        }
        for (int k = 0; k < AT_ONCE; ++k) {
            open[k] = tail[k] != NO_TAIL && !has_bit(visited, range.first + tail[k]);
        }
        for (int k = 0; k < AT_ONCE; ++k) open[k] = open[k] && has_bit(visited, target[k]);
        for (int k = 0; k < AT_ONCE; ++k) {
            if (!open[k] || has_bit(found, tail[k])) continue;
            if (!TREE) {
                set_bit(found, tail[k]);
            } else if (claim_bit(found, tail[k])) {
                parents[range.first + tail[k]] = int(target[k]);
            }
        }
    }
}

// Sends the block's words, and notes the distances of the vertices found. Returns whether there were any.
__device__ __forceinline__ bool tell(const Range& range, unsigned level, unsigned* visited, const unsigned* found,
                                     unsigned long long* sent, unsigned* distance) {
    bool any = false;
    for (unsigned word = threadIdx.x; word < range.words; word += BLOCK) {
        const unsigned now = visited[range.first_word + word] | found[word];
        any |= found[word] != 0;
        visited[range.first_word + word] = now;
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
    for (unsigned first = threadIdx.x; first < words; first += AT_ONCE * BLOCK) {
        unsigned long long received[AT_ONCE];
        bool is_complete;
        do {
            is_complete = true;
            for (int k = 0; k < AT_ONCE; ++k) {
                if (first + k * BLOCK < words) received[k] = load_relaxed(&sent[first + k * BLOCK]);
            }
            for (int k = 0; k < AT_ONCE; ++k) {
                is_complete &= first + k * BLOCK >= words || received[k] >> 32 == level + 1;
            }
        } while (!is_complete);
        for (int k = 0; k < AT_ONCE; ++k) {
            const unsigned word = first + k * BLOCK, now = unsigned(received[k]);
            if (word >= words || word - range.first_word < range.words || visited[word] == now) continue;
            visited[word] = now;
            any = true;
        }
    }
    return any;
}
