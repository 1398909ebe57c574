// Shortest paths with a window of distances that slides on with the least of them (window.cuh), where rounds have a
// middling amount of work, as on meshes: in lockstep where they have little (lockstep.cuh), and from lists that all
// blocks share where they have more.
#pragma once

#include "lockstep.cuh"
#include "weighted.cuh"

namespace sliding {

enum : int { RELAXED = 2 };  // arcs that a lane relaxes at a time

struct Arcs {
    int first = 0, end = 0;
};

// What does not change in a round.
struct Round {
    Graph graph;
    unsigned* distance;
    Listing listing;
    unsigned least_far;
    Kept* kept;      // null unless blocks go on in lockstep
    unsigned keeps;  // which list
};

__device__ __forceinline__ Arcs arcs_from(const int* offsets, int vertex) {
    return {__ldg(&offsets[vertex]), __ldg(&offsets[vertex + 1])};
}

__device__ __forceinline__ auto reading(const Graph& graph) {
    return [targets = graph.targets, weights = graph.weights](int arc) {
        return make_int2(__ldg(&targets[arc]), __ldg(&weights[arc]));
    };
}

// Lists a vertex whose distance falls to `length`; all 32 lanes take part.
__device__ __forceinline__ void list_vertex(const Round& round, int vertex, bool falls, unsigned length,
                                            const Arcs& arcs) {
    const Listing& listing = round.listing;
    const Entry entry = {vertex, length, arcs.first, arcs.end};
    bool listed = falls && arcs.end - arcs.first > round.graph.leaf;
    if (listed && length < listing.threshold) {
        if (round.kept && round.kept->add(round.keeps, entry)) listed = false;
    } else if (listed && length >= listing.limit_length) {
        listing.add_far(vertex, length);
        listed = false;
    }
    listing.add(entry, listed);
}

// Relaxes the arcs of a warp's share of the entries.
__device__ __forceinline__ void relax(const Round& round) {
    const Graph& graph = round.graph;
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
        const auto relax_arcs = [&](const int (&arc)[RELAXED], const int (&owner)[RELAXED]) {
            int target[RELAXED];
            unsigned length[RELAXED];
            bool falls[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                const unsigned start = __shfl_sync(ALL_LANES, now, owner[k]);
                target[k] = arc[k] != NO_ARC ? __ldg(&graph.targets[arc[k]]) : NO_VERTEX;
                length[k] = start + (arc[k] != NO_ARC ? __ldg(&graph.weights[arc[k]]) : 0);
            }
            for (int k = 0; k < RELAXED; ++k) {
                falls[k] = target[k] != NO_VERTEX && length[k] < round.distance[target[k]];
            }
            // No branch uses what it loads, so all the loads are under way together.
            unsigned before[RELAXED] = {};
            Arcs arcs[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                if (!falls[k]) continue;
                before[k] = atomicMin(&round.distance[target[k]], length[k]);
                arcs[k] = arcs_from(graph.offsets, target[k]);
            }
            for (int k = 0; k < RELAXED; ++k) {
                list_vertex(round, target[k], length[k] < before[k], length[k], arcs[k]);
            }
        };
        visit_arcs<RELAXED>(before_own, entry.first - int(before_own), 0, __shfl_sync(ALL_LANES, inclusive, 31),
                            relax_arcs);
    }
}

