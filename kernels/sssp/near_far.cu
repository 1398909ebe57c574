// Shortest paths with a near and a far set (delta stepping with two buckets) in one cooperative launch; the host waits
// once, for the end of the search.
//
// Returns the length of a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// When the distance of a vertex falls, its arcs have to be relaxed. If it fell below the threshold the vertex is near,
// and that happens in the next round; otherwise it is far and waits, because its distance will most likely fall again.
// When no vertex is near, the threshold rises by delta, and far vertices that are now below it become near. Both are
// sets: a vertex whose distance falls twice is in there once, and its arcs are relaxed with the later distance.
//
// In a round all blocks share the arcs of the near set evenly (frontier.cuh), lower distances by atomicMin, and meet in
// one barrier of the grid. Where the near set is small, rounds are a chain of waits, mostly for other blocks. Then each
// block goes on by itself from the near vertices that it has found, hop after hop, before the barrier (hops.cuh); but
// not where near vertices have many arcs, as in social networks: there a hop finds far more vertices than it starts
// from, and the distances of most will fall again.
//
// The far set is a bitmap, so it cannot overflow. A bit may stay set after its vertex became near: it is dropped when
// the far set is collected, because the distance is below the threshold before.
//
// Where a mesh has more arcs, the kernel `slide` is faster (sliding.cuh). Where vertices have many arcs, `settle` is
// (near_far/buckets.cuh); `search` is queued behind it and goes on from the distances of a search that ended early.
//
// Davidson, Baxter, Garland and Owens 2014, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths".

#include "near_far/buckets.cuh"
#include "near_far/tree.cuh"

#ifndef WIDE_ARCS  // such graphs go by buckets

#include "hops.cuh"
#include "sliding.cuh"

// What blocks tell each other and the host, which relies on the order. Of three entries one belongs to this round, one
// to the next, and one is being cleared.
struct Progress {
    unsigned barrier, rounds;
    buckets::End before;   // of the search by buckets that this one goes on from; 0 without one
    FrontierSize size[3];  // of the near set
    unsigned least_far[3], unused;
};

// What does not change in a round.
struct Round {
    Graph graph;
    unsigned threshold;
    bool is_local;  // blocks go on by themselves
    unsigned *distance, *far;
    NextFrontier near;      // of the next round
    unsigned* near_queued;  // bits of the vertices in it
};

// Whether blocks are to go on by themselves from these near vertices.
__device__ __forceinline__ bool is_small(FrontierSize size) {
    return arcs_of(size) < unsigned(LOCAL_ARCS) * gridDim.x && arcs_of(size) / MEAN_ARCS <= vertices_of(size);
}

// Puts vertices into the near set of all blocks.
__device__ __forceinline__ void make_near(const Round& round, int vertex, bool selected, Outbox& outbox) {
    push_once(outbox, vertex, selected, round.near_queued, round.graph.offsets, round.near);
}

// Lists a vertex whose distance falls: as far, or as near for this block alone if it has room, or for all.
__device__ __forceinline__ void list_vertex(const Round& round, const LocalVertex& found, bool falls,
                                            const LocalList& local, Outbox& outbox) {
    falls = falls && !(round.is_local && found.end - found.first <= round.graph.leaf);
    const bool is_near = falls && found.length < round.threshold;
    if (falls && !is_near) set_bit(round.far, found.vertex);
    const bool stays = is_near && round.is_local && local.add(found);
    if (!__any_sync(ALL_LANES, is_near && !stays)) return;
    make_near(round, found.vertex, is_near && !stays, outbox);
}

