// From blocks of edges to compressed sparse rows, by a counting sort in two steps. First every arc goes to the bucket
// of its source, a bucket being a range of vertices whose arcs fit into the cache; then each bucket is sorted by
// itself. Where an arc goes is fixed by counting beforehand, so that any number of threads gives the same bits.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

// Sorted as one number, by source and then target. A weight only travels along: duplicates are merged afterwards.
struct Arc {
    uint32_t target, source;
};

struct WeightedArc {
    uint32_t target, source, weight;  // a float weight is not negative, so that its bits are in the order of its values
};

#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
int popcount(uint64_t word) {
    return __builtin_popcountll(word);
}

constexpr int digit_bits = 11;

// One pass of a radix sort, stable, by `bits` bits of an end of the arcs.
template <class AnyArc>
void sort_by_digit(const AnyArc* from, AnyArc* to, int64_t count, uint32_t AnyArc::* end, int shift, int bits) {
    uint32_t place[1 << digit_bits] = {}, mask = (1u << bits) - 1;
    for (int64_t i = 0; i < count; ++i) ++place[(from[i].*end >> shift) & mask];
    for (uint32_t digit = 0, sum = 0; digit <= mask; ++digit) sum += std::exchange(place[digit], sum);
    for (int64_t i = 0; i < count; ++i) to[place[(from[i].*end >> shift) & mask]++] = from[i];
}

template <class AnyArc>
void sort_by_end(AnyArc*& from, AnyArc*& to, int64_t count, uint32_t AnyArc::* end, int bits) {
    int passes = (bits + digit_bits - 1) / digit_bits;
    for (int pass = 0, shift = 0; pass < passes; ++pass) {
        int digit = (bits - shift) / (passes - pass);
        sort_by_digit(from, to, count, end, shift, digit);
        std::swap(from, to);
        shift += digit;
    }
}

int bits_below(uint64_t limit) { return limit > 1 ? 64 - __builtin_clzll(limit - 1) : 0; }

struct Merged {
    int64_t kept, loops;  // loops: how many of the arcs merged away were loops
};

// The targets, and behind room for all of them the weights, take the place of the arcs.
template <class AnyArc>
Merged sort_bucket(AnyArc* arcs, int64_t count, int64_t vertices, int shift, int64_t* degrees) {
    constexpr bool weighted = sizeof(AnyArc) == sizeof(WeightedArc);
    static thread_local std::vector<AnyArc> other;
    other.resize(count);
    AnyArc *from = arcs, *to = other.data();
    sort_by_end(from, to, count, &AnyArc::target, bits_below(vertices));
    sort_by_end(from, to, count, &AnyArc::source, shift);
    if (from == arcs) {
        memcpy(static_cast<void*>(to), from, count * sizeof(AnyArc));
        from = to;
    }
    uint32_t* targets = reinterpret_cast<uint32_t*>(arcs);
    [[maybe_unused]] uint32_t* weights = targets + count;
    uint32_t mask = (1u << shift) - 1;
    int64_t kept = 0, loops = 0;
    for (int64_t i = 0; i < count; ++i) {
        const AnyArc& arc = from[i];
        if (i && arc.target == from[i - 1].target && arc.source == from[i - 1].source) {
            if constexpr (weighted) weights[kept - 1] = std::min(weights[kept - 1], arc.weight);
            loops += arc.target == arc.source;
            continue;
        }
        if constexpr (weighted) weights[kept] = arc.weight;
        ++degrees[arc.source & mask];
        targets[kept++] = arc.target;
    }
    return {kept, loops};
}

template <class AnyArc, class Make>
void scatter(const uint32_t* sources, const uint32_t* targets, int64_t count, bool drop_loops, bool both, int shift,
             int64_t* position, AnyArc* arcs, Make make) {
    for (int64_t i = 0; i < count; ++i) {
        uint32_t u = sources[i], v = targets[i];
        if (u == v && drop_loops) continue;
        arcs[position[u >> shift]++] = make(u, v, i);
        if (both && u != v) arcs[position[v >> shift]++] = make(v, u, i);
    }
}

}  // namespace

