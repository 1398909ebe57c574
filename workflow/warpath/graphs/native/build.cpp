// Build compressed sparse rows from blocks of edges, in two steps: scatter every arc to the bucket of its tail (a
// bucket is a range of vertices whose arcs fit into the cache), then sort each bucket. Counting beforehand fixes the
// place of every arc, so the result does not depend on the number of threads.
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

// The place of an arc in its rows: from the lowest bit on its weight if that is packed, its target, and its tail's
// place in the bucket. Sorting keys sorts arcs by tail and target.
struct Arc {
    uint64_t key;

    static Arc made(uint64_t key, uint32_t weight) { return {key | weight}; }
    uint32_t weight_below(int bits) const { return static_cast<uint32_t>(key & ((uint64_t(1) << bits) - 1)); }
};

// An arc whose weight has too many bits for the key: an integer, or the bits of a float. As none is negative, integers
// and floats compare alike.
struct __attribute__((packed)) WideArc {
    uint64_t key;
    uint32_t weight;

    static WideArc made(uint64_t key, uint32_t weight) { return {key, weight}; }
    uint32_t weight_below(int) const { return weight; }
};

// How arcs are packed: graphs/clean.py chooses it.
struct Layout {
    int32_t weighted;     // arcs have weights
    int32_t wide;         // as WideArc
    int32_t tail_bits;    // of a tail's place in its bucket
    int32_t target_bits;  // of a target
    int32_t weight_bits;  // of a packed weight

    int key_bits() const { return tail_bits + target_bits; }
    uint64_t key(uint32_t tail, uint32_t target) const {
        uint64_t place = tail & ((uint64_t(1) << tail_bits) - 1);
        return (place << target_bits | target) << weight_bits;
    }
};

#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
int popcount(uint64_t word) {
    return __builtin_popcountll(word);
}

constexpr int digit_bits = 11;

// One pass of a stable radix sort, by `bits` bits of the keys.
template <class AnyArc>
void sort_by_digit(const AnyArc* from, AnyArc* to, int64_t count, int shift, int bits) {
    uint32_t place[1 << digit_bits] = {}, mask = (1u << bits) - 1;
    for (int64_t i = 0; i < count; ++i) ++place[(from[i].key >> shift) & mask];
    for (uint32_t digit = 0, sum = 0; digit <= mask; ++digit) sum += std::exchange(place[digit], sum);
    for (int64_t i = 0; i < count; ++i) to[place[(from[i].key >> shift) & mask]++] = from[i];
}

// Sorts by tail and target; `from` then points at the result.
template <class AnyArc>
void sort_by_key(AnyArc*& from, AnyArc*& to, int64_t count, int shift, int bits) {
    int passes = (bits + digit_bits - 1) / digit_bits;
    for (int end = shift + bits; passes > 0; --passes) {
        int digit = (end - shift) / passes;
        sort_by_digit(from, to, count, shift, digit);
        std::swap(from, to);
        shift += digit;
    }
}

struct Merged {
    int64_t kept, loops;  // loops: those among the arcs that were merged away
};

// Merges parallel arcs, keeping the lightest. Writes the targets to `targets` and the weights behind room for `count`
// of them. `vertex` is the first of the bucket.
template <class AnyArc>
Merged merge_parallel(const AnyArc* sorted, int64_t count, const Layout& layout, uint64_t vertex, uint32_t* targets,
                      int64_t* degrees) {
    uint32_t* weights = layout.weighted ? targets + count : nullptr;
    uint64_t target_mask = (uint64_t(1) << layout.target_bits) - 1, before = ~uint64_t(0);
    int64_t kept = 0, loops = 0;
    for (int64_t i = 0; i < count; ++i) {
        uint64_t ends = sorted[i].key >> layout.weight_bits, tail = ends >> layout.target_bits;
        uint32_t weight = sorted[i].weight_below(layout.weight_bits);
        if (ends == before) {
            if (weights) weights[kept - 1] = std::min(weights[kept - 1], weight);
            loops += (ends & target_mask) == vertex + tail;
            continue;
        }
        before = ends;
        if (weights) weights[kept] = weight;
        ++degrees[tail];
        targets[kept++] = static_cast<uint32_t>(ends & target_mask);
    }
    return {kept, loops};
}

