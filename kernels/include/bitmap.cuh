// Sets of vertices as bits, whose members the lanes of a warp share evenly, however they are spread.
//
// A warp takes `width` words at a time, a lane `width` bits of them; more words where there are enough for all warps.
// The members are first listed in shared memory, so that each lane has one when the work on them begins.
#pragma once

#include "frontier.cuh"

enum : unsigned { MOST_WIDTH = OUTBOX / 32 };
enum : int { NO_VERTEX = -1 };

__device__ __forceinline__ bool has_bit(const unsigned* bits, int number) {
    return bits[unsigned(number) / 32] >> number % 32 & 1;
}

__device__ __forceinline__ void set_bit(unsigned* bits, int number) {
    atomicOr(&bits[unsigned(number) / 32], 1u << number % 32);
}
__device__ __forceinline__ void clear_bit(unsigned* bits, int number) {
    atomicAnd(&bits[unsigned(number) / 32], ~(1u << number % 32));
}

// Sets a bit. Returns whether it was not set before.
__device__ __forceinline__ bool claim_bit(unsigned* bits, int number) {
    const unsigned bit = 1u << number % 32;
    return !(atomicOr(&bits[unsigned(number) / 32], bit) & bit);
}

__device__ __forceinline__ unsigned words_of(int vertices) { return (unsigned(vertices) + 31) / 32; }

// Shared memory of a warp.
struct MemberScratch {
    int* list;
    unsigned* changed;
};

// Calls work(count, width) for lists of members of a set, in shared memory; members(word) returns the words of the set.
// work may set a member's bit in the words of scratch.changed. Afterwards calls finish(word, members, changed) for each
// word.
template <typename Members, typename Work, typename Finish>
__device__ __forceinline__ void for_each_list(unsigned words, MemberScratch scratch, Members members, Work work,
                                              Finish finish) {
    const unsigned lane = lane_index();
    unsigned width = MOST_WIDTH;
    while (width > 1 && words / width < warp_count()) width /= 2;
    for (unsigned task = warp_number(); task * width < words; task += warp_count()) {
        const unsigned word = task * width + lane * width / 32;
        const unsigned set = word < words ? members(word) : 0;
        unsigned own = set >> lane * width % 32 & ((1u << width) - 1);
        const unsigned inclusive = warp_inclusive_sum(__popc(own));
        const int first = int((task * 32 + lane) * width);
        unsigned position = inclusive - __popc(own);
        for (; own != 0; own &= own - 1) scratch.list[position++] = first + __ffs(own) - 1;
        const unsigned count = __shfl_sync(ALL_LANES, inclusive, 31);
        if (count == 0) {
            if (lane * width % 32 == 0 && word < words) finish(word, set, 0u);
            continue;
        }
        if (lane < width) scratch.changed[lane] = 0;
        __syncwarp();
        work(count, width);
        __syncwarp();
        if (lane * width % 32 == 0 && word < words) finish(word, set, scratch.changed[lane * width / 32]);
        __syncwarp();
    }
}

// Calls visit(number, changed) with one member of a set for each lane, or NO_VERTEX, all lanes taking part. visit may
// set the member's bit in the word `*changed`; members and finish are as above.
template <typename Members, typename Visit, typename Finish>
__device__ __forceinline__ void for_each_member(unsigned words, MemberScratch scratch, Members members, Visit visit,
                                                Finish finish) {
    const unsigned lane = lane_index();
    const auto visit_all = [=](unsigned count, unsigned width) {
        for (unsigned i = lane; i - lane < count; i += 32) {
            const int number = i < count ? scratch.list[i] : NO_VERTEX;
            visit(number, &scratch.changed[number < 0 ? 0 : unsigned(number) / 32 % width]);
        }
    };
    for_each_list(words, scratch, members, visit_all, finish);
}
