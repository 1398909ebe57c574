// Shortest paths with a near and a far set (delta stepping with two buckets), in one cooperative launch, which asks the
// host nothing before the search is over.
//
// Returns the length of a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// A vertex whose distance falls has to tell its neighbours. If it fell below the threshold, the vertex is near and does
// so in the next round; otherwise it is far and waits, because it will most likely fall again. When no vertex is near,
// the threshold rises by delta and those of the far set that are now below it become near. Both are sets: a vertex that
// falls twice is in there once, and it is its distance at the time of leaving that counts.
//
// In a round all blocks share the arcs of the near set evenly (frontier.cuh), lower distances by atomicMin, and meet in
// one barrier of the grid. Where the near set is small, that is a chain of waits, most of all for other blocks. Each
// block then goes on by itself from the near vertices that it has found, hop after hop, before it meets the others
// (hops.cuh). It does not where near vertices have many arcs, as in social networks: there a hop finds far more
// vertices than it starts from, and most of them will fall again.
//
// The far set is a bitmap, so it cannot overflow; a bit may outlive its reason, and is then dropped because the
// distance is below the threshold that was the last one: such a vertex has been near since. A round's near set has each
// vertex once, so `frontier` needs room for as many as there are vertices, twice.
//
// Davidson, Baxter, Garland and Owens 2014, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths".

#include "hops.cuh"

// What blocks tell each other and the host, in this order. Of a round that is counted modulo 3: this one, the next, and
// one that is being cleared.
struct Search {
    unsigned barrier, rounds;
    FrontierSize size[3];  // of the near set
    unsigned least_far[3], unused;
};

struct Graph {
    int vertices;
    const int* offsets;
    const int* targets;
    const int* weights;
};

// What does not change in a round.
struct Round {
    Graph graph;
    unsigned threshold;
    bool is_local;  // whether blocks go on by themselves
    unsigned *distance, *far;
    int2* next_near;
    FrontierSize* next_size;
    unsigned* next_queued;  // bits of those in next_near
};

constexpr int NOBODY = -1;
constexpr int RELAXED = 2;  // arcs that a lane relaxes at a time

// Whether blocks are to go on by themselves from these near vertices.
__device__ __forceinline__ bool is_small(FrontierSize size) {
    return arcs_of(size) < unsigned(LOCAL_ARCS) * gridDim.x && arcs_of(size) / MEAN_ARCS <= vertices_of(size);
}

// For all blocks, in the next round.
__device__ __forceinline__ void make_near(const Round& round, int vertex, bool wanted, Outbox& outbox) {
    outbox.push(vertex, wanted && claim_bit(round.next_queued, vertex), round.graph.offsets, round.next_near,
                round.next_size);
}

// A vertex whose distance falls to `length` becomes far or near; near for this block alone if that can keep it.
__device__ __forceinline__ void take_note(const Round& round, int vertex, bool falls, unsigned length,
                                          const Ahead<int2>& ahead, const Kept<int2>& kept, Outbox& outbox) {
    const bool is_near = falls && length < round.threshold;
    if (falls && !is_near) set_bit(round.far, vertex);
    const bool stays = is_near && round.is_local && kept.add(vertex, length, ahead);
    if (!__any_sync(ALL_LANES, is_near && !stays)) return;
    make_near(round, vertex, is_near && !stays, outbox);
}

// The target and the weight of an arc.
__device__ __forceinline__ auto reading(const Graph& graph) {
    return
        [targets = graph.targets, weights = graph.weights](int arc) { return make_int2(targets[arc], weights[arc]); };
}

// Tells the targets of the near vertices' arcs what they cost by way of them.
__device__ __forceinline__ void relax(const Round& round, const int2* near, FrontierSize size, unsigned* queued,
                                      const Kept<int2>& kept, Outbox& outbox) {
    const Graph& graph = round.graph;
    unsigned from = 0;
    for_each_arc<RELAXED>(
        near, size, graph.offsets,
        [&](int vertex) {
            clear_bit(queued, vertex);
            from = __ldcg(&round.distance[vertex]);
        },
        [&](const int (&arc)[RELAXED], const int (&who)[RELAXED]) {
            int target[RELAXED];
            unsigned length[RELAXED];
            bool falls[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                const bool there = arc[k] != NO_ARC;
                target[k] = there ? __ldg(&graph.targets[arc[k]]) : NOBODY;
                length[k] = there ? __ldg(&graph.weights[arc[k]]) : 0;
            }
            for (int k = 0; k < RELAXED; ++k) length[k] += __shfl_sync(ALL_LANES, from, who[k]);
            for (int k = 0; k < RELAXED; ++k) {
                falls[k] = target[k] != NOBODY && length[k] < round.distance[target[k]];
            }
            // None of the branches waits for what it asks for.
            unsigned before[RELAXED] = {};
            Ahead<int2> ahead[RELAXED];
            for (int k = 0; k < RELAXED; ++k) {
                if (!falls[k]) continue;
                before[k] = atomicMin(&round.distance[target[k]], length[k]);
                if (round.is_local) ahead[k] = arcs_from<int2>(graph.offsets, target[k]);
            }
            for (int k = 0; k < RELAXED; ++k) {
                take_note(round, target[k], length[k] < before[k], length[k], ahead[k], kept, outbox);
            }
        });
}