// Sorts a bucket by tail and target, and replaces its arcs by their targets and weights.
template <class AnyArc>
Merged sort_bucket(AnyArc* arcs, int64_t count, const Layout& layout, uint64_t vertex, int64_t* degrees) {
    static thread_local std::vector<AnyArc> other;
    other.resize(count);
    AnyArc *from = arcs, *to = other.data();
    sort_by_key(from, to, count, layout.weight_bits, layout.key_bits());
    if (from == arcs) {
        memcpy(static_cast<void*>(to), from, count * sizeof(AnyArc));
        from = to;
    }
    return merge_parallel(from, count, layout, vertex, reinterpret_cast<uint32_t*>(arcs), degrees);
}

// Gives the whole pages of [begin, end) back, which the allocator would keep.
void give_back(const uint32_t* begin, const uint32_t* end) {
    constexpr uintptr_t page = 4096;
    uintptr_t first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page;
    uintptr_t last = reinterpret_cast<uintptr_t>(end) / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

template <class AnyArc>
void scatter(const uint32_t* tails, const uint32_t* targets, const uint32_t* weights, int64_t count, bool drop_loops,
             bool both, const Layout& layout, int64_t* position, AnyArc* arcs) {
    for (int64_t i = 0; i < count; ++i) {
        uint32_t u = tails[i], v = targets[i], weight = weights ? weights[i] : 0;
        if (u == v && drop_loops) continue;
        arcs[position[u >> layout.tail_bits]++] = AnyArc::made(layout.key(u, v), weight);
        if (both && u != v) arcs[position[v >> layout.tail_bits]++] = AnyArc::made(layout.key(v, u), weight);
    }
}

}  // namespace

extern "C" {

// Sets ranks[i] to the number of ids below 64 i that occur. Returns the number of all ids that occur.
int64_t rank(const uint64_t* seen, int64_t words, uint32_t* ranks) {
    int64_t sum = 0;
    for (int64_t i = 0; i < words; ++i) {
        ranks[i] = static_cast<uint32_t>(sum);
        sum += popcount(seen[i]);
    }
    return sum;
}

// Lists the ids that occur.
void list_ids(const uint64_t* seen, int64_t words, int64_t* ids) {
    for (int64_t i = 0; i < words; ++i)
        for (uint64_t word = seen[i]; word; word &= word - 1) *ids++ = i * 64 + __builtin_ctzll(word);
}

// Replaces each id by the number of smaller ids that occur.
#if defined(__x86_64__)
__attribute__((target_clones("popcnt", "default")))
#endif
void relabel(uint32_t* ids, int64_t count, const uint64_t* seen, const uint32_t* ranks) {
    for (int64_t i = 0; i < count; ++i) {
        uint32_t id = ids[i];
        ids[i] = ranks[id >> 6] + __builtin_popcountll(seen[id >> 6] & ((uint64_t(1) << (id & 63)) - 1));
    }
}

// Adds a block's arcs to the counts of their buckets. Returns the number of loops.
int64_t count_arcs(const uint32_t* tails, const uint32_t* targets, int64_t count, int32_t drop_loops, int32_t both,
                   int32_t shift, int64_t* counts) {
    int64_t loops = 0;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t u = tails[i], v = targets[i];
        bool loop = u == v;
        loops += loop;
        if (loop && drop_loops) continue;
        ++counts[u >> shift];
        if (both && !loop) ++counts[v >> shift];
    }
    return loops;
}

// Asks for small pages, which take memory only where arcs are written.
void use_small_pages(const uint32_t* array, int64_t bytes) {
    constexpr uintptr_t page = 4096;
    uintptr_t begin = (reinterpret_cast<uintptr_t>(array) + page - 1) / page * page;
    uintptr_t end = (reinterpret_cast<uintptr_t>(array) + bytes) / page * page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_NOHUGEPAGE);
}

