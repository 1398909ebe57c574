// Random edges from a counter: edge i depends on the seed and i alone, so any number of threads draws the same graph.
//
// Word k of edge i is mix(base + (i << 8) + k) with base = mix(seed). mix(x) is the finaliser of SplitMix64, applied to
// (x + 1) * 0x9E3779B97F4A7C15 in 64-bit arithmetic. An edge uses at most 256 words. A random number below n is the
// upper half of the 64-bit product of 32 random bits and n.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

uint64_t mix(uint64_t x) {
    x = (x + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

uint32_t below(uint32_t draw, uint32_t n) { return static_cast<uint32_t>((uint64_t(draw) * n) >> 32); }

// A permutation of [0, 2^bits): multiplying by an odd number and xor with a right shift are both one-to-one.
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

// 32 random bits choose one of four quadrants, which is one bit of each end. `a`, `ab` and `abc` are the cumulative
// probabilities of the quadrants, scaled to 2^32.
void rmat(uint64_t seed, int64_t begin, int64_t count, const void*, uint32_t scale, uint32_t a, uint32_t ab,
          uint32_t abc, uint32_t* tails, uint32_t* targets) {
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
        tails[i] = shuffle(u, scale, base);
        targets[i] = shuffle(v, scale, base);
    }
}

// Both ends are drawn independently from [0, vertices).
void uniform(uint64_t seed, int64_t begin, int64_t count, const void*, uint32_t vertices, uint32_t* tails,
             uint32_t* targets) {
    uint64_t base = mix(seed);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t word = mix(base + (static_cast<uint64_t>(begin + i) << 8));
        tails[i] = below(static_cast<uint32_t>(word), vertices);
        targets[i] = below(static_cast<uint32_t>(word >> 32), vertices);
    }
}

// Hub h is vertex h * spacing and is the tail of the edges [ends[h - 1], ends[h]). No other edge touches a hub.
void scale_free(uint64_t seed, int64_t begin, int64_t count, const int64_t* ends, uint32_t vertices, uint32_t hubs,
                uint32_t spacing, uint32_t* tails, uint32_t* targets) {
    uint64_t base = mix(seed);
    uint32_t between = hubs * (spacing - 1), others = vertices - hubs;
    auto other_vertex = [=](uint32_t draw) {
        uint32_t place = below(draw, others);
        return place < between ? place + place / (spacing - 1) + 1 : place + hubs;
    };
    for (int64_t i = 0; i < count; ++i) {
        int64_t edge = begin + i;
        uint64_t word = mix(base + (static_cast<uint64_t>(edge) << 8));
        int64_t hub = std::upper_bound(ends, ends + hubs, edge) - ends;
        tails[i] = hub < hubs ? static_cast<uint32_t>(hub) * spacing : other_vertex(static_cast<uint32_t>(word));
        targets[i] = other_vertex(static_cast<uint32_t>(word >> 32));
    }
}

// Random points of a square of side 2^31, sorted by cell. starts[cell] becomes the first point of the cell.
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
    std::vector<int64_t> next(starts, starts + cells * cells);
    for (uint64_t word : words) {
        int64_t point = next[cell(word)]++;
        x[point] = word & 0x7FFFFFFF;
        y[point] = word >> 33;
    }
}

// Joins points within `reach` of each other, for the points in the rows of cells [begin, end). A cell is at least
// `reach` wide, so the other point lies in the same cell or a neighbouring one; looking only at cells to the right and
// below lists each pair once. Returns the number of edges; without `tails` it only counts them.
int64_t geometric_edges(const uint32_t* x, const uint32_t* y, const int64_t* starts, int64_t cells, int64_t begin,
                        int64_t end, int64_t reach, uint32_t* tails, uint32_t* targets) {
    int64_t edges = 0;
    auto join = [&](int64_t i, int64_t first, int64_t last) {
        for (int64_t j = first; j < last; ++j) {
            int64_t across = int64_t(x[i]) - x[j], down = int64_t(y[i]) - y[j];
            if (across * across + down * down > reach * reach) continue;
            if (tails) {
                tails[edges] = static_cast<uint32_t>(i);
                targets[edges] = static_cast<uint32_t>(j);
            }
            ++edges;
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
    return edges;
}

// Sets in_tree[i] where edge i joins two parts that the edges before it do not.
void spanning_forest(int64_t vertices, int64_t edges, const uint32_t* tails, const uint32_t* targets,
                     uint8_t* in_tree) {
    std::vector<uint32_t> parents(vertices);
    std::iota(parents.begin(), parents.end(), 0u);
    auto root = [&](uint32_t vertex) {
        while (parents[vertex] != vertex) vertex = parents[vertex] = parents[parents[vertex]];
        return vertex;
    };
    for (int64_t i = 0; i < edges; ++i) {
        uint32_t a = root(tails[i]), b = root(targets[i]);
        in_tree[i] = a != b;
        parents[std::max(a, b)] = std::min(a, b);
    }
}

}  // extern "C"
