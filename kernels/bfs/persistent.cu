// Breadth-first search in two launches, neither of which asks the host anything before the search is over.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// What a level costs depends on its size, and so the search is in one of three modes:
// - narrow: on a road a level has a few hundred vertices and there are a thousand levels, so that the latency of one
//   is everything. One cluster of blocks keeps the bits of visited vertices and the frontier in its shared memory.
//   Each vertex is owned by one block; who finds a neighbour posts it to the inbox of its owner (mail.cuh), and only
//   the owner asks whether it is new. A level is two dependent reads of the graph and one message, without a barrier
//   between the blocks.
// - push: all blocks of a cooperative launch share the arcs of the frontier evenly (frontier.cuh). One barrier of the
//   grid a level.
// - pull: when the frontier has many of the arcs, every unvisited vertex looks for a visited neighbour instead, and
//   stops at the first. The neighbours of an unvisited vertex are unvisited or in the frontier, because it would have
//   been found earlier otherwise; so the bits of visited vertices are all that is needed to know the frontier. New bits
//   go into a second copy. Only where arcs have both directions.
//
// The search starts narrow. When an inbox is full or a vertex has many arcs, the cluster gives up the level, of which
// nothing has left its shared memory but distances of vertices that did belong to it, writes down bits and frontier,
// and the second launch goes on from there. Distances are written once, when known; no array is filled beforehand.
//
// Whether to pull: if alpha times the arcs of the frontier is more than the arcs not yet explored plus vertices / beta.
// An inbox cannot overflow unseen, since its sender counts; a vertex is in the frontier once, so `frontier` needs room
// for as many as there are vertices.
//
// Launches: search_narrow, in one cluster; search_wide, cooperative, which has nothing to do if the first has finished.
//
// Directions: Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search".

#include "bitmap.cuh"
#include "mail.cuh"

// What the two launches tell each other and the host, in this order.
struct Search {
    unsigned barrier, levels, finished, unused;
    FrontierSize size[3];  // of the frontiers of three levels: this one, the next, and one that is being cleared
    FrontierSize written;  // how much of a frontier that was pulled has been made into a list
};

constexpr int NOBODY = -1;
constexpr int ARC_LANES = 4;  // that share the arcs of a vertex in a narrow level
constexpr int PUSHED = 4;     // arcs that a lane pushes along at a time
constexpr int PULLED = 2;     // ... and that it pulls along

// ---- narrow

// Posts the targets of the arcs of the vertices in the list to their owners. Several lanes share the arcs of a vertex.
// Returns whether there were any.
__device__ __forceinline__ bool expand(const Mail<int>& mail, unsigned level, const BlockList& frontier,
                                       const int* offsets, const int* targets, int most_arcs, unsigned* distance) {
    const unsigned count = *frontier.count, lane = threadIdx.x % ARC_LANES;
    for (unsigned i = threadIdx.x / ARC_LANES; i < count; i += blockDim.x / ARC_LANES) {
        const int vertex = frontier.items[i];
        const int begin = __ldg(&offsets[vertex]), end = __ldg(&offsets[vertex + 1]);
        if (lane == 0) distance[vertex] = level;
        if (end - begin > most_arcs) {
            mail.refuse();
            continue;
        }
        for (int arc = begin + lane; arc < end; arc += ARC_LANES) {
            const int target = __ldg(&targets[arc]);
            mail.post(level, owner_of(target), target);
        }
    }
    return count > 0;
}

// Whoever has not been visited when the search is over is not reachable.
__device__ __forceinline__ void set_unreachable(unsigned visited, long long first, int vertices, unsigned* distance) {
    for (unsigned others = ~visited; others != 0; others &= others - 1) {
        const long long vertex = first + __ffs(others) - 1;
        if (vertex < vertices) distance[vertex] = UNREACHABLE;
    }
}

// The frontier of a level that was given up, for all blocks of the second launch.
__device__ __forceinline__ void hand_over(const BlockList& own_frontier, const unsigned* own_visited, unsigned words,
                                          const int* offsets, unsigned* visited, int2* frontier, FrontierSize* size) {
    for (unsigned word = threadIdx.x; word < words; word += blockDim.x) {
        visited[word_of_all(word, blockIdx.x)] = own_visited[word];
    }
    const unsigned count = *own_frontier.count;
    for (unsigned i = threadIdx.x / 32 * OUTBOX; i < count; i += blockDim.x / 32 * OUTBOX) {
        append(own_frontier.items + i, min(count - i, unsigned(OUTBOX)), offsets, frontier, size);
    }
}

