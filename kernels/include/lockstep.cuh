// Rounds of blocks that keep the vertices they find, for sets of middle size, where a round is a chain of waits.
//
// A block relaxes the arcs of its own near vertices, a few lanes for each, and keeps in shared memory what it finds. In
// a round blocks tell each other nothing but their least distances, or that they have too much: each stores one word,
// and waits for the words of all others. So all have the same threshold, and no lists, numbers or fences are waited
// for. Distances are read and lowered in L2, and right in whatever order blocks see them (hops.cuh).
#pragma once

#include "relaxed.cuh"
#include "window.cuh"

namespace sliding {

// Shared memory of a block.
struct Kept {
    Entry items[2][LOCK_ITEMS];  // near vertices of this round and of the next
    unsigned counts[2];          // above LOCK_ITEMS if some had no room: they stay among what is found
    bool has_hub;                // a near vertex with more arcs than LOCK_ARCS, which lists for all split
    unsigned own_least;          // distance of what the block has
    unsigned heard[2];           // the least of all blocks in this round and in the next; 0 if one has too much

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
        kept.own_least = 1;  // no distance is less: nothing is known before the first round
        kept.heard[0] = kept.heard[1] = UNREACHABLE;
    }
}

// Tells the other blocks the least distance of what this one has, or 0 if that is too much. `words` are those of all
// blocks, twice.
__device__ __forceinline__ void say(const Kept& kept, unsigned list, unsigned long long* words, unsigned turn) {
    const unsigned least = kept.has_hub || kept.counts[list] > LOCK_ITEMS ? 0 : max(kept.own_least, 1);
    store_relaxed(&words[turn % 2 * gridDim.x + blockIdx.x], (unsigned long long)turn << 32 | least);
}

// Waits for the words of all blocks.
__device__ __forceinline__ void listen(Kept& kept, const unsigned long long* words, unsigned turn) {
#pragma unroll 1
    for (unsigned first = threadIdx.x / 32 * 32; first < gridDim.x; first += BLOCK) {
        const unsigned block = first + lane_index();
        unsigned long long word = UNREACHABLE;
        if (block < gridDim.x) {
            do word = load_relaxed(&words[turn % 2 * gridDim.x + block]);
            while (word >> 32 != turn);
        }
        keep_least(unsigned(word), &kept.heard[turn % 2]);
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
