// Weakly connected components by lock-free union-find. Compare-and-swap hooks a root below a smaller root, so every
// vertex ends up at the smallest vertex of its component, in whatever order the threads run.
#include <cstdint>

namespace {

uint32_t find(uint32_t* parents, uint32_t vertex) {
    for (;;) {
        uint32_t parent = __atomic_load_n(parents + vertex, __ATOMIC_RELAXED);
        if (parent == vertex) return vertex;
        uint32_t grandparent = __atomic_load_n(parents + parent, __ATOMIC_RELAXED);
        if (grandparent != parent) __atomic_store_n(parents + vertex, grandparent, __ATOMIC_RELAXED);
        vertex = parent;
    }
}

void join(uint32_t* parents, uint32_t a, uint32_t b) {
    for (;;) {
        a = find(parents, a);
        b = find(parents, b);
        if (a == b) return;
        uint32_t small = a < b ? a : b, large = a < b ? b : a, expected = large;
        if (__atomic_compare_exchange_n(parents + large, &expected, small, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

}  // namespace

extern "C" {

// Joins the ends of every arc in the rows [begin, end).
void join_rows(const int64_t* offsets, const uint32_t* targets, int64_t begin, int64_t end, uint32_t* parents) {
    for (int64_t row = begin; row < end; ++row)
        for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) join(parents, static_cast<uint32_t>(row), targets[i]);
}

// Points every vertex directly at its root.
void flatten(uint32_t* parents, int64_t vertices) {
    for (int64_t i = 0; i < vertices; ++i) parents[i] = parents[parents[i]];  // parents[i] <= i is flat already
}

// Keeps the rows of one component, in place, with its vertices renumbered. Returns the number of arcs kept.
int64_t keep_component(const uint32_t* parents, uint32_t root, int64_t vertices, const uint32_t* numbers,
                       int64_t* offsets, uint32_t* targets, uint32_t* weights) {
    int64_t rows = 0, arcs = 0, begin = 0;
    for (int64_t row = 0; row < vertices; ++row) {
        int64_t end = offsets[row + 1];
        if (parents[row] == root) {
            for (int64_t i = begin; i < end; ++i, ++arcs) {
                targets[arcs] = numbers[targets[i]];
                if (weights) weights[arcs] = weights[i];
            }
            offsets[++rows] = arcs;
        }
        begin = end;
    }
    return arcs;
}

}  // extern "C"