extern "C" {

// ranks[i] = how many ids occur below id 64 i. Returns how many occur at all.
int64_t rank(const uint64_t* seen, int64_t words, uint32_t* ranks) {
    int64_t sum = 0;
    for (int64_t i = 0; i < words; ++i) {
        ranks[i] = static_cast<uint32_t>(sum);
        sum += popcount(seen[i]);
    }
    return sum;
}

void list_ids(const uint64_t* seen, int64_t words, int64_t* ids) {
    for (int64_t i = 0; i < words; ++i)
        for (uint64_t word = seen[i]; word; word &= word - 1) *ids++ = i * 64 + __builtin_ctzll(word);
}

#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
void relabel(uint32_t* ids, int64_t count, const uint64_t* seen, const uint32_t* ranks) {
    for (int64_t i = 0; i < count; ++i) {
        uint32_t id = ids[i];
        ids[i] = ranks[id >> 6] + __builtin_popcountll(seen[id >> 6] & ((uint64_t(1) << (id & 63)) - 1));
    }
}

// Adds this block's arcs to the counts of the buckets. Returns the number of loops.
int64_t count_arcs(const uint32_t* sources, const uint32_t* targets, int64_t count, int32_t drop_loops, int32_t both,
                   int32_t shift, int64_t* counts) {
    int64_t loops = 0;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t u = sources[i], v = targets[i];
        bool loop = u == v;
        loops += loop;
        if (loop && drop_loops) continue;
        ++counts[u >> shift];
        if (both && !loop) ++counts[v >> shift];
    }
    return loops;
}

void scatter_arcs(const uint32_t* sources, const uint32_t* targets, const uint32_t* weights, int64_t count,
                  int32_t drop_loops, int32_t both, int32_t shift, int64_t* position, void* arcs) {
    if (weights) {
        scatter(sources, targets, count, drop_loops, both, shift, position, static_cast<WeightedArc*>(arcs),
                [=](uint32_t u, uint32_t v, int64_t i) { return WeightedArc{v, u, weights[i]}; });
    } else {
        scatter(sources, targets, count, drop_loops, both, shift, position, static_cast<Arc*>(arcs),
                [](uint32_t u, uint32_t v, int64_t) { return Arc{v, u}; });
    }
}

// Sorts each of the buckets [begin, end); buckets are 2^shift vertices wide and lie in `arcs` at starts[bucket].
// `degrees` are zero beforehand.
void sort_arcs(void* arcs, int32_t weighted, int64_t begin, int64_t end, const int64_t* starts, int32_t shift,
               int64_t vertices, int64_t* degrees, int64_t* kept, int64_t* loops) {
    for (int64_t bucket = begin; bucket < end; ++bucket) {
        int64_t start = starts[bucket], count = starts[bucket + 1] - start, *rows = degrees + (bucket << shift);
        Merged merged = weighted ? sort_bucket(static_cast<WeightedArc*>(arcs) + start, count, vertices, shift, rows)
                                 : sort_bucket(static_cast<Arc*>(arcs) + start, count, vertices, shift, rows);
        kept[bucket] = merged.kept;
        loops[bucket] = merged.loops;
    }
}

// Moves the sorted buckets together: weights to an array of their own, targets to the front of the arcs' memory, where
// they never reach a bucket that has not been moved.
void gather_arcs(uint32_t* arcs, int64_t buckets, const int64_t* starts, const int64_t* kept, uint32_t* weights) {
    uint32_t* targets = arcs;
    for (int64_t bucket = 0; bucket < buckets; ++bucket) {
        int64_t count = starts[bucket + 1] - starts[bucket];
        const uint32_t* sorted = arcs + starts[bucket] * (weights ? 3 : 2);
        if (weights) {
            memcpy(weights, sorted + count, kept[bucket] * 4);
            weights += kept[bucket];
        }
        memmove(targets, sorted, kept[bucket] * 4);
        targets += kept[bucket];
    }
}

// Integers low .. low + span - 1 from the unordered pair (test_clean.py has the same in NumPy).
void hash_weights(const int64_t* offsets, const uint32_t* targets, int64_t begin, int64_t end, uint64_t low,
                  uint64_t span, uint64_t seed, int32_t* weights) {
    for (int64_t row = begin; row < end; ++row)
        for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
            uint64_t u = row, v = targets[i];
            uint64_t h = (std::min(u, v) * 0x9E3779B97F4A7C15u) ^ (std::max(u, v) * 0xC2B2AE3D27D4EB4Fu + seed);
            h ^= h >> 31;
            h *= 0xBF58476D1CE4E5B9u;
            h ^= h >> 29;
            weights[i] = static_cast<int32_t>(h % span + low);
        }
}

}  // extern "C"
