// A window of distances that slides over the vertices whose arcs have to be relaxed.
//
// Distances are cut into slots of equal width, and the threshold is the beginning of a slot. What has to be relaxed is
// listed by distance: below the threshold in one list (near), in the SLOTS slots from there on in a list for each, and
// the rest in a bitmap (far), which cannot overflow and takes what the lists have no room for. Before each round the
// threshold moves on from the least distance that is listed, and all that is below it is relaxed: the near list and
// some whole slots. So no round waits until the last near vertices are done, and far ones are not looked at.
#pragma once

#include "relaxing.cuh"
#include "weighted.cuh"

namespace sliding {

enum : unsigned { LISTS = 1 + SLOTS };
enum : unsigned { LOCK_GROUPS = BLOCK / LOCK_LANES };  // of lanes in lockstep, each for one vertex at a time
enum : unsigned { LOCK_ITEMS = BLOCK / HOP_LANES };    // near vertices of a block then, at most, as in hops
enum : int { LOCK_ARCS = 2 * HOP_ARCS };               // of a vertex that a block keeps then, and of an entry, at most
enum : unsigned { UNEVEN = 4 };                        // lockstep ends where a block has so many times the mean
enum : unsigned { LOCK_TURNS = 16 };                   // after so many rounds, at the earliest
enum : int { WIDENING = 4 };                           // rounds until the threshold may be a slot further ahead

// What blocks tell each other and the host, which relies on the order. Of three numbers one belongs to this round, one
// to the next, and one is being cleared. Sizes may be larger than the room of their lists.
struct Progress {
    unsigned barrier, rounds;
    FrontierSize near[3], slots[SLOTS];
    unsigned least_near[3], least_far[3];
};

// What does not change in a search.
//
// The threshold is a slot ahead of the least distance at first, a part of a slot more after each round, up to `most`
// slots, but half as far after a round with more than `enough` arcs; so few arcs are relaxed in vain where there are
// many. It must begin low, because it never falls.
struct Search {
    Graph graph;
    unsigned *distance, *far;
    Entry *near, *slots;
    unsigned near_room, slot_room;  // of each list, in entries
    unsigned long long* words;      // of blocks in lockstep
    Progress* progress;
    unsigned width, most, enough;  // the first is that of a slot

    // List 0 is the near list of a step, the others are of slots.
    __device__ __forceinline__ unsigned room(unsigned list) const { return list == 0 ? near_room : slot_room; }
    __device__ __forceinline__ Entry* entries(unsigned list, unsigned step) const {
        return list == 0 ? near + (size_t)(step % 2) * near_room : slots + (size_t)(list - 1) * slot_room;
    }
    __device__ __forceinline__ unsigned beginning_of(unsigned slot) const {
        return unsigned(min((unsigned long long)slot * width, (unsigned long long)UNREACHABLE));
    }
};

// A round relaxes arcs, or moves far vertices to lists, or does nothing but clear lists where nothing is listed, so
// that the next one can collect.
enum class Kind { relax, collect, jump, end };

// What all blocks do in a round.
struct Plan {
    Kind kind;
    unsigned step;  // rounds of kind `relax` before
    unsigned before, first,
        end;             // slots: `first` to `end` - 1 are relaxed, the lists of `before` to `first` - 1 cleared
    unsigned least_far;  // no far vertex is nearer
    unsigned entries;
    bool is_locked;          // blocks go on in lockstep, from all that is listed
    unsigned turn;           // rounds in lockstep before
    unsigned reach;          // from the least distance to the threshold, in parts of a slot, of which it has WIDENING
    unsigned starts[LISTS];  // numbers of the lists' first entries: of the near list and of slots from `first` on

