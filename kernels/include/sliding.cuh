// Shortest paths with a window of distances that slides on with the least of them (window.cuh), where rounds have a
// middling amount of work, as on meshes: in lockstep where they have little (lockstep.cuh), and from lists that all
// blocks share where they have more.
#pragma once

#include "lockstep.cuh"

namespace sliding {

// What does not change in a round.
struct Round {
    Listing listing;
    unsigned* distance;
    Kept* kept;      // null unless blocks go on in lockstep
    unsigned keeps;  // which list
};

// Lists an entry whose distance falls, unless it leads nowhere, and returns whether it does; all 32 lanes take part.
__device__ __forceinline__ bool list_fallen(const Round& round, const Entry& entry, bool falls) {
    const Listing& listing = round.listing;
    const bool leads_on = falls && entry.end - entry.first > listing.graph.leaf;
    bool listed = leads_on;
    if (listed && entry.length < listing.threshold) {
        listed = !(round.kept && round.kept->add(round.keeps, entry));
    } else if (listed && entry.length >= listing.limit_length) {
        listing.add_far(entry, &listing.found->least_far);
        listed = false;
    }
    listing.add(entry, listed);
    return leads_on;
}

// Relaxes the arcs of a warp's share of the entries.
__device__ __forceinline__ void relax(const Round& round) {
    const Graph& graph = round.listing.graph;
    const Plan& plan = *round.listing.plan;
    const unsigned entries = plan.entries, lane = lane_index();
    const unsigned each = min((entries + warp_count() - 1) / warp_count(), 32u);
#pragma unroll 1
    for (unsigned begin = 0; begin < entries; begin += warp_count() * each) {
        if (begin != 0) {
            round.listing.flush();
            __syncthreads();
            round.listing.clear();
            __syncthreads();
        }
        const unsigned at = begin + warp_number() * each;
        if (at >= entries) continue;
        const bool valid = lane < each && at + lane < entries;
        const Entry entry = entry_of(plan, round.listing.lists, at, valid);
        const unsigned now = valid ? __ldcg(&round.distance[entry.vertex]) : 0;
        int own = entry.end - entry.first;
        if (round.kept) {  // the others are kept, too
            const bool is_near = entry.length < round.listing.threshold;
            round.listing.add(entry, valid && !is_near && now == entry.length);
            if (!is_near) own = 0;
        }
        if (now != entry.length) own = 0;  // its distance has fallen since
        const unsigned inclusive = warp_inclusive_sum(own), before_own = inclusive - own;
        visit_arcs<RELAXED>(before_own, entry.first - int(before_own), 0, __shfl_sync(ALL_LANES, inclusive, 31),
                            [&](const int (&arc)[RELAXED], const int (&owner)[RELAXED]) {
                                relax_arcs(graph, arc, owner, now, round.distance, graph.offsets,
                                           [&](const Entry& target, bool falls) { list_fallen(round, target, falls); });
                            });
    }
}

// Reads arcs of an entry for a lane of its group, from number `first` on as far as there are any.
__device__ __forceinline__ void read_arcs(const Graph& graph, const Entry& entry, int first, int2 (&arc)[RELAXED]) {
    for (int k = 0; k < RELAXED; ++k) {
        const int number = entry.first + first + k * LOCK_LANES;
        if (number < entry.end) arc[k] = graph.arc(number);
    }
}

// Rounds of all blocks in lockstep, from the near vertices that each has.
__device__ __forceinline__ void go_on_in_lockstep(Round round, Plan& plan, const Pace& pace, const Words& words) {
    Listing& listing = round.listing;
    Kept& kept = *round.kept;
    Found& found = *listing.found;
    const Graph& graph = listing.graph;
    const unsigned group = threadIdx.x / LOCK_LANES;
    const int lane = threadIdx.x % LOCK_LANES;
    const unsigned begun = plan.turn;
    unsigned reach = plan.reach, now = 0, end = plan.end;
    listing.limit_length = UNREACHABLE;  // a block keeps far vertices, too
    __syncthreads();
    unsigned held = admit(kept, 0, found, 0);
    if (threadIdx.x < min(kept.counts[0], LOCK_ITEMS)) held = min(held, kept.items[0][threadIdx.x].length);
    keep_least(held, &kept.own_least);
    unsigned turn = begun;
    for (;; ++turn, now = 1 - now) {
        __syncthreads();
        const unsigned early = min(kept.counts[now], LOCK_ITEMS);
        if (threadIdx.x == 0) words.say(kept.own_least, kept.has_hub ? LOCK_ITEMS + 1 : kept.counts[now], turn);
        int2 arc[RELAXED] = {};
        if (group < early) read_arcs(graph, kept.items[now][group], lane, arc);
        synchronize_host_grid();
        listen(kept, words, turn);
        __syncthreads();
        const auto heard = kept.heard[turn % 2];
        end = max(end, heard.least / pace.width + reach / WIDENING);
        reach = min(reach + 1, WIDENING * pace.most);
        const unsigned threshold = beginning_of(end, pace.width);
        const bool is_uneven = heard.most > LOCK_GROUPS && heard.most * gridDim.x > 4 * heard.total;
        const bool is_over = heard.least == UNREACHABLE || threshold > plan.least_far || heard.most > LOCK_ITEMS ||
                             (is_uneven && turn - begun > 16);
        if (is_over && turn - begun >= 2) break;  // not before the lists are cleared
        listing.threshold = threshold;
        if (found.count > FOUND / 2) compact(found);
        unsigned least = admit(kept, now, found, threshold);
        if (threadIdx.x == 0) {
            kept.counts[1 - now] = 0;
            kept.own_least = UNREACHABLE;
            kept.heard[1 - turn % 2] = {UNREACHABLE, 0, 0};
        }
        if (turn == begun && blockIdx.x == 0) {  // all have read the sizes of the lists that they now keep
            for (unsigned i = threadIdx.x; i < SLOTS; i += BLOCK) atomicAnd(&listing.lists.progress->slots[i], 0ull);
            __threadfence();
        }
        __syncthreads();
        round.keeps = 1 - now;
        const unsigned count = min(kept.counts[now], LOCK_ITEMS);
#pragma unroll 1
        for (unsigned at = threadIdx.x / 32 * 32 / LOCK_LANES; at < count; at += LOCK_GROUPS) {
            const unsigned own = at + threadIdx.x % 32 / LOCK_LANES;
            Entry item = kept.items[now][min(own, LOCK_ITEMS - 1)];
            if (own >= count) item.end = item.first;
            const int arcs = item.end - item.first;
            const bool is_read = own < early && own < LOCK_GROUPS;
#pragma unroll 1
            for (int i = lane;;) {
                if (!is_read || i != lane) read_arcs(graph, item, i, arc);
                Entry target[RELAXED];
                bool tries[RELAXED];
                for (int k = 0; k < RELAXED; ++k) {
                    target[k] = {arc[k].x, item.length + arc[k].y, 0, 0};
                    tries[k] = i + k * LOCK_LANES < arcs;
                }
                const unsigned from = i < arcs ? __ldcg(&round.distance[item.vertex]) : 0;
                lower_distances(target, tries, round.distance, graph.offsets, [&](const Entry& entry, bool falls) {
                    if (list_fallen(round, entry, falls && from == item.length)) least = min(least, entry.length);
                });
                i += RELAXED * LOCK_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
            }
        }
        keep_least(least, &kept.own_least);
    }
    // What is left is listed for all.
    const bool is_left = threadIdx.x < min(kept.counts[now], LOCK_ITEMS);
    listing.add(kept.items[now][is_left ? threadIdx.x : 0], is_left);
    __syncthreads();
    if (threadIdx.x == 0) {
        plan.turn = turn + 1, plan.reach = reach;
        plan.before = plan.first = plan.end = end;
    }
    __syncthreads();
}

// Moves the far vertices that are near enough to lists.
__device__ __forceinline__ void collect(const Round& round, MemberScratch scratch) {
    const Listing& listing = round.listing;
    const unsigned least = collect_far(listing.graph.vertices, listing.lists.far, round.distance, listing.limit_length,
                                       scratch, [&](int vertex, unsigned length, bool is_nearer) {
                                           // All below the threshold have been listed, unless a list had no room for
                                           // one that was nearer than that.
                                           const bool is_listed = length < listing.threshold &&
                                                                  listing.plan->least_far >= listing.threshold;
                                           const int* const arcs = listing.graph.offsets + (is_nearer ? vertex : 0);
                                           listing.add({vertex, length, arcs[0], arcs[1]}, is_nearer && !is_listed);
                                       });
    keep_least(least, &listing.found->least_far);
}

// The source alone is reached, and far.
__device__ __forceinline__ void begin(const Graph& graph, unsigned* distance, const Lists& lists, Words words) {
#pragma unroll 1
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += thread_count()) {
        distance[vertex] = UNREACHABLE;
        if (vertex % 32 == 0) lists.far[vertex / 32] = 0;
    }
    Progress& progress = *lists.progress;
    if (thread_index() < 2 * gridDim.x) words.words[thread_index()] = 0;
    if (thread_index() < SLOTS) progress.slots[thread_index()] = 0;
    if (thread_index() < 3) {
        progress.near[thread_index()] = 0;
        progress.least_near[thread_index()] = progress.least_far[thread_index()] = UNREACHABLE;
    }
}

}  // namespace sliding
