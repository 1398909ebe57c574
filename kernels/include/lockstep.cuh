// Rounds of blocks that keep the vertices they find, for sets of middle size, where a round is a chain of waits.
//
// A block relaxes the arcs of its own near vertices, a few lanes for each, and keeps in shared memory what it finds. In
// a round blocks tell each other nothing but their least distances and how much they have: each stores one word, and
// waits for the words of all others. So all have the same threshold, and no lists, numbers or fences are waited for.
// Distances are read and lowered in L2, and right in whatever order blocks see them (hops.cuh).
#pragma once

#include "relaxed.cuh"
#include "window.cuh"

namespace sliding {

// What all blocks have together: the least distance, and how many near vertices.
struct Heard {
    unsigned least, most, total;  // `most` of one block
};

// Shared memory of a block.
struct Kept {
    Entry items[2][LOCK_ITEMS];  // near vertices of this round and of the next
    unsigned counts[2];          // above LOCK_ITEMS if some had no room: they stay among what is found
    bool has_hub;                // a near vertex with more arcs than LOCK_ARCS, which lists for all split
    unsigned own_least;          // distance of what the block has
    Heard heard[2];              // in this round and in the next

    // Returns whether there was room for the vertex.
    __device__ __forceinline__ bool add(unsigned list, const Entry& entry) {
        if (entry.end - entry.first > LOCK_ARCS) {
            has_hub = true;
            return false;
        }
        const unsigned place = atomicAdd(&counts[list], 1);
        if (place >= LOCK_ITEMS) return false;
        items[list][place] = entry;
        return true;
    }
};

// Before a round that fills the first list, by all threads.
__device__ __forceinline__ void clear(Kept& kept) {
    if (threadIdx.x == 0) {
        kept.counts[0] = kept.counts[1] = 0;
        kept.has_hub = false;
        kept.own_least = UNREACHABLE;
        kept.heard[0] = kept.heard[1] = {UNREACHABLE, 0, 0};
    }
}

// A word has the round in its last 16 bits, then how many near vertices, and the least distance.
enum : unsigned { ROUNDS = 1u << 16 };

// Tells the other blocks what this one has, or that it has too much. `words` are those of all blocks, twice.
__device__ __forceinline__ void say(const Kept& kept, unsigned list, unsigned long long* words, unsigned turn) {
    const unsigned count = kept.has_hub ? LOCK_ITEMS + 1 : min(kept.counts[list], ROUNDS - 1);
    const unsigned long long word = turn % ROUNDS * ROUNDS + count;
    store_relaxed(&words[turn % 2 * gridDim.x + blockIdx.x], word << 32 | kept.own_least);
}

// Waits for the words of all blocks.
__device__ __forceinline__ void listen(Kept& kept, const unsigned long long* words, unsigned turn) {
    Heard& heard = kept.heard[turn % 2];
#pragma unroll 1
    for (unsigned first = threadIdx.x / 32 * 32; first < gridDim.x; first += BLOCK) {
        const unsigned block = first + lane_index();
        unsigned long long word = UNREACHABLE;
        if (block < gridDim.x) {
            do word = load_relaxed(&words[turn % 2 * gridDim.x + block]);
            while (word >> 48 != turn % ROUNDS);
        }
        const unsigned count = unsigned(word >> 32) % ROUNDS;
        const unsigned most = __reduce_max_sync(ALL_LANES, count), total = __reduce_add_sync(ALL_LANES, count);
        keep_least(unsigned(word), &heard.least);
        if (lane_index() == 0) atomicMax(&heard.most, most), atomicAdd(&heard.total, total);
    }
}

// Moves what the block has found below the threshold to its list of near vertices. Returns the least other distance.
__device__ __forceinline__ unsigned admit(Kept& kept, unsigned list, Found& found, unsigned threshold) {
    unsigned least = UNREACHABLE;
    const unsigned count = min(found.count, unsigned(FOUND));
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < count; i += BLOCK) {
        const unsigned length = found.entries[i].length;
        if (length < threshold && kept.add(list, found.entries[i])) {
            found.entries[i] = {0, UNREACHABLE, 0, 0};
        } else {
            least = min(least, length);
        }
    }
    return least;
}

// Closes the gaps that admit() left, by all threads.
__device__ __forceinline__ void compact(Found& found) {
    constexpr unsigned each = FOUND / BLOCK;
    const unsigned count = min(found.count, unsigned(FOUND));
    Entry own[each];
    for (unsigned k = 0; k < each; ++k) {
        const unsigned i = k * BLOCK + threadIdx.x;
        own[k] = i < count ? found.entries[i] : Entry{0, UNREACHABLE, 0, 0};
    }
    __syncthreads();
    if (threadIdx.x == 0) found.count = 0;
    __syncthreads();
    for (unsigned k = 0; k < each; ++k) {
        if (own[k].length != UNREACHABLE) found.entries[atomicAdd(&found.count, 1)] = own[k];
    }
    __syncthreads();
}

}  // namespace sliding