    __device__ __forceinline__ unsigned limit() const { return before + SLOTS; }  // the first slot without a list
};

__device__ __forceinline__ FrontierSize clipped(FrontierSize size, unsigned room) {
    return frontier_size(min(vertices_of(size), room), arcs_of(size));
}

// Replaces the plan of the last round; by the first warp of each block.
//
// All blocks get the same, although a fast one may list vertices for the next round while a slow one still reads the
// sizes: it adds to slots that are not relaxed in this round, and their sizes decide nothing but whether too much is
// listed to go on in lockstep; then it is too much with more, too.
__device__ __forceinline__ void make_plan(Plan& plan, const Search& search, unsigned round) {
    static_assert(SLOTS == 2 * 32, "a lane looks at two slots");
    const Progress& progress = *search.progress;
    const unsigned lane = lane_index();
    const Kind last = plan.kind;
    const unsigned before = last == Kind::jump ? plan.least_far / search.width : plan.first;
    const unsigned first = last == Kind::relax ? plan.end : before, limit = before + SLOTS;
    const unsigned step = plan.step + (last == Kind::relax);
    const FrontierSize near = clipped(__ldcg(&progress.near[step % 3]), search.near_room);
    const unsigned least_near = __ldcg(&progress.least_near[step % 3]);
    const unsigned least_far = __ldcg(&progress.least_far[round % 3]);
    FrontierSize size[2];
    for (unsigned k = 0; k < 2; ++k) {
        const unsigned slot = first + 2 * lane + k;
        size[k] = clipped(__ldcg(&progress.slots[slot % SLOTS]), search.slot_room);
        if (slot >= limit) size[k] = 0;  // its list is being cleared
    }
    const FrontierSize after1 = inclusive_size(size[0] + size[1]) + near;
    const FrontierSize after0 = after1 - size[1];
    const unsigned own = size[0] != 0 ? 2 * lane : size[1] != 0 ? 2 * lane + 1 : SLOTS;
    const unsigned lowest = __reduce_min_sync(ALL_LANES, own);
    const bool is_empty = lowest == SLOTS && near == 0;
    const unsigned base = near != 0 ? least_near / search.width : first + lowest;
    const unsigned ahead = max(base + plan.reach / WIDENING, first), taken = min(ahead - first, SLOTS);  // to relax
    const FrontierSize until = taken % 2 ? after0 : after1;
    const FrontierSize all = taken == 0 ? near : __shfl_sync(ALL_LANES, until, (taken - 1) / 2);
    const FrontierSize listed = __shfl_sync(ALL_LANES, after1, 31);
    const bool has_far = least_far < search.beginning_of(ahead);  // to relax
    Kind kind = Kind::relax;
    if (is_empty) {
        kind = least_far == UNREACHABLE ? Kind::end : last == Kind::jump ? Kind::collect : Kind::jump;
    } else if (has_far && last != Kind::collect && first < limit) {
        kind = Kind::collect;
    }
    const bool is_locked = kind == Kind::relax && !has_far && vertices_of(all) <= LOCK_ITEMS / 2 * gridDim.x &&
                           vertices_of(listed) <= 2 * LOCK_ITEMS * gridDim.x;
    plan.starts[1 + 2 * lane] = vertices_of(after0 - size[0]);
    plan.starts[2 + 2 * lane] = vertices_of(after0);
    __syncwarp();
    if (lane != 0) return;
    plan.starts[0] = 0;
    plan.kind = kind;
    plan.step = step, plan.before = before, plan.first = first;
    plan.end = kind == Kind::relax ? ahead : first;
    plan.least_far = least_far;
    plan.entries = vertices_of(is_locked ? listed : all);
    plan.is_locked = is_locked;
    if (kind != Kind::relax) return;
    plan.reach = arcs_of(all) > search.enough ? max(plan.reach / 2, unsigned(WIDENING))
                                              : min(plan.reach + 1, WIDENING * search.most);
}

// Clears the numbers that the next round needs; by the threads of one block.
__device__ __forceinline__ void clear_numbers(const Plan& plan, Progress& progress, unsigned round) {
    if (threadIdx.x == 0) {
        progress.least_far[(round + 2) % 3] = UNREACHABLE;
        if (plan.kind != Kind::collect) atomicMin(&progress.least_far[(round + 1) % 3], plan.least_far);
        if (plan.kind == Kind::relax) {
            progress.near[(plan.step + 2) % 3] = 0;
            progress.least_near[(plan.step + 2) % 3] = UNREACHABLE;
        }
    }
    const unsigned count = min(plan.first - plan.before, SLOTS);
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) progress.slots[(plan.before + i) % SLOTS] = 0;
}

// Reads entry number `at` + lane of those to relax, in lanes where `valid` holds; all 32 lanes take part.
__device__ __forceinline__ Entry entry_of(const Plan& plan, const Search& search, unsigned at, bool valid) {
    const unsigned lane = lane_index(), number = at + lane;
    unsigned list = 0;  // that entry `at` is in
    for (unsigned first = 0; first < SLOTS; first += 32) {
        list += __popc(__ballot_sync(ALL_LANES, plan.starts[1 + first + lane] <= at));
    }
    if (!valid) return {0, 0, 0, 0};
#pragma unroll 1
    while (list < SLOTS && plan.starts[list + 1] <= number) ++list;
    const unsigned listed_in = list == 0 ? 0 : 1 + (plan.first + list - 1) % SLOTS;
    return search.entries(listed_in, plan.step)[number - plan.starts[list]];
}

// Entries that a block has found and not yet moved to global memory.
struct Found {
    Entry entries[FOUND];
    unsigned count, least_near, least_far;
    unsigned pieces[LISTS], arcs[LISTS];  // for each list; `pieces`, then where the list has places for them
};

// A vertex with more than LOCK_ARCS arcs is listed in several pieces.
__device__ __forceinline__ unsigned pieces_of(const Entry& entry) {
    return (unsigned(entry.end - entry.first) + LOCK_ARCS - 1) / LOCK_ARCS;
}

struct Kept;  // lockstep.cuh