extern "C" __global__ void ONE_CLUSTER __launch_bounds__(1024, 1)
    search_narrow(int vertices, const int* offsets, const int* targets, int source, int capacity, int most_arcs,
                  unsigned* distance, unsigned* visited, int2* frontier, Search* search) {
    extern __shared__ unsigned long long dynamic_shared[];
    __shared__ unsigned counts[2];
    const unsigned words = own_words(vertices), rank = blockIdx.x, thread = threadIdx.x;
    const Mail<int> mail(dynamic_shared, capacity);
    unsigned* const own_visited = static_cast<unsigned*>(mail.end());
    int* const own_frontier = reinterpret_cast<int*>(own_visited + words);  // as many as there can be messages
    for (unsigned word = thread; word < words; word += blockDim.x) own_visited[word] = 0;
    if (thread < 2) counts[thread] = 0;
    if (rank == 0 && thread < 3) search->size[thread] = 0;
    if (rank == 0 && thread == 3) search->written = 0;
    mail.start(source, source);
    cluster_barrier();

    unsigned level = 0, flags;
    for (;; ++level) {
        flags = mail.receive(level).x;
        if (flags != BUSY) break;
        const BlockList found = {own_frontier, &counts[level % 2]};
        mail.for_each(level, [&](const int* message) {
            const int vertex = message ? *message : NOBODY;
            found.push(vertex, message && claim_bit(&own_visited[own_word(vertex)], vertex % 32));
        });
        __syncthreads();
        if (thread == 0) counts[(level + 1) % 2] = 0;
        const bool any = expand(mail, level, found, offsets, targets, most_arcs, distance);
        mail.send(level, any);
    }
    --level;  // this one found nothing, or was given up

    if (flags & (CROWDED | REFUSED)) {
        hand_over({own_frontier, &counts[level % 2]}, own_visited, words, offsets, visited, frontier,
                  &search->size[level % 3]);
    } else {
        for (unsigned word = thread; word < words; word += blockDim.x) {
            set_unreachable(own_visited[word], 32ll * word_of_all(word, rank), vertices, distance);
        }
    }
    if (rank == 0 && thread == 0) {
        search->barrier = 0;
        search->levels = level;
        search->finished = flags == 0;
    }
}

// ---- wide

struct Graph {
    int vertices;
    int arcs;
    const int* offsets;
    const int* targets;
};

__device__ __forceinline__ void push(const Graph& graph, unsigned level, const int2* current, FrontierSize current_size,
                                     unsigned* visited, unsigned* distance, int2* next, FrontierSize* next_size,
                                     Outbox& outbox) {
    for_each_arc<PUSHED>(
        current, current_size, graph.offsets, [](int) {},
        [&](const int (&arc)[PUSHED], const int (&)[PUSHED]) {
            int target[PUSHED];
            bool found[PUSHED];
            for (int k = 0; k < PUSHED; ++k) target[k] = arc[k] == NO_ARC ? NOBODY : __ldg(&graph.targets[arc[k]]);
            for (int k = 0; k < PUSHED; ++k) found[k] = target[k] != NOBODY && !has_bit(visited, target[k]);
            for (int k = 0; k < PUSHED; ++k) {
                found[k] = found[k] && claim_bit(visited, target[k]);
            }
            for (int k = 0; k < PUSHED; ++k) {
                if (found[k]) distance[target[k]] = level + 1;
                outbox.push(target[k], found[k], graph.offsets, next, next_size);
            }
        });
    outbox.flush(graph.offsets, next, next_size);
}

// Whether one of these arcs leads to a visited vertex. Each lane has arcs of its own and tries the first ones alone;
// for what is then undecided all lanes try together.
__device__ __forceinline__ bool meets_visited(const int* targets, const unsigned* visited, int begin, int end) {
    constexpr int alone = 16;
    bool met = false;
    const int stop = min(end, begin + alone);
    for (int arc = begin; arc < stop && !met; arc += PULLED) {
        int target[PULLED];
        for (int k = 0; k < PULLED; ++k) target[k] = arc + k < stop ? __ldg(&targets[arc + k]) : NOBODY;
        for (int k = 0; k < PULLED; ++k) met |= target[k] != NOBODY && has_bit(visited, target[k]);
    }
    unsigned undecided = __ballot_sync(ALL_LANES, !met && stop < end);
    for (; undecided != 0; undecided &= undecided - 1) {
        const int lane = __ffs(undecided) - 1;
        const int last = __shfl_sync(ALL_LANES, end, lane);
        int arc = __shfl_sync(ALL_LANES, stop, lane);
        bool found = false;
        for (; arc < last && !found; arc += 32) {
            const int mine = arc + lane_index();
            found = __any_sync(ALL_LANES, mine < last && has_bit(visited, __ldg(&targets[mine])));
        }
        if (lane_index() == lane) met = found;
    }
    return met;
}

