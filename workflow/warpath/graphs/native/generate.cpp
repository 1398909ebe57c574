// Random edges from a counter: edge i of a seed is computed from (seed, i) and nothing else, so that any number of
// threads, or a GPU, makes the same graph.
//
// The generator: word k of edge i is mix(base(seed) + (i << 8) + k), where base(seed) = mix(seed) and mix is the
// finaliser of SplitMix64 over (its argument + 1) * 0x9E3779B97F4A7C15 (64-bit arithmetic throughout). An edge takes at
// most 256 words. A draw below n is the upper half of a 32-bit draw times n.
#include <cstdint>

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
void rmat(uint64_t seed, int64_t begin, int64_t count, uint32_t scale, uint32_t a, uint32_t ab, uint32_t abc,
          uint32_t* sources, uint32_t* targets) {
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

void uniform(uint64_t seed, int64_t begin, int64_t count, uint32_t vertices, uint32_t* sources, uint32_t* targets) {
    uint64_t base = mix(seed);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t word = mix(base + (static_cast<uint64_t>(begin + i) << 8));
        sources[i] = below(static_cast<uint32_t>(word), vertices);
        targets[i] = below(static_cast<uint32_t>(word >> 32), vertices);
    }
}

}  // extern "C"
