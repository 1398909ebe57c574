// Shortest paths with a near and a far set (delta stepping with two buckets), in two launches, neither of which asks
// the host anything before the search is over.
//
// Returns the length of a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// A vertex whose distance falls has to tell its neighbours. If it fell below the threshold, the vertex is near and does
// so in the next round; otherwise it is far and waits, because it will most likely fall again. When no vertex is near,
// the threshold rises by delta and those of the far set that are now below it become near. Both are sets: a vertex that
// falls twice is in there once, and it is its distance at the time of leaving that counts.
//
// As in a breadth-first search, what a round costs depends on how many vertices are near:
// - narrow: one cluster of blocks. Each vertex is owned by one block, which alone lowers its distance and keeps the
//   near set in shared memory. Who relaxes an arc posts (vertex, distance) to the inbox of the owner.
// - wide: all blocks of a cooperative launch share the arcs of the near set evenly (frontier.cuh), lower distances by
//   atomicMin, and meet in one barrier of the grid a round.
//
// The search starts narrow. When an inbox is full or a vertex has many arcs, all that waits is put into the far set and
// the second launch goes on from there: the far set, distances and the threshold are all that there is to know.
//
// The far set is a bitmap, so it cannot overflow; a bit may outlive its reason, and is then dropped because the
// distance is below the threshold that was the last one: such a vertex has been near since. A round's near set has each
// vertex once, so `frontier` needs room for as many as there are vertices, twice.
//
// Launches: search_narrow, in one cluster; search_wide, cooperative, which has nothing to do if the first has finished.
//
// Davidson, Baxter, Garland and Owens 2014, "Work-Efficient Parallel GPU Methods for Single-Source Shortest Paths".

#include "bitmap.cuh"
#include "mail.cuh"

// What the two launches tell each other and the host, in this order. Of a round that is counted modulo 3: this one, the
// next, and one that is being cleared.
struct Search {
    unsigned barrier, rounds, finished, threshold;
    FrontierSize size[3];  // of the near set
    unsigned least_far[3], unused;
};

struct Graph {
    int vertices;
    const int* offsets;
    const int* targets;
    const int* weights;
};

constexpr int NOBODY = -1;
constexpr int ARC_LANES = 4;  // that share the arcs of a vertex in a narrow round
constexpr int RELAXED = 2;    // arcs that a lane relaxes at a time in a wide one

__device__ __forceinline__ unsigned raised(unsigned threshold, unsigned delta) {
    return min(threshold + delta, UNREACHABLE);
}

__device__ __forceinline__ void set_bit(unsigned* bits, int number) {
    atomicOr(&bits[unsigned(number) / 32], 1u << number % 32);
}

// Before the search: no vertex is reached, none is in a set. By threads `first`, `first + step`, ...
__device__ __forceinline__ void clear(int vertices, long long first, long long step, unsigned* distance, unsigned* far,
                                      unsigned* queued) {
    for (long long vertex = first; vertex < vertices; vertex += step) distance[vertex] = UNREACHABLE;
    for (long long word = first; word < 1ll * own_words(vertices) * CLUSTER; word += step) far[word] = 0;
    for (long long word = first; word < 2ll * words_of(vertices); word += step) queued[word] = 0;
}

// ---- narrow

// The bit of a vertex of this block's own.
__device__ __forceinline__ bool claim_own(unsigned* bits, int vertex) {
    return claim_bit(&bits[own_word(vertex)], vertex % 32);
}
__device__ __forceinline__ void clear_own(unsigned* bits, int vertex) {
    atomicAnd(&bits[own_word(vertex)], ~(1u << vertex % 32));
}

// Lowers the distances that messages are about; vertices whose distance falls become near or far.
__device__ __forceinline__ void take_in(const Mail<int2>& mail, unsigned round, unsigned threshold,
                                        const BlockList& near, unsigned* own_near, unsigned* distance, unsigned* far) {
    mail.for_each(round, [&](const int2* message) {
        const int vertex = message ? message->x : NOBODY;
        const unsigned length = message ? message->y : UNREACHABLE;
        const bool falls = message && length < atomicMin(&distance[vertex], length);
        if (falls && length >= threshold) set_bit(far, vertex);
        near.push(vertex, falls && length < threshold && claim_own(own_near, vertex));
    });
}

// Makes those of this block's far vertices near that are below the threshold, as many as the list has room for, and
// drops those that have been near since the threshold rose to `lower`. Returns the least distance of a thread's others.
__device__ __forceinline__ unsigned collect(int vertices, unsigned lower, unsigned threshold, const BlockList& near,
                                            unsigned capacity, unsigned* own_near, unsigned* distance, unsigned* far) {
    unsigned least = UNREACHABLE;
    const unsigned words = own_words(vertices);
    for (unsigned word = threadIdx.x; word < words; word += blockDim.x) {
        unsigned* const far_word = &far[word_of_all(word, blockIdx.x)];
        const unsigned bits = __ldcg(far_word);
        unsigned kept = bits;
        for (unsigned others = bits; others != 0; others &= others - 1) {
            const int number = __ffs(others) - 1, vertex = int(word_of_all(word, blockIdx.x) * 32) + number;
            const unsigned length = __ldcg(&distance[vertex]);
            if (length < threshold && (length < lower || near.size() < capacity)) {
                kept &= ~(1u << number);
                if (length >= lower && claim_own(own_near, vertex)) near.add(vertex);
            } else {
                least = min(least, length);
            }
        }
        if (kept != bits) atomicAnd(far_word, kept | ~bits);  // others may set bits of the same word
    }
    return least;
}

