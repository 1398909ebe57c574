// From blocks of edges to compressed sparse rows, by a counting sort in two steps. First every arc goes to the bucket
// of its source, a bucket being a range of vertices whose arcs fit into the cache; then each bucket is sorted by
// itself. Where an arc goes is fixed by counting beforehand, so that any number of threads gives the same bits.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

struct Arc {
    uint32_t source, target;
};

struct WeightedArc {
    uint32_t source, target, weight;  // float weights are not negative: their bits are in the order of their values
};

#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
int popcount(uint64_t word) {
    return __builtin_popcountll(word);
}

template <class Key>
void radix_sort(Key* keys, int64_t count, int bits) {
    static thread_local std::vector<Key> other;
    other.resize(count);
    Key *from = keys, *to = other.data();
    for (int shift = 8 * sizeof(Key) - bits, end = 8 * sizeof(Key); shift < end; shift += 11) {
        int64_t place[2049] = {};
        for (int64_t i = 0; i < count; ++i) ++place[((from[i] >> shift) & 2047) + 1];
        for (int i = 0; i < 2048; ++i) place[i + 1] += place[i];
        for (int64_t i = 0; i < count; ++i) to[place[(from[i] >> shift) & 2047]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) memcpy(keys, from, count * sizeof(Key));
}

template <class Key>
void sort_row(Key* keys, int64_t count) {
    if (count < 4096) {
        std::sort(keys, keys + count);
    } else {
        radix_sort(keys, count, 8 * sizeof(Key));
    }
}

// A row's arcs as sort keys: the target, and below it the weight, so that the lightest of duplicates comes first.
struct Plain {
    using Key = uint32_t;
    static Key key(const Arc& arc) { return arc.target; }
    static uint32_t target(Key key) { return key; }
};

struct Weighted {
    using Key = uint64_t;
    static Key key(const WeightedArc& arc) { return uint64_t(arc.target) << 32 | arc.weight; }
    static uint32_t target(Key key) { return key >> 32; }
};

struct Merged {
    int64_t kept, loops;  // loops: how many of the arcs merged away were loops
};

template <class Kind, class AnyArc>
Merged sort_bucket(AnyArc* arcs, int64_t count, uint32_t first, int64_t rows, bool merge, int64_t* degrees) {
    using Key = typename Kind::Key;
    static thread_local std::vector<Key> keys;
    static thread_local std::vector<int64_t> place;
    keys.resize(count);
    place.assign(rows + 1, 0);
    for (int64_t i = 0; i < count; ++i) ++place[arcs[i].source - first];
    for (int64_t row = 0, sum = 0; row <= rows; ++row) sum += std::exchange(place[row], sum);
    for (int64_t i = 0; i < count; ++i) keys[place[arcs[i].source - first]++] = Kind::key(arcs[i]);

    uint32_t* targets = reinterpret_cast<uint32_t*>(arcs);  // the result takes the arcs' place
    uint32_t* weights = targets + count;
    int64_t kept = 0, loops = 0;
    for (int64_t row = 0, begin = 0; row < rows; begin = place[row++]) {
        int64_t end = place[row], before = kept;
        sort_row(keys.data() + begin, end - begin);
        for (int64_t i = begin; i < end; ++i) {
            uint32_t target = Kind::target(keys[i]);
            if (merge && i > begin && target == Kind::target(keys[i - 1])) {
                loops += target == first + row;
                continue;
            }
            if (sizeof(Key) == 8) weights[kept] = static_cast<uint32_t>(keys[i]);
            targets[kept++] = target;
        }
        degrees[row] = kept - before;
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
                [=](uint32_t u, uint32_t v, int64_t i) { return WeightedArc{u, v, weights[i]}; });
    } else {
        scatter(sources, targets, count, drop_loops, both, shift, position, static_cast<Arc*>(arcs),
                [](uint32_t u, uint32_t v, int64_t) { return Arc{u, v}; });
    }
}

// Sorts each of the buckets [begin, end); buckets are 2^shift vertices wide and lie in `arcs` at starts[bucket].
void sort_arcs(void* arcs, int32_t weighted, int64_t begin, int64_t end, const int64_t* starts, int32_t shift,
               int64_t vertices, int32_t merge, int64_t* degrees, int64_t* kept, int64_t* loops) {
    for (int64_t bucket = begin; bucket < end; ++bucket) {
        int64_t first = bucket << shift, rows = std::min(vertices - first, int64_t(1) << shift);
        int64_t start = starts[bucket], count = starts[bucket + 1] - start;
        Merged merged = weighted ? sort_bucket<Weighted>(static_cast<WeightedArc*>(arcs) + start, count,
                                                         static_cast<uint32_t>(first), rows, merge, degrees + first)
                                 : sort_bucket<Plain>(static_cast<Arc*>(arcs) + start, count,
                                                      static_cast<uint32_t>(first), rows, merge, degrees + first);
        kept[bucket] = merged.kept;
        loops[bucket] = merged.loops;
    }
}

// Moves the sorted buckets together.
void gather_arcs(const uint32_t* arcs, int32_t weighted, int64_t begin, int64_t end, const int64_t* starts,
                 const int64_t* kept, const int64_t* places, uint32_t* targets, uint32_t* weights) {
    for (int64_t bucket = begin; bucket < end; ++bucket) {
        int64_t count = starts[bucket + 1] - starts[bucket];
        const uint32_t* sorted = arcs + starts[bucket] * (weighted ? 3 : 2);
        memcpy(targets + places[bucket], sorted, kept[bucket] * 4);
        if (weighted) memcpy(weights + places[bucket], sorted + count, kept[bucket] * 4);
    }
}

// Integers low .. low + span - 1 from the unordered pair (weights.py has the same in NumPy).
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
