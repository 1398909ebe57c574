// Random edges from a counter: edge i of a seed is computed from (seed, i) and nothing else, so that any number of
// threads, or a GPU, makes the same graph.
//
// The generator: word k of edge i is mix(base(seed) + (i << 8) + k), where base(seed) = mix(seed) and mix is the
// finaliser of SplitMix64 over (its argument + 1) * 0x9E3779B97F4A7C15 (64-bit arithmetic throughout). An edge takes at
// most 256 words. A draw below n is the upper half of a 32-bit draw times n.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

uint64_t mix(uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

uint32_t below(uint32_t draw, uint32_t n) { return static_cast<uint32_t>((uint64_t(draw) * n) >> 32); }

// A permutation of [0, 2^bits): multiplications by odd numbers and shifts to the right are both one to one.
uint32_t shuffle(uint32_t x, int bits, uint64_t seed) {
    uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
    int half = (bits + 1) / 2;
    for (uint64_t round = 0; round < 4; ++round) {
        uint64_t key = mix(seed ^ (round + 1));
        x = (x * (static_cast<uint32_t>(key) | 1) + static_cast<uint32_t>(key >> 32)) & mask;
        x ^= x >> half;
    }
    return x;
}

}  // namespace

extern "C" {

// Two bits of both ends a word: 32 bits of it choose one of four quadrants by the cumulated probabilities a, ab, abc.
void rmat(uint64_t seed, int64_t begin, int64_t count, const void*, uint32_t scale, uint32_t a, uint32_t ab,
          uint32_t abc, uint32_t* sources, uint32_t* targets) {
    uint64_t base = mix(seed);
    for (int64_t i = 0; i < count; ++i) {
        uint32_t u = 0, v = 0;
        uint64_t word = 0, counter = base + (static_cast<uint64_t>(begin + i) << 8);
        for (uint32_t bit = 0; bit < scale; ++bit) {
            word = bit & 1 ? word >> 32 : mix(counter++);
            uint32_t draw = static_cast<uint32_t>(word);
            u = u << 1 | (draw >= ab);
            v = v << 1 | ((draw >= a) & (draw < ab)) | (draw >= abc);
        }
        sources[i] = shuffle(u, scale, base);
        targets[i] = shuffle(v, scale, base);
    }
}

void uniform(uint64_t seed, int64_t begin, int64_t count, const void*, uint32_t vertices, uint32_t* sources,
             uint32_t* targets) {
    uint64_t base = mix(seed);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t word = mix(base + (static_cast<uint64_t>(begin + i) << 8));
        sources[i] = below(static_cast<uint32_t>(word), vertices);
        targets[i] = below(static_cast<uint32_t>(word >> 32), vertices);
    }
}

// Hub h is vertex h * apart and has the edges [ends[h - 1], ends[h]); no other edge touches a hub.
void scale_free(uint64_t seed, int64_t begin, int64_t count, const int64_t* ends, uint32_t vertices, uint32_t hubs,
                uint32_t apart, uint32_t* sources, uint32_t* targets) {
    uint64_t base = mix(seed);
    uint32_t between = hubs * (apart - 1), others = vertices - hubs;
    auto no_hub = [=](uint32_t draw) {
        uint32_t place = below(draw, others);
        return place < between ? place + place / (apart - 1) + 1 : place + hubs;
    };
    for (int64_t i = 0; i < count; ++i) {
        int64_t edge = begin + i;
        uint64_t word = mix(base + (static_cast<uint64_t>(edge) << 8));
        int64_t hub = std::upper_bound(ends, ends + hubs, edge) - ends;
        sources[i] = hub < hubs ? static_cast<uint32_t>(hub) * apart : no_hub(static_cast<uint32_t>(word));
        targets[i] = no_hub(static_cast<uint32_t>(word >> 32));
    }
}

// Points of a square of side 2^31, sorted by cell; starts[cell] is the first point of a cell.
void geometric_points(uint64_t seed, int64_t points, int64_t cells, uint32_t* x, uint32_t* y, int64_t* starts) {
    uint64_t base = mix(seed);
    std::vector<uint64_t> words(points);
    auto cell = [=](uint64_t word) {
        uint64_t across = word & 0x7FFFFFFF, down = word >> 33;
        return static_cast<int64_t>(((down * cells) >> 31) * cells + ((across * cells) >> 31));
    };
    for (int64_t i = 0; i < points; ++i) {
        words[i] = mix(base + (static_cast<uint64_t>(i) << 8));
        ++starts[cell(words[i]) + 1];
    }
    for (int64_t i = 0; i < cells * cells; ++i) starts[i + 1] += starts[i];
    std::vector<int64_t> place(starts, starts + cells * cells);
    for (uint64_t word : words) {
        int64_t at = place[cell(word)]++;
        x[at] = word & 0x7FFFFFFF;
        y[at] = word >> 33;
    }
}

// Edges whose first point lies in the rows of cells [begin, end): each pair once, from its cell or an earlier one.
// A cell is at least `reach` wide. Without `sources` they are only counted.
int64_t geometric_edges(const uint32_t* x, const uint32_t* y, const int64_t* starts, int64_t cells, int64_t begin,
                        int64_t end, int64_t reach, uint32_t* sources, uint32_t* targets) {
    int64_t found = 0;
    auto join = [&](int64_t i, int64_t first, int64_t last) {
        for (int64_t j = first; j < last; ++j) {
            int64_t across = int64_t(x[i]) - x[j], down = int64_t(y[i]) - y[j];
            if (across * across + down * down > reach * reach) continue;
            if (sources) {
                sources[found] = static_cast<uint32_t>(i);
                targets[found] = static_cast<uint32_t>(j);
            }
            ++found;
        }
    };
    for (int64_t row = begin; row < end; ++row)
        for (int64_t column = 0; column < cells; ++column) {
            int64_t cell = row * cells + column, right = std::min(column + 1, cells - 1);
            for (int64_t i = starts[cell]; i < starts[cell + 1]; ++i) {
                join(i, i + 1, starts[row * cells + right + 1]);
                if (row + 1 < cells)
                    join(i, starts[(row + 1) * cells + std::max<int64_t>(column - 1, 0)],
                         starts[(row + 1) * cells + right + 1]);
            }
        }
    return found;
}

}  // extern "C"
