// The random choices of the GAP Benchmark Suite (Beamer, Asanović and Patterson, arXiv 1508.03619) as its reference
// code makes them: Kronecker edges in blocks of 2^18, each with a Mersenne Twister of its own, so that any block can be
// drawn by itself; the permutation of their vertices; and the sources of searches.
//
// C++ fixes what its Mersenne Twisters return, but not what std::shuffle does with it: that is written out here, as
// libstdc++ has it since GCC 11, by which the suite is compiled today.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

namespace {

constexpr uint64_t first_seed = 27491095;
constexpr int64_t block_edges = int64_t(1) << 18;

#if defined(__x86_64__)
#define IN_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define IN_VECTORS
#endif

constexpr uint32_t size = 624, middle = 397;  // of a Mersenne Twister

inline uint32_t twisted(uint32_t upper, uint32_t lower) {
    uint32_t both = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return both >> 1 ^ (0x9908b0dfu & -(lower & 1));
}

// The next state, and its numbers.
IN_VECTORS void twist(uint32_t* state, uint32_t* numbers) {
    for (uint32_t i = 0; i < size - middle; ++i) state[i] = state[i + middle] ^ twisted(state[i], state[i + 1]);
    state[size] = state[0];
    for (uint32_t i = size - middle; i < size; ++i)
        state[i] = state[i + middle - size] ^ twisted(state[i], state[i + 1]);
    for (uint32_t i = 0; i < size; ++i) {
        uint32_t bits = state[i];
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9d2c5680u;
        bits ^= bits << 15 & 0xefc60000u;
        numbers[i] = bits ^ bits >> 18;
    }
}

// The quadrant of the Graph500's probabilities in which each number lies: the bit of the first end, and 2^32 times that
// of the second.
IN_VECTORS void choose_quadrants(const uint32_t* numbers, uint64_t* quadrants) {
    constexpr uint32_t most = 0xffffffff;
    constexpr uint32_t a = 0.57 * most, b = 0.19 * most, c = 0.19 * most, ab = a + b, abc = a + b + c;
    for (uint32_t i = 0; i < size; ++i) {
        uint32_t draw = numbers[i];
        uint32_t u = draw >= ab, v = ((draw > a) & (draw < ab)) | (draw > abc);
        quadrants[i] = uint64_t(v) << 32 | u;
    }
}

// std::mt19937, with all numbers of a state made at once, several at a time, and their quadrants.
class Quadrants {
  public:
    void seed(uint32_t value) {
        for (uint32_t i = 0; i < size; ++i)
            state[i] = i == 0 ? value : 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
        next = size;
    }

    // A quadrant for each bit, the highest first: both ends of an edge, that of the second one in the upper half.
    uint64_t ends(uint32_t bits) {
        uint64_t both = 0;
        while (bits > 0) {
            if (next == size) {
                twist(state, numbers);
                choose_quadrants(numbers, quadrants);
                next = 0;
            }
            uint32_t stop = next + std::min(bits, size - next);
            bits -= stop - next;
            while (next < stop) both = 2 * both + quadrants[next++];
        }
        return both;
    }

  private:
    uint32_t state[size + 1], numbers[size], next = size;
    uint64_t quadrants[size];
};

// A number below `range` (Lemire's method with 64-bit products).
uint32_t below(std::mt19937& generator, uint32_t range) {
    uint64_t product = uint64_t(generator()) * range;
    if (static_cast<uint32_t>(product) < range) {
        uint32_t threshold = -range % range;
        while (static_cast<uint32_t>(product) < threshold) product = uint64_t(generator()) * range;
    }
    return static_cast<uint32_t>(product >> 32);
}

}  // namespace

extern "C" {

// The edges from `begin`, which is a multiple of a block, on: one of four quadrants for each bit of the ends, with the
// Graph500's probabilities; then both ends are permuted.
void gap_kron(int64_t begin, int64_t count, uint32_t scale, const uint32_t* permutation, uint32_t* tails,
              uint32_t* targets) {
    Quadrants generator;
    for (int64_t i = 0; i < count; ++i) {
        if (i % block_edges == 0) generator.seed(static_cast<uint32_t>(first_seed + (begin + i) / block_edges));
        uint64_t both = generator.ends(scale);
        tails[i] = permutation[static_cast<uint32_t>(both)];
        targets[i] = permutation[both >> 32];
    }
}

// The permutation of 2^scale vertices.
void gap_permutation(uint32_t scale, uint32_t* permutation) {
    std::mt19937 generator(static_cast<uint32_t>(first_seed));
    const uint64_t count = uint64_t(1) << scale;
    std::iota(permutation, permutation + count, 0u);
    auto exchange = [&](uint64_t i, uint32_t with) { std::swap(permutation[i], permutation[with]); };
    if (uint64_t(0xffffffff) / count < count) {
        for (uint64_t i = 1; i < count; ++i) exchange(i, below(generator, static_cast<uint32_t>(i + 1)));
        return;
    }
    exchange(1, below(generator, 2));  // few enough for one number to choose two places
    for (uint64_t i = 2; i < count; i += 2) {
        uint32_t both = below(generator, static_cast<uint32_t>((i + 1) * (i + 2)));
        exchange(i, both / static_cast<uint32_t>(i + 2));
        exchange(i + 1, both % static_cast<uint32_t>(i + 2));
    }
}

// The next `count` vertices with arcs. The suite keeps the lower half of each 64-bit number, and of the bound that
// makes the remainder fair.
void gap_sources(const int64_t* offsets, int64_t vertices, int64_t count, int64_t* sources) {
    std::mt19937_64 generator(first_seed);
    const uint64_t n = vertices, remainder = ~uint64_t(0) % n;
    const uint32_t bound = remainder == n - 1 ? 0 : static_cast<uint32_t>(~uint64_t(0) - remainder);
    for (int64_t found = 0; found < count;) {
        uint32_t draw = static_cast<uint32_t>(generator());
        if (bound != 0 && draw >= bound) continue;
        int64_t vertex = draw % n;
        if (offsets[vertex + 1] > offsets[vertex]) sources[found++] = vertex;
    }
}

}  // extern "C"