// What a block needs to list vertices in a round.
struct Round {
    Search search;
    Plan* plan;
    unsigned number;
    Found* found;
    unsigned threshold, limit_length;  // where plan.end begins, or a later slot in lockstep; and plan.limit()
    Kept* kept;                        // null unless blocks go on in lockstep
    unsigned keeps;                    // which list of it

    // Brings arcs to L2, which does not hold all of a large graph, before they are needed.
    __device__ __forceinline__ void prefetch(int arc) const {
#ifndef WARPATH_HOST
        asm volatile("prefetch.global.L2 [%0];" ::"l"(search.graph.targets + arc));
        asm volatile("prefetch.global.L2 [%0];" ::"l"(search.graph.weights + arc));
#endif
    }
    // 0 is the near list of the next round, which those that are collected came too late for.
    __device__ __forceinline__ unsigned list_for(unsigned length) const {
        if (length < threshold && plan->kind == Kind::relax) return 0;
        return 1 + min(max(length / search.width, plan->end), plan->limit() - 1) % SLOTS;
    }
    __device__ __forceinline__ FrontierSize* size_of(unsigned list) const {
        return list == 0 ? &search.progress->near[(plan->step + 1) % 3] : &search.progress->slots[list - 1];
    }
    __device__ __forceinline__ void add_far(const Entry& entry, unsigned* least) const {
        set_bit(search.far, entry.vertex);
        atomicMin(least, entry.length);
    }
    // Stores piece number `piece` of an entry in a list, at `place`. The last that there is room for has all other arcs
    // too; without room for the first, the vertex is far.
    __device__ __forceinline__ void store(const Entry& entry, unsigned list, unsigned place, unsigned piece) const {
        const int first = entry.first + int(piece) * LOCK_ARCS;
        if (place < search.room(list)) {
            const bool is_last = place + 1 == search.room(list);
            const int end = is_last ? entry.end : min(entry.end, first + LOCK_ARCS);
            search.entries(list, plan->step + 1)[place] = {entry.vertex, entry.length, first, end};
        } else if (piece == 0) {
            add_far(entry, &search.progress->least_far[(number + 1) % 3]);
        }
    }
    // Lists the entries of the lanes where `selected` holds, as far if the block has no room; all 32 lanes take part.
    __device__ __forceinline__ void add(const Entry& entry, bool selected) const {
        const unsigned lanes = __ballot_sync(ALL_LANES, selected);
        if (lanes == 0) return;
        const unsigned place = take_places(lanes, &found->count);
        if (!selected) return;
        prefetch(entry.first);
        if (place < FOUND)
            found->entries[place] = entry;
        else
            add_far(entry, &found->least_far);
    }
    // Moves what the block has found to global memory; all threads take part.
    __device__ __forceinline__ void flush() const {
        constexpr unsigned each = FOUND / BLOCK;
        static_assert(FOUND % BLOCK == 0, "all threads move the same number");
        __syncthreads();
        const unsigned count = min(found->count, unsigned(FOUND));
        unsigned list[each], place[each], least = UNREACHABLE;
        for (unsigned k = 0; k < each; ++k) {
            const unsigned i = k * BLOCK + threadIdx.x;
            if (i >= count) continue;
            const Entry& entry = found->entries[i];
            list[k] = list_for(entry.length);
            place[k] = atomicAdd(&found->pieces[list[k]], pieces_of(entry));
            atomicAdd(&found->arcs[list[k]], entry.end - entry.first);
            if (list[k] == 0) least = min(least, entry.length);
        }
        keep_least(least, &found->least_near);
        __syncthreads();
        if (threadIdx.x == BLOCK - 1) {
            Progress& next = *search.progress;
            if (found->least_near != UNREACHABLE) atomicMin(&next.least_near[(plan->step + 1) % 3], found->least_near);
            if (found->least_far != UNREACHABLE) atomicMin(&next.least_far[(number + 1) % 3], found->least_far);
        }
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < LISTS; i += BLOCK) {
            unsigned& pieces = found->pieces[i];
            if (pieces != 0) pieces = vertices_of(atomicAdd(size_of(i), frontier_size(pieces, found->arcs[i])));
        }
        __syncthreads();
        for (unsigned k = 0; k < each; ++k) {
            const unsigned i = k * BLOCK + threadIdx.x;
            if (i >= count) continue;
            const Entry entry = found->entries[i];
            const unsigned first = found->pieces[list[k]] + place[k], pieces = pieces_of(entry);
#pragma unroll 1
            for (unsigned piece = 0; piece < pieces; ++piece) store(entry, list[k], first + piece, piece);
        }
    }
    // Before a round, by all threads.
    __device__ __forceinline__ void clear() const {
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < LISTS; i += BLOCK) found->pieces[i] = found->arcs[i] = 0;
        if (threadIdx.x == 0) found->count = 0, found->least_near = found->least_far = UNREACHABLE;
    }
};

}  // namespace sliding
