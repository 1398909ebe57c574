// A barrier of the grid that adds up numbers of all blocks on the way, so that nothing has to be read after it.
//
// A thread of each block adds one number of 64 bits, whose fields are below, and waits until all blocks have. Two words
// in global memory alternate, because a fast block may add to the next one while a slow block still reads this one.
// They are never cleared: the difference from one use to the next is what counts.
//
// Atomic operations whose results were used are seen by all after the barrier, and what a block gives away.
#pragma once

#include "relaxed.cuh"

enum : unsigned { ANNOUNCER = BLOCK - 32 };  // the thread that adds and waits; its warp has work last
enum : int { BLOCKS_AT = 56, LISTING_AT = 48, GIVEN_AT = 32 };  // fields of 8, 8 and 16 bits; arcs take the others
enum : unsigned { MOST_GIVEN = 65535 };

// What all blocks have done in a level.
struct Tally {
    unsigned long long sum;

    __device__ __forceinline__ unsigned arcs() const { return unsigned(sum); }
    __device__ __forceinline__ unsigned given() const { return sum >> GIVEN_AT & MOST_GIVEN; }
    __device__ __forceinline__ bool listed() const { return sum >> LISTING_AT & MOST_BLOCKS; }
};

// Shared memory of a block for its part of the tally.
struct Meeting {
    unsigned long long before[2];  // what the words were
    unsigned long long sum;
    unsigned arcs, listing;
    bool ends;
};

// By the announcer, after a barrier of its block.
__device__ __forceinline__ void announce(unsigned long long* word, Meeting& meeting, unsigned gives) {
    unsigned long long own = (1ull << BLOCKS_AT) + meeting.arcs;
    if (meeting.listing) own += 1ull << LISTING_AT;
    own += (unsigned long long)gives << GIVEN_AT;
    if (gives != 0) __threadfence();
    meeting.arcs = meeting.listing = 0;
    atomicAdd(word, own);
}

// By the announcer: waits until all blocks have announced, and returns what they did.
__device__ __forceinline__ Tally wait(unsigned long long* word, unsigned parity, Meeting& meeting) {
    const unsigned long long before = meeting.before[parity];
    unsigned long long now;
    do now = load_relaxed(word);
    while ((now - before) >> BLOCKS_AT != gridDim.x);
    meeting.before[parity] = now;
    return {now - before};
}
