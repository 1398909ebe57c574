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

// Lists a vertex of each lane where `selected` holds, unless its bit is set already; all lanes take part.
__device__ __forceinline__ void push_once(Outbox& outbox, int vertex, bool selected, unsigned* bits,
                                          const arc_t* offsets, NextFrontier next) {
    outbox.push(vertex, selected && claim_bit(bits, vertex), offsets, next);
}

__device__ __forceinline__ unsigned words_of(int vertices) { return (unsigned(vertices) + 31) / 32; }

// Calls work(count, width) for lists of members of a set, in the warp's shared memory; members(word) returns the words
// of the set. Afterwards calls finish(word, place) for each word, number `place` of `width`, or -1 if none had members.
template <typename Members, typename Work, typename Finish>
__device__ __forceinline__ void for_each_list(unsigned words, int* list, Members members, Work work, Finish finish) {
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
        for (; own != 0; own &= own - 1) list[position++] = first + __ffs(own) - 1;
        const unsigned count = __shfl_sync(ALL_LANES, inclusive, 31);
        if (count == 0) {
            if (lane * width % 32 == 0 && word < words) finish(word, -1);
            continue;
        }
        __syncwarp();
        work(count, width);
        __syncwarp();
        if (lane * width % 32 == 0 && word < words) finish(word, int(lane * width / 32));
        __syncwarp();
    }
}

// Calls visit(number) with one member of a set for each lane, or NO_VERTEX, all lanes taking part.
template <typename Members, typename Visit>
__device__ __forceinline__ void for_each_member(unsigned words, int* list, Members members, Visit visit) {
    const auto visit_all = [=](unsigned count, unsigned) {
        for (unsigned i = lane_index(); i - lane_index() < count; i += 32) visit(i < count ? list[i] : NO_VERTEX);
    };
    for_each_list(words, list, members, visit_all, [](unsigned, int) {});
}
