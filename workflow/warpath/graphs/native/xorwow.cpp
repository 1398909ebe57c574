// Marsaglia's xorwow in 4096 lanes, as cuRAND orders it: number i is number i / 4096 of lane i % 4096, and the lanes
// are 2^67 numbers apart. The Weyl counter is common to all lanes, because 2^67 steps are a multiple of its period.
#include <algorithm>
#include <cstdint>

namespace {
constexpr int64_t LANES = 4096, AT_ONCE = 512;
constexpr uint32_t WEYL = 362437;
}  // namespace

extern "C" {

// Advance lanes [begin, end) by `rows` numbers; out[row * LANES + lane] gets them. `words` are the five words of all
// lanes, `weyl` the counter before.
void xorwow(uint32_t* words, uint32_t weyl, int64_t begin, int64_t end, int64_t rows, uint32_t* out) {
    for (int64_t first = begin; first < end; first += AT_ONCE) {
        int64_t lanes = std::min(AT_ONCE, end - first);
        uint32_t* word[5];
        for (int i = 0; i < 5; ++i) word[i] = words + i * LANES + first;
        uint32_t counter = weyl;
        for (int64_t row = 0; row < rows; ++row) {
            counter += WEYL;
            uint32_t *oldest = word[row % 5], *newest = word[(row + 4) % 5], *to = out + row * LANES + first;
            for (int64_t lane = 0; lane < lanes; ++lane) {
                uint32_t mixed = oldest[lane] ^ (oldest[lane] >> 2), last = newest[lane];
                oldest[lane] = last ^ (last << 4) ^ mixed ^ (mixed << 1);
                to[lane] = oldest[lane] + counter;
            }
        }
        int64_t shift = rows % 5;
        for (int64_t lane = 0; shift && lane < lanes; ++lane) {  // the oldest word is the first one again
            uint32_t turned[5];
            for (int i = 0; i < 5; ++i) turned[i] = word[(i + shift) % 5][lane];
            for (int i = 0; i < 5; ++i) word[i][lane] = turned[i];
        }
    }
}

}  // extern "C"