// Relaxes the arcs of the near vertices. Where they are few, blocks go on by themselves from those that they find;
// vertices still listed at the end are near for all.
__device__ __forceinline__ void relax(const Round& round, Frontier near, unsigned* queued, const LocalLists& local,
                                      Outbox& outbox) {
    const Graph& graph = round.graph;
    const auto list = [&](const Entry& target, unsigned, bool falls) {
        list_vertex(round, {target, {}}, falls, local.of(0), outbox);
    };
    local.clear();
    if (!round.is_local) return relax_set<RELAXED>(graph, near, queued, round.distance, nullptr, list);
    relax_set<1>(graph, near, queued, round.distance, graph.offsets, list);  // so more blocks have a share
    make_hops(
        graph, round.distance, local, [&](LocalVertex& vertex) { find_arcs(graph, vertex); },
        [&](const LocalVertex& target, unsigned, bool falls, const LocalList& next) {
            list_vertex(round, target, falls, next, outbox);
        },
        [&](const LocalVertex& item, bool valid) {
            const bool is_current = valid && __ldcg(&round.distance[item.vertex]) == item.length;
            make_near(round, item.vertex, is_current, outbox);
        });
}

// Lowers `*least` to the least number of a block's threads.
__device__ __forceinline__ void keep_least_of_block(unsigned number, unsigned* least) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = UNREACHABLE;
    __syncthreads();
    keep_least(number, &of_block);
    __syncthreads();
    if (threadIdx.x == 0 && of_block != UNREACHABLE) atomicMin(least, of_block);
}

// The source alone is reached, and near; or all that is reached and not `settled` is far.
__device__ __forceinline__ void begin(const Graph& graph, int source, unsigned settled, unsigned* distance,
                                      unsigned* far, int2* near, Progress* progress) {
    const long long words = words_of(graph.vertices);
    for (long long vertex = thread_index(); vertex < 32 * words; vertex += thread_count()) {
        unsigned length = UNREACHABLE;
        if (vertex < graph.vertices && settled != 0) length = distance[vertex];
        if (vertex < graph.vertices && settled == 0) distance[vertex] = vertex == source ? 0 : UNREACHABLE;
        const unsigned bits = __ballot_sync(ALL_LANES, length >= settled && length < UNREACHABLE);
        if (lane_index() == 0) far[vertex / 32] = bits;
    }
    if (thread_index() == 0) {
        near[0] = make_int2(source, 0);
        progress->size[0] = settled ? 0 : frontier_size(1, graph.offsets[source + 1] - graph.offsets[source]);
        progress->size[1] = 0;
        progress->least_far[1] = UNREACHABLE;
    }
}