// Rounds of all blocks in lockstep, from the near vertices that each has.
__device__ __forceinline__ void go_on_in_lockstep(Round round, Plan& plan, const Pace& pace, const Words& words) {
    const Graph& graph = round.graph;
    Listing& listing = round.listing;
    Kept& kept = *round.kept;
    Found& found = *listing.found;
    const auto read = reading(graph);
    const unsigned group = threadIdx.x / LOCK_LANES;
    const int lane = threadIdx.x % LOCK_LANES;
    const unsigned begun = plan.turn;
    unsigned reach = plan.reach, now = 0, end = plan.end;
    listing.limit_length = UNREACHABLE;  // a block keeps far vertices, too
    __syncthreads();
    kept.lower_least(admit(kept, 0, found, 0));
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < min(kept.counts[0], LOCK_ITEMS); i += BLOCK) {
        atomicMin(&kept.own_least, kept.items[0][i].length);
    }
    unsigned turn = begun;
    for (;; ++turn, now = 1 - now) {
        __syncthreads();
        const unsigned early = min(kept.counts[now], LOCK_ITEMS);
        if (threadIdx.x == 0) words.say(kept.own_least, kept.has_hub ? LOCK_ITEMS + 1 : kept.counts[now], turn);
        int2 arc[2] = {};
        if (group < early) {
            const Entry& item = kept.items[now][group];
            for (int k = 0; k < 2; ++k) {
                if (lane + k * LOCK_LANES < item.end - item.first) arc[k] = read(item.first + lane + k * LOCK_LANES);
            }
        }
#ifdef WARPATH_HOST
        grid_barrier(nullptr);
#endif
        listen(kept, words, turn);
        __syncthreads();
        const auto heard = kept.heard[turn % 2];
        end = max(end, heard.least / pace.width + reach / 4);
        reach = min(reach + 1, 4 * pace.most);
        const unsigned threshold = beginning_of(end, pace.width);
        const bool is_uneven = heard.most > LOCK_GROUPS && heard.most * gridDim.x > 4 * heard.total;
        const bool is_over = heard.least == UNREACHABLE || threshold > round.least_far || heard.most > LOCK_ITEMS ||
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
            const Entry item = kept.items[now][min(own, LOCK_ITEMS - 1)];
            const int arcs = own < count ? item.end - item.first : 0;
            const bool is_read = own < early && own < LOCK_GROUPS;
#pragma unroll 1
            for (int i = lane;;) {
                if (!is_read || i != lane) {
                    for (int k = 0; k < 2; ++k) {
                        if (i + k * LOCK_LANES < arcs) arc[k] = read(item.first + i + k * LOCK_LANES);
                    }
                }
                unsigned before[2] = {}, length[2], from = 0;
                Arcs beyond[2];
                for (int k = 0; k < 2; ++k) {
                    length[k] = item.length + arc[k].y;
                    if (i + k * LOCK_LANES >= arcs) continue;
                    before[k] = atomicMin(&round.distance[arc[k].x], length[k]);
                    beyond[k] = arcs_from(graph.offsets, arc[k].x);
                }
                if (i < arcs) from = __ldcg(&round.distance[item.vertex]);
                for (int k = 0; k < 2; ++k) {
                    const bool falls = length[k] < before[k] && from == item.length;
                    if (falls && beyond[k].end - beyond[k].first > round.graph.leaf) least = min(least, length[k]);
                    list_vertex(round, arc[k].x, falls, length[k], beyond[k]);
                }
                i += 2 * LOCK_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
            }
        }
        kept.lower_least(least);
    }
    // What is left is listed for all.
#pragma unroll 1
    for (unsigned first = 0; first < LOCK_ITEMS; first += BLOCK) {
        const unsigned i = first + threadIdx.x;
        const bool valid = i < min(kept.counts[now], LOCK_ITEMS);
        listing.add(kept.items[now][valid ? i : 0], valid);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        plan.turn = turn + 1, plan.reach = reach;
        plan.before = plan.first = plan.end = end, plan.limit = end + SLOTS;
    }
    __syncthreads();
}

// Moves the far vertices that are near enough to lists.
__device__ __forceinline__ void collect(const Round& round, MemberScratch scratch) {
    const Listing& listing = round.listing;
    unsigned least = UNREACHABLE;
    for_each_member(
        words_of(round.graph.vertices), scratch, [&](unsigned word) { return __ldcg(&listing.lists.far[word]); },
        [&](int vertex, unsigned*) {
            const unsigned length = vertex == NO_VERTEX ? UNREACHABLE : __ldcg(&round.distance[vertex]);
            const bool is_below = length < listing.limit_length;
            // All below the threshold have been listed, unless a list had no room for one that was nearer than that.
            const bool is_listed = length < listing.threshold && listing.plan->least_far >= listing.threshold;
            Arcs arcs;
            if (is_below) {
                clear_bit(listing.lists.far, vertex);
                arcs = arcs_from(round.graph.offsets, vertex);
            } else {
                least = min(least, length);
            }
            listing.add({vertex, length, arcs.first, arcs.end}, is_below && !is_listed);
        },
        [](unsigned, unsigned, unsigned) {});
    least = __reduce_min_sync(ALL_LANES, least);
    if (lane_index() == 0 && least != UNREACHABLE) atomicMin(&listing.found->least_far, least);
}

// The source alone is reached, and far.
__device__ __forceinline__ void begin(const Graph& graph, unsigned* distance, const Lists& lists, Words words) {
    const long long far_words = words_of(graph.vertices), step = thread_count();
#pragma unroll 1
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += step) distance[vertex] = UNREACHABLE;
#pragma unroll 1
    for (long long word = thread_index(); word < far_words; word += step) lists.far[word] = 0;
#pragma unroll 1
    for (long long i = thread_index(); i < 2 * gridDim.x; i += step) words.words[i] = 0;
    Progress& progress = *lists.progress;
#pragma unroll 1
    for (long long slot = thread_index(); slot < SLOTS; slot += step) progress.slots[slot] = 0;
    if (thread_index() < 3) {
        progress.near[thread_index()] = 0;
        progress.least_near[thread_index()] = progress.least_far[thread_index()] = UNREACHABLE;
    }
}

}  // namespace sliding
