// One level of a search in which every block knows which vertices are visited: look, tell the others, and listen to
// them.
#pragma once

#include "bitmap.cuh"
#include "vote.cuh"

constexpr int AT_ONCE = 4;  // arcs that a thread looks at, and words that it waits for, together

// An arc in 32 bits: the number of its tail in the block's range, and its target in TARGET_BITS.
constexpr unsigned NO_TAIL = ~0u >> TARGET_BITS;
constexpr int MOST_OWN = 1 << (32 - TARGET_BITS);  // vertices of a block

// Shared memory of a block beside its arcs and the bits of all vertices.
__shared__ unsigned found_of_levels[2][MOST_OWN / 32];  // among its own vertices, in even and in odd levels

// The range of a block.
struct Range {
    unsigned first_word, words, first, vertices;
    int arcs;
};

__device__ __forceinline__ void store_relaxed(unsigned long long* address, unsigned long long value) {
#ifdef WARPATH_HOST
    *address = value;
#else
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
#endif
}

// Puts the number of its tail above the target of each arc; the lanes of a warp share the arcs of a vertex.
__device__ __forceinline__ void number_tails(const Range& range, const int* offsets, unsigned* arcs) {
    const int first_arc = offsets[range.first];
    for (unsigned first = threadIdx.x / 32 * 32; first < range.vertices; first += BLOCK) {
        const unsigned own = first + lane_index();
        const int own_end = own < range.vertices ? __ldg(&offsets[range.first + own + 1]) - first_arc : range.arcs;
        int arc = __ldg(&offsets[range.first + first]) - first_arc;
        for (int lane = 0; lane < 32; ++lane) {
            const int end = __shfl_sync(ALL_LANES, own_end, lane);
            for (int i = arc + int(lane_index()); i < end; i += 32) arcs[i] |= (first + lane) << TARGET_BITS;
            arc = end;
        }
    }
}

// Looks at all arcs of the block.
__device__ __forceinline__ void look(const Range& range, const unsigned* arcs, const unsigned* visited,
                                     unsigned* found) {
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
            if (open[k] && !has_bit(found, tail[k])) set_bit(found, tail[k]);
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