// Tells the targets of the near vertices' arcs what they cost by way of them. Several lanes share the arcs of a vertex.
// Returns whether there were any.
__device__ __forceinline__ bool expand(const Mail<int2>& mail, unsigned round, const Graph& graph, int most_arcs,
                                       const BlockList& near, unsigned* own_near, unsigned* distance, unsigned* far) {
    const unsigned count = *near.count, lane = threadIdx.x % ARC_LANES;
    for (unsigned i = threadIdx.x / ARC_LANES; i < count; i += blockDim.x / ARC_LANES) {
        const int vertex = near.items[i];
        const int begin = __ldg(&graph.offsets[vertex]), end = __ldg(&graph.offsets[vertex + 1]);
        const unsigned from = __ldcg(&distance[vertex]);
        if (lane == 0) clear_own(own_near, vertex);
        if (end - begin > most_arcs) {
            set_bit(far, vertex);
            mail.refuse();
            continue;
        }
        for (int arc = begin + lane; arc < end; arc += ARC_LANES) {
            const int target = __ldg(&graph.targets[arc]);
            const unsigned length = from + __ldg(&graph.weights[arc]);
            if (length >= distance[target]) continue;  // an old value is not below the new one, so none is missed
            if (mail.post(round, owner_of(target), make_int2(target, length))) continue;
            if (length < atomicMin(&distance[target], length)) set_bit(far, target);
        }
    }
    return count > 0;
}

extern "C" __global__ void ONE_CLUSTER __launch_bounds__(1024, 1)
    search_narrow(int vertices, const int* offsets, const int* targets, const int* weights, int source, unsigned delta,
                  int capacity, int most_arcs, unsigned* distance, unsigned* far, unsigned* queued, Search* search) {
    extern __shared__ unsigned long long dynamic_shared[];
    __shared__ unsigned counts[2], least_far;
    const Graph graph = {vertices, offsets, targets, weights};
    const unsigned words = own_words(vertices), rank = blockIdx.x, thread = threadIdx.x;
    const Mail<int2> mail(dynamic_shared, capacity);
    unsigned* const own_near = static_cast<unsigned*>(mail.end());
    // As many as there can be messages, and one more for each thread that collects.
    int* const list = reinterpret_cast<int*>(own_near + words);

    for (unsigned word = thread; word < words; word += blockDim.x) own_near[word] = 0;
    if (thread < 2) counts[thread] = 0;
    clear(vertices, thread_index(), thread_count(), distance, far, queued);
    mail.start(make_int2(source, 0), source);
    cluster_barrier();

    unsigned round = 0, threshold = delta, lower = 0, flags;
    bool collected = false;
    for (;; ++round) {
        const uint2 news = mail.receive(round);
        const BlockList near = {list, &counts[round % 2]};
        flags = news.x;
        if (flags & (CROWDED | REFUSED)) break;
        if (flags & BUSY) {
            collected = false;
            take_in(mail, round, threshold, near, own_near, distance, far);
        } else {
            if (collected && news.y == UNREACHABLE) break;
            const unsigned last = threshold;
            threshold = max(threshold, raised(collected ? news.y : threshold, delta));
            collected = true;
            if (thread == 0) least_far = UNREACHABLE;
            __syncthreads();
            atomicMin(&least_far,
                      collect(vertices, lower, threshold, near, 2 * CLUSTER * capacity, own_near, distance, far));
            __syncthreads();
            if (least_far >= last) lower = last;
        }
        __syncthreads();
        if (thread == 0) counts[(round + 1) % 2] = 0;
        const bool any = expand(mail, round, graph, most_arcs, near, own_near, distance, far);
        mail.send(round, any, collected ? least_far : UNREACHABLE);
    }

    mail.for_each(round, [&](const int2* message) {
        if (message && unsigned(message->y) < atomicMin(&distance[message->x], message->y)) set_bit(far, message->x);
    });
    if (rank == 0 && thread < 3) {
        search->size[thread] = 0;
        search->least_far[thread] = UNREACHABLE;
    }
    if (rank == 0 && thread == 0) {
        search->barrier = 0;
        search->rounds = round;
        search->finished = flags == 0;
        search->threshold = threshold;
    }
}

// ---- wide

