// Shortest paths with a window of distances that slides on with the least of them (window.cuh), where rounds have a
// middling amount of work, as on meshes: in lockstep where they have little (lockstep.cuh), and from lists that all
// blocks share where they have more.
#pragma once

#include "lockstep.cuh"

namespace sliding {

// Lists an entry whose distance falls, unless it leads nowhere, and returns whether it does; all 32 lanes take part.
__device__ __forceinline__ bool list_fallen(const Round& round, const Entry& entry, bool falls) {
    const bool leads_on = falls && entry.end - entry.first > round.search.graph.leaf;
    bool listed = leads_on;
    if (listed && entry.length < round.threshold) {
        listed = !(round.kept && round.kept->add(round.keeps, entry));
    } else if (listed && entry.length >= round.limit_length) {
        round.add_far(entry, &round.found->least_far);
        listed = false;
    }
    round.add(entry, listed);
    return leads_on;
}

// Relaxes the arcs of a warp's share of the entries.
__device__ __forceinline__ void relax(const Round& round) {
    const Graph& graph = round.search.graph;
    const Plan& plan = *round.plan;
    const unsigned entries = plan.entries, lane = lane_index();
    const unsigned each = min((entries + warp_count() - 1) / warp_count(), 32u);
#pragma unroll 1
    for (unsigned begin = 0; begin < entries; begin += warp_count() * each) {
        if (begin != 0) {
            round.flush();
            __syncthreads();
            round.clear();
            __syncthreads();
        }
        const unsigned at = begin + warp_number() * each;
        if (at >= entries) continue;
        const bool valid = lane < each && at + lane < entries;
        const Entry entry = entry_of(plan, round.search, at, valid);
        const unsigned now = valid ? __ldcg(&round.search.distance[entry.vertex]) : 0;
        const bool is_current = now == entry.length;  // its distance has not fallen since
        const bool is_near = !round.kept || entry.length < round.threshold;
        round.add(entry, valid && is_current && !is_near);
        const int own = is_current && is_near ? entry.end - entry.first : 0;
        const auto list = [&](const Entry& target, unsigned, bool falls) { list_fallen(round, target, falls); };
        visit_own_arcs<RELAXED>(entry.first, own, [&](const int (&arc)[RELAXED], const int (&owner)[RELAXED]) {
            relax_arcs(graph, arc, owner, now, round.search.distance, graph.offsets, list);
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
__device__ __forceinline__ void go_on_in_lockstep(Round& round) {
    Plan& plan = *round.plan;
    Kept& kept = *round.kept;
    Found& found = *round.found;
    const Search& search = round.search;
    const Graph& graph = search.graph;
    const unsigned group = threadIdx.x / LOCK_LANES;
    const int lane = threadIdx.x % LOCK_LANES;
    const unsigned begun = plan.turn;
    unsigned reach = plan.reach, now = 0, end = plan.end;
    round.limit_length = UNREACHABLE;  // a block keeps far vertices, too
    __syncthreads();
    unsigned held = admit(kept, 0, found, 0);
    if (threadIdx.x < min(kept.counts[0], LOCK_ITEMS)) held = min(held, kept.items[0][threadIdx.x].length);
    keep_least(held, &kept.own_least);
    unsigned turn = begun;
    for (;; ++turn, now = 1 - now) {
        __syncthreads();
        const unsigned early = min(kept.counts[now], LOCK_ITEMS);
        if (threadIdx.x == 0) say(kept, now, search.words, turn);
        int2 arc[RELAXED] = {};
        if (group < early) read_arcs(graph, kept.items[now][group], lane, arc);
        synchronize_host_grid();
        listen(kept, search.words, turn);
        __syncthreads();
        const Heard heard = kept.heard[turn % 2];
        end = max(end, heard.least / search.width + reach / WIDENING);
        reach = min(reach + 1, WIDENING * search.most);
        round.threshold = search.beginning_of(end);
        const bool is_uneven = heard.most > LOCK_GROUPS && heard.most * gridDim.x > UNEVEN * heard.total;
        const bool is_over = heard.least == UNREACHABLE || heard.most > LOCK_ITEMS ||
                             round.threshold > plan.least_far || (is_uneven && turn - begun > LOCK_TURNS);
        if (is_over && turn - begun >= 2) break;  // not before the lists are cleared
        if (found.count > FOUND / 2) compact(found);
        unsigned least = admit(kept, now, found, round.threshold);
        if (threadIdx.x == 0) {
            kept.counts[1 - now] = 0;
            kept.own_least = UNREACHABLE;
            kept.heard[1 - turn % 2] = {UNREACHABLE, 0, 0};
        }
        if (turn == begun && blockIdx.x == 0) {  // all have read the sizes of the lists that they now keep
            for (unsigned i = threadIdx.x; i < SLOTS; i += BLOCK) atomicAnd(&search.progress->slots[i], 0ull);
            __threadfence();
        }
        __syncthreads();
        round.keeps = 1 - now;
        const unsigned count = min(kept.counts[now], LOCK_ITEMS);
#pragma unroll 1
        for (unsigned at = threadIdx.x / 32 * 32 / LOCK_LANES; at < count; at += LOCK_GROUPS) {
            const unsigned own = at + threadIdx.x % 32 / LOCK_LANES;
            Entry item = {};
            if (own < count) item = kept.items[now][own];
            const int arcs = item.end - item.first;
            const bool is_read = own < early && own < LOCK_GROUPS;
#pragma unroll 1
            for (int i = lane;;) {
                if (!is_read || i != lane) read_arcs(graph, item, i, arc);
                Entry target[RELAXED];
                bool tries[RELAXED];
                unsigned before[RELAXED];
                for (int k = 0; k < RELAXED; ++k) {
                    target[k] = {arc[k].x, item.length + arc[k].y, 0, 0};
                    tries[k] = i + k * LOCK_LANES < arcs;
                }
                lower_distances(target, tries, search.distance, graph.offsets, before);
                const unsigned from = i < arcs ? __ldcg(&search.distance[item.vertex]) : 0;
                for (int k = 0; k < RELAXED; ++k) {
                    const bool falls = target[k].length < before[k] && from == item.length;
                    if (list_fallen(round, target[k], falls)) least = min(least, target[k].length);
                }
                i += RELAXED * LOCK_LANES;
                if (!__any_sync(ALL_LANES, i < arcs)) break;
            }
        }
        keep_least(least, &kept.own_least);
    }
    // What is left is listed for all.
    const bool is_left = threadIdx.x < min(kept.counts[now], LOCK_ITEMS);
    round.add(kept.items[now][is_left ? threadIdx.x : 0], is_left);
    __syncthreads();
    if (threadIdx.x == 0) {
        plan.turn = turn + 1, plan.reach = reach;
        plan.before = plan.first = plan.end = end;
    }
    __syncthreads();
}

// Moves the far vertices that are near enough to lists.
__device__ __forceinline__ void collect(const Round& round, int* members) {
    const Search& search = round.search;
    const auto list = [&](int vertex, unsigned length, bool is_nearer) {
        // All below the threshold have been listed, unless a list had no room for one that was nearer than that.
        const bool is_listed = length < round.threshold && round.plan->least_far >= round.threshold;
        const int* const arcs = search.graph.offsets + (is_nearer ? vertex : 0);
        round.add({vertex, length, arcs[0], arcs[1]}, is_nearer && !is_listed);
    };
    keep_least(collect_far(search.graph.vertices, search.far, search.distance, round.limit_length, members, list),
               &round.found->least_far);
}

// The source alone is reached, and far.
__device__ __forceinline__ void begin(const Search& search, int source) {
#pragma unroll 1
    for (long long vertex = thread_index(); vertex < search.graph.vertices; vertex += thread_count()) {
        search.distance[vertex] = vertex == source ? 0 : UNREACHABLE;
        if (vertex % 32 == 0) search.far[vertex / 32] = vertex / 32 == source / 32 ? 1u << source % 32 : 0;
    }
    Progress& progress = *search.progress;
    const unsigned thread = unsigned(thread_index());
    if (thread < 2 * gridDim.x) search.words[thread] = 0;
    if (thread < SLOTS) progress.slots[thread] = 0;
    if (thread < 3) progress.near[thread] = 0, progress.least_near[thread] = UNREACHABLE;
    if (thread < 3) progress.least_far[thread] = thread == 0 ? 0 : UNREACHABLE;
}

}  // namespace sliding