// Copies a block's arcs to their buckets; position[bucket] is the place of its next arc. Gives the block's memory back.
void scatter_arcs(const uint32_t* tails, const uint32_t* targets, const uint32_t* weights, int64_t count,
                  int32_t drop_loops, int32_t both, const Layout* layout, int64_t* position, void* arcs) {
    auto into = [&](auto* any) { scatter(tails, targets, weights, count, drop_loops, both, *layout, position, any); };
    layout->wide ? into(static_cast<WideArc*>(arcs)) : into(static_cast<Arc*>(arcs));
    for (const uint32_t* column : {tails, targets, weights})
        if (column) give_back(column, column + count);
}

// Sorts the buckets [begin, end), which begin at starts[bucket] in `arcs`. `degrees` must be zero.
void sort_arcs(void* arcs, int64_t begin, int64_t end, const int64_t* starts, const Layout* layout, int64_t* degrees,
               int64_t* kept, int64_t* loops) {
    for (int64_t bucket = begin; bucket < end; ++bucket) {
        int64_t start = starts[bucket], count = starts[bucket + 1] - start, vertex = bucket << layout->tail_bits;
        auto sort = [&](auto* any) { return sort_bucket(any + start, count, *layout, vertex, degrees + vertex); };
        Merged merged = layout->wide ? sort(static_cast<WideArc*>(arcs)) : sort(static_cast<Arc*>(arcs));
        kept[bucket] = merged.kept;
        loops[bucket] = merged.loops;
    }
}

// Copies the sorted buckets [begin, end) to their places in the rows, which begin at firsts[bucket]. With weights, the
// rows are elsewhere, and the memory of each bucket is given back; else a bucket may move within `arcs`.
void gather_arcs(const uint32_t* arcs, int64_t begin, int64_t end, const int64_t* starts, const int64_t* firsts,
                 const Layout* layout, uint32_t* targets, uint32_t* weights) {
    const int words = (layout->wide ? sizeof(WideArc) : sizeof(Arc)) / 4;
    for (int64_t bucket = begin; bucket < end; ++bucket) {
        int64_t count = starts[bucket + 1] - starts[bucket], first = firsts[bucket], kept = firsts[bucket + 1] - first;
        const uint32_t* sorted = arcs + starts[bucket] * words;
        memmove(targets + first, sorted, kept * 4);
        if (!weights) continue;
        memcpy(weights + first, sorted + count, kept * 4);
        give_back(sorted, sorted + count * words);
    }
}

// Weights low .. high, hashed from the unordered pair of vertices (test_clean.py repeats this in NumPy): each as often
// as the others or, with a heavy tail, x * low and more with the probability 1 / x.
void hash_weights(const int64_t* offsets, const uint32_t* targets, int64_t begin, int64_t end, uint64_t low,
                  uint64_t high, uint64_t seed, bool heavy, int32_t* weights) {
    uint64_t span = high - low + 1, inverse = ~uint64_t(0) / span;
    auto remainder = [=](uint64_t h) {  // h % span: the quotient is right or one too small
        uint64_t rest = h - static_cast<uint64_t>(static_cast<unsigned __int128>(h) * inverse >> 64) * span;
        return rest < span ? rest : rest - span;
    };
    for (int64_t row = begin; row < end; ++row)
        for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
            uint64_t u = row, v = targets[i];
            uint64_t h = (std::min(u, v) * 0x9E3779B97F4A7C15u) ^ (std::max(u, v) * 0xC2B2AE3D27D4EB4Fu + seed);
            h ^= h >> 31;
            h *= 0xBF58476D1CE4E5B9u;
            h ^= h >> 29;
            uint64_t weight = heavy ? std::min((low << 32) / ((h >> 32) + 1), high) : remainder(h) + low;
            weights[i] = static_cast<int32_t>(weight);
        }
}

}  // extern "C"