// `queued` are bits of all vertices, twice: of the near set of this round and of the next, for which `near` has room
// likewise. All are 0 before a search, and after it but for vertices without arcs, which need not be listed.
extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, const int* offsets, const int* targets, const int* weights, int leaf, int source,
           unsigned delta, unsigned* distance, unsigned* far, unsigned* queued, int2* near, Progress* progress) {
    __shared__ LocalVertex lists[2 * LOCAL_VERTICES];  // of hops, or of members of the far set
    __shared__ int outboxes[BLOCK / 32][OUTBOX];
    __shared__ unsigned counts[3];
    static_assert(sizeof(lists) >= sizeof(outboxes), "a list of members for each warp fits");
    const unsigned warp = threadIdx.x / 32;
    int* const members = reinterpret_cast<int*>(lists) + warp * OUTBOX;
    const LocalLists local = {lists, counts};
    const Graph graph = {vertices, offsets, targets, weights, leaf};
    const long long words = words_of(vertices);
    Outbox outbox = {outboxes[warp], 0};
    const buckets::End before = progress->before;
    if (before.settled == UNREACHABLE) return;
    begin(graph, source, before.settled, distance, far, near, progress);
    grid_barrier(&progress->barrier);

    unsigned threshold = before.settled == 0 ? delta : before.settled, round = 0;
    bool collected = false;
    for (;; ++round) {
        const FrontierSize size = __ldcg(&progress->size[round % 3]);
        const unsigned least = __ldcg(&progress->least_far[round % 3]);
        if (thread_index() == 0) {
            progress->size[(round + 2) % 3] = 0;
            progress->least_far[(round + 2) % 3] = UNREACHABLE;
        }
        const bool collects = vertices_of(size) == 0, is_local = is_small(size);
        if (collects && collected && least == UNREACHABLE) break;
        const unsigned lower = threshold;
        if (collects) threshold = min((collected ? least : threshold) + delta, UNREACHABLE);
        const int now = round % 2, next = 1 - now;
        const NextFrontier next_near = {near + (long long)next * vertices, &progress->size[(round + 1) % 3]};
        const Round here = {graph, threshold, is_local, distance, far, next_near, queued + next * words};
        if (collects) {
            const auto list = [&](int vertex, unsigned length, bool is_near) {
                // Those that were below the threshold before it rose have been near.
                outbox.push(vertex, is_near && length >= lower, offsets, next_near);
            };
            const unsigned others = collect_far(vertices, far, distance, threshold, members, list);
            keep_least_of_block(others, &progress->least_far[(round + 1) % 3]);
        } else {
            const Frontier these = {near + (long long)now * vertices, size};
            relax(here, these, queued + now * words, local, outbox);
        }
        collected = collects;
        outbox.flush(graph.offsets, next_near);
        grid_barrier(&progress->barrier);
    }
    if (thread_index() == 0) progress->rounds = before.rounds + round;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    slide(int vertices, const int* offsets, const int* targets, const int* weights, int leaf, int source,
          unsigned width, unsigned most, unsigned enough, unsigned* distance, unsigned* far, Entry* near,
          unsigned near_room, Entry* slots, unsigned slot_room, unsigned long long* words,
          sliding::Progress* progress) {
    using namespace sliding;
    extern __shared__ __align__(16) Entry dynamic_shared[];
    __shared__ int lists_of_members[BLOCK / 32][OUTBOX];
    __shared__ Kept kept;
    __shared__ Plan plan;
    static_assert(sizeof(Found) <= sizeof(Entry) * FOUND + 1024, "the host allots so much");
    Found* const found = reinterpret_cast<Found*>(dynamic_shared);
    const Graph graph = {vertices, offsets, targets, weights, leaf};
    const Search search = {graph,     distance, far,      near,  slots, near_room,
                           slot_room, words,    progress, width, most,  enough};
    const unsigned warp = threadIdx.x / 32;
    begin(search, source);
    if (threadIdx.x == 0) {
        plan.kind = Kind::jump, plan.turn = 1, plan.reach = WIDENING;
        plan.step = plan.first = plan.least_far = 0;
    }
    unsigned round = 0;
    for (;; ++round) {
        grid_barrier(&progress->barrier);
        if (warp == 0) make_plan(plan, search, round);
        __syncthreads();
        if (plan.kind == Kind::end) break;
        const unsigned threshold = search.beginning_of(plan.end), limit_length = search.beginning_of(plan.limit());
        sliding::Round here = {search, &plan, round, found, threshold, limit_length, plan.is_locked ? &kept : nullptr,
                               0};
        here.clear();
        clear(kept);
        __syncthreads();
        if (blockIdx.x == 0) clear_numbers(plan, *progress, round);
        if (plan.kind == Kind::relax) {
            relax(here);
            if (plan.is_locked) go_on_in_lockstep(here);
        } else if (plan.kind == Kind::collect) {
            grid_barrier(&progress->barrier);  // all have made their plans
            collect(here, lists_of_members[warp]);
        }
        here.flush();
    }
    if (thread_index() == 0) progress->rounds = round + plan.turn;
}

#endif

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    settle(int vertices, arc_t arcs, const arc_t* offsets, const int2* by_class, int source, unsigned width,
           unsigned pull, unsigned few, unsigned patience, unsigned* distance, buckets::Item* lists, unsigned room,
           unsigned long long most_arcs, buckets::Waiting* beyond, buckets::Progress* progress) {
    extern __shared__ __align__(16) Entry dynamic_shared[];
    const buckets::Search search = {
        {vertices, offsets, by_class}, distance, lists, room, most_arcs, beyond, progress, width, pull, few, patience};
    const buckets::End end = buckets::settle(search, arcs, source, dynamic_shared + threadIdx.x / 32 * OUTBOX);
    if (thread_index() == 0) progress->rounds = end.rounds, progress->end = end;
}
