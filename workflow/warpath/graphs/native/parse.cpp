// Parse edges from text, as nearly all files have them.
#include "parse.hpp"

extern "C" void parse_edges(const char* text, int64_t length, const Dialect* dialect, uint32_t* tails,
                            uint32_t* targets, int32_t* weights, uint64_t* seen, Outcome* outcome) {
    parse(text, length, dialect, tails, targets, weights, seen, outcome);
}

// Sets the bit of each id.
extern "C" void mark_ids(const uint32_t* ids, int64_t count, uint64_t* seen) {
    for (int64_t i = 0; i < count; ++i) mark(seen, ids[i]);
}