// Goes on from what this block has kept; what it leaves is for all.
__device__ __forceinline__ void hop(const Round& round, const KeptLists<int2>& kept, Outbox& outbox) {
    const auto read = reading(round.graph);
    go_on(
        kept, read,
        [&](const KeptVertex<int2>& item, bool there, int2 arc, const Kept<int2>& next) {
            const unsigned length = item.length + arc.y;
            const auto found = lower(item, there, arc.x, length, round.distance, round.graph.offsets, read);
            take_note(round, arc.x, found.falls, length, found.ahead, next, outbox);
        },
        [&](const KeptVertex<int2>& item, bool there) {
            const bool is_new = there && __ldcg(&round.distance[item.vertex]) == item.length;
            make_near(round, item.vertex, is_new, outbox);
        });
}

// Makes those of the far vertices near that are below the threshold, drops those that have been near since it rose to
// `lower`, and returns the least distance of a thread's others.
__device__ __forceinline__ unsigned collect(const Round& round, unsigned lower, int* list, unsigned* changed,
                                            Outbox& outbox) {
    unsigned least = UNREACHABLE;
    for_each_member(
        words_of(round.graph.vertices), list, changed, [&](unsigned word) { return __ldcg(&round.far[word]); },
        [&](int vertex, unsigned* gone) {
            const unsigned length = vertex == NOBODY ? UNREACHABLE : __ldcg(&round.distance[vertex]);
            const bool is_below = length < round.threshold;
            if (is_below) atomicOr(gone, 1u << vertex % 32);
            if (!is_below) least = min(least, length);
            outbox.push(vertex, is_below && length >= lower, round.graph.offsets, round.next_near, round.next_size);
        },
        [&](unsigned word, unsigned members, unsigned gone) {
            if (gone != 0) round.far[word] = members & ~gone;
        });
    return least;
}

// The least number of a block's threads.
__device__ __forceinline__ void keep_least(unsigned number, unsigned* least) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = UNREACHABLE;
    number = __reduce_min_sync(ALL_LANES, number);
    __syncthreads();
    if (lane_index() == 0) atomicMin(&of_block, number);
    __syncthreads();
    if (threadIdx.x == 0 && of_block != UNREACHABLE) atomicMin(least, of_block);
}

// The source alone is reached, and near.
__device__ __forceinline__ void begin(const Graph& graph, int source, unsigned* distance, unsigned* far,
                                      unsigned* queued, int2* near, Search* search) {
    const long long words = words_of(graph.vertices), step = thread_count();
    for (long long vertex = thread_index(); vertex < graph.vertices; vertex += step) {
        distance[vertex] = vertex == source ? 0 : UNREACHABLE;
    }
    for (long long word = thread_index(); word < words; word += step) {
        far[word] = queued[word] = queued[words + word] = 0;
    }
    if (thread_index() == 0) {
        near[0] = make_int2(source, 0);
        search->size[0] = frontier_size(1, graph.offsets[source + 1] - graph.offsets[source]);
        search->size[1] = 0;
        search->least_far[1] = UNREACHABLE;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    search(int vertices, const int* offsets, const int* targets, const int* weights, int source, unsigned delta,
           unsigned* distance, unsigned* far, unsigned* queued, int2* frontier, Search* search) {
    extern __shared__ __align__(16) KeptVertex<int2> dynamic_shared[];
    __shared__ Workspace shared;
    const Graph graph = {vertices, offsets, targets, weights};
    const KeptLists<int2> kept = {dynamic_shared, shared.kept_counts};
    const long long words = words_of(vertices);
    const unsigned warp = threadIdx.x / 32;
    Outbox outbox = {shared.outboxes[warp], 0};
    begin(graph, source, distance, far, queued, frontier, search);
    grid_barrier(&search->barrier);

    unsigned threshold = delta, round = 0;
    bool collected = false;
    for (;; ++round) {
        const FrontierSize size = __ldcg(&search->size[round % 3]);
        const unsigned least = __ldcg(&search->least_far[round % 3]);
        FrontierSize* const next_size = &search->size[(round + 1) % 3];
        if (thread_index() == 0) {
            search->size[(round + 2) % 3] = 0;
            search->least_far[(round + 2) % 3] = UNREACHABLE;
        }
        const bool collects = vertices_of(size) == 0, is_local = is_small(size);
        if (collects && collected && least == UNREACHABLE) break;
        const unsigned lower = threshold;
        if (collects) threshold = min((collected ? least : threshold) + delta, UNREACHABLE);
        const int now = round % 2, next = 1 - now;
        int2* const next_near = frontier + (long long)next * vertices;
        const Round here = {graph, threshold, is_local, distance, far, next_near, next_size, queued + next * words};
        if (collects) {
            const unsigned others = collect(here, lower, shared.lists[warp], shared.changed[warp], outbox);
            keep_least(others, &search->least_far[(round + 1) % 3]);
        } else {
            clear(kept);
            relax(here, frontier + (long long)now * vertices, size, queued + now * words, kept.of(0), outbox);
            if (is_local) hop(here, kept, outbox);
        }
        collected = collects;
        outbox.flush(offsets, next_near, next_size);
        grid_barrier(&search->barrier);
    }
    if (thread_index() == 0) search->rounds = round;
}