__device__ __forceinline__ FrontierSize pull(const Graph& graph, unsigned level, const unsigned* visited,
                                             unsigned* next_visited, unsigned* distance, int* list, unsigned* changed) {
    unsigned found = 0, found_arcs = 0;
    for_each_member(
        words_of(graph.vertices), list, changed, [&](unsigned word) { return ~visited[word]; },
        [&](int vertex, unsigned* new_bits) {
            const bool there = vertex >= 0 && vertex < graph.vertices;
            const int begin = there ? __ldg(&graph.offsets[vertex]) : 0;
            const int end = there ? __ldg(&graph.offsets[vertex + 1]) : 0;
            const bool met = meets_visited(graph.targets, visited, begin, end);
            const bool isolated = there && begin == end;
            if (met || isolated) {
                distance[vertex] = met ? level + 1 : UNREACHABLE;
                atomicOr(new_bits, 1u << vertex % 32);
                found += met;
                found_arcs += end - begin;
            }
        },
        [&](unsigned word, unsigned unvisited, unsigned changed) { next_visited[word] = ~unvisited | changed; });
    return frontier_size(found, found_arcs);
}

// Adds what the threads of a block have found.
__device__ __forceinline__ void count_found(FrontierSize found, FrontierSize* size) {
    __shared__ FrontierSize total;
    if (threadIdx.x == 0) total = 0;
    const unsigned vertices = __reduce_add_sync(ALL_LANES, vertices_of(found));
    const unsigned arcs = __reduce_add_sync(ALL_LANES, arcs_of(found));
    __syncthreads();
    if (lane_index() == 0 && vertices > 0) atomicAdd(&total, frontier_size(vertices, arcs));
    __syncthreads();
    if (threadIdx.x == 0 && total != 0) atomicAdd(size, total);
}

// Makes a list of the vertices that have been pulled in the last level.
__device__ __forceinline__ void list_frontier(const Graph& graph, const unsigned* visited, const unsigned* before,
                                              int* list, unsigned* changed, int2* frontier, FrontierSize* size,
                                              Outbox& outbox) {
    for_each_member(
        words_of(graph.vertices), list, changed, [&](unsigned word) { return visited[word] & ~before[word]; },
        [&](int vertex, unsigned*) {
            const bool wanted = vertex >= 0 && graph.offsets[vertex] < graph.offsets[vertex + 1];
            outbox.push(vertex, wanted, graph.offsets, frontier, size);
        },
        [](unsigned, unsigned, unsigned) {});
    outbox.flush(graph.offsets, frontier, size);
}

extern "C" __global__ void __launch_bounds__(WIDE_BLOCK, 1)
    search_wide(int vertices, int arcs, const int* offsets, const int* targets, int source, int undirected, int alpha,
                int beta, unsigned* distance, unsigned* visited, unsigned* visited_before, int2* frontier,
                Search* search) {
    constexpr int warps = WIDE_BLOCK / 32;
    __shared__ int lists[warps][OUTBOX], outboxes[warps][OUTBOX];
    __shared__ unsigned changed[warps][MOST_WIDTH];
    const Graph graph = {vertices, arcs, offsets, targets};
    const unsigned words = words_of(vertices), warp = threadIdx.x / 32;
    Outbox outbox = {outboxes[warp], 0};

    const bool from_start = source != NOBODY;
    if (from_start) {
        for (long long word = thread_index(); word < words; word += thread_count()) {
            visited[word] = word == source / 32 ? 1u << source % 32 : 0;
        }
        if (thread_index() == 0) {
            search->size[0] = frontier_size(1, offsets[source + 1] - offsets[source]);
            search->size[1] = search->size[2] = search->written = 0;
            frontier[0] = make_int2(source, 0);
            distance[source] = 0;
        }
        grid_barrier(&search->barrier);
    } else if (search->finished) {
        return;
    }

    unsigned level = from_start ? 0 : search->levels;
    int2* current = frontier;
    bool listed = true;
    long long unexplored = arcs;
    FrontierSize size;
    for (;; ++level) {
        size = __ldcg(&search->size[level % 3]);
        if (vertices_of(size) == 0) break;
        FrontierSize* next_size = &search->size[(level + 1) % 3];
        if (thread_index() == 0) search->size[(level + 2) % 3] = 0;
        unexplored -= arcs_of(size);
        const bool pulling = undirected && (long long)alpha * arcs_of(size) > unexplored + vertices / beta;
        if (pulling) {
            const FrontierSize found =
                pull(graph, level, visited, visited_before, distance, lists[warp], changed[warp]);
            count_found(found, next_size);
            unsigned* const newest = visited_before;
            visited_before = visited;
            visited = newest;
            if (listed) current += vertices_of(size);
            listed = false;
        } else {
            if (!listed) {
                list_frontier(graph, visited, visited_before, lists[warp], changed[warp], current, &search->written,
                              outbox);
                grid_barrier(&search->barrier);
                listed = true;
                if (thread_index() == 0) search->written = 0;
            }
            int2* const next = current + vertices_of(size);
            push(graph, level, current, size, visited, distance, next, next_size, outbox);
            current = next;
        }
        grid_barrier(&search->barrier);
    }

    for (long long word = thread_index(); word < words; word += thread_count()) {
        set_unreachable(visited[word], word * 32, vertices, distance);
    }
    if (thread_index() == 0) search->levels = level;
}