// Tells the targets of this frontier's arcs what they cost by way of it.
__device__ __forceinline__ void relax(const Graph& graph, unsigned threshold, const int2* near, FrontierSize size,
                                      unsigned* queued, unsigned* distance, unsigned* far, int2* next_near,
                                      FrontierSize* next_size, unsigned* next_queued, Outbox& outbox) {
    unsigned from = 0;
    for_each_arc<RELAXED>(
        near, size, graph.offsets,
        [&](int vertex) {
            atomicAnd(&queued[unsigned(vertex) / 32], ~(1u << vertex % 32));
            from = __ldcg(&distance[vertex]);
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
            for (int k = 0; k < RELAXED; ++k) falls[k] = target[k] != NOBODY && length[k] < distance[target[k]];
            for (int k = 0; k < RELAXED; ++k) {
                falls[k] = falls[k] && length[k] < atomicMin(&distance[target[k]], length[k]);
            }
            for (int k = 0; k < RELAXED; ++k) {
                if (falls[k] && length[k] >= threshold) set_bit(far, target[k]);
                const bool is_near = falls[k] && length[k] < threshold && claim_bit(next_queued, target[k]);
                outbox.push(target[k], is_near, graph.offsets, next_near, next_size);
            }
        });
    outbox.flush(graph.offsets, next_near, next_size);
}

// Makes those of the far vertices near that are below the threshold, drops those that have been near since it rose to
// `lower`, and returns the least distance of a thread's others.
__device__ __forceinline__ unsigned collect_wide(const Graph& graph, unsigned lower, unsigned threshold,
                                                 const unsigned* distance, unsigned* far, int2* near,
                                                 FrontierSize* size, int* list, unsigned* changed, Outbox& outbox) {
    unsigned least = UNREACHABLE;
    for_each_member(
        words_of(graph.vertices), list, changed, [&](unsigned word) { return __ldcg(&far[word]); },
        [&](int vertex, unsigned* gone) {
            const unsigned length = vertex == NOBODY ? UNREACHABLE : __ldcg(&distance[vertex]);
            if (length < threshold) atomicOr(gone, 1u << vertex % 32);
            if (length >= threshold) least = min(least, length);
            outbox.push(vertex, length < threshold && length >= lower, graph.offsets, near, size);
        },
        [&](unsigned word, unsigned members, unsigned gone) {
            if (gone != 0) far[word] = members & ~gone;
        });
    outbox.flush(graph.offsets, near, size);
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

extern "C" __global__ void __launch_bounds__(WIDE_BLOCK, 1)
    search_wide(int vertices, const int* offsets, const int* targets, const int* weights, int source, unsigned delta,
                unsigned* distance, unsigned* far, unsigned* queued, int2* frontier, Search* search) {
    constexpr int warps = WIDE_BLOCK / 32;
    __shared__ int lists[warps][OUTBOX], outboxes[warps][OUTBOX];
    __shared__ unsigned changed[warps][MOST_WIDTH];
    const Graph graph = {vertices, offsets, targets, weights};
    const unsigned warp = threadIdx.x / 32;
    Outbox outbox = {outboxes[warp], 0};
    unsigned threshold, round;

    if (source != NOBODY) {
        clear(vertices, thread_index(), thread_count(), distance, far, queued);
        if (thread_index() < 3) {
            search->size[thread_index()] = 0;
            search->least_far[thread_index()] = UNREACHABLE;
        }
        grid_barrier(&search->barrier);
        if (thread_index() == 0) {
            distance[source] = 0;
            set_bit(far, source);
        }
        grid_barrier(&search->barrier);
        threshold = delta;
        round = 0;
    } else {
        if (search->finished) return;
        threshold = search->threshold;
        round = search->rounds;
    }

    unsigned lower = 0;
    bool first = true, collected = false;
    for (;; ++round) {
        const FrontierSize size = __ldcg(&search->size[round % 3]);
        const unsigned least = __ldcg(&search->least_far[round % 3]);
        FrontierSize* const next_size = &search->size[(round + 1) % 3];
        unsigned* const next_least = &search->least_far[(round + 1) % 3];
        if (thread_index() == 0) {
            search->size[(round + 2) % 3] = 0;
            search->least_far[(round + 2) % 3] = UNREACHABLE;
        }
        const int now = round % 2, next = 1 - now;
        const long long words = words_of(vertices);
        int2* const next_near = frontier + (long long)next * vertices;
        if (vertices_of(size) > 0) {
            relax(graph, threshold, frontier + (long long)now * vertices, size, queued + now * words, distance, far,
                  next_near, next_size, queued + next * words, outbox);
            collected = false;
        } else {
            if (collected && least == UNREACHABLE) break;
            const unsigned last = first ? 0 : threshold;
            if (!first) threshold = raised(collected ? least : threshold, delta);
            lower = last;
            const unsigned others = collect_wide(graph, lower, threshold, distance, far, next_near, next_size,
                                                 lists[warp], changed[warp], outbox);
            keep_least(others, next_least);
            collected = true;
            first = false;
        }
        grid_barrier(&search->barrier);
    }
    if (thread_index() == 0) search->rounds = round;
}
