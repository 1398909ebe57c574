// Breadth-first search: trees, levels that threads search together from 64 vertices at once, and the first levels.
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

extern "C" {

// Passes the bits of the vertices [begin, end) in `frontier` on to `next` of their targets, without those in `seen`.
// Each bit is a search.
void pass_on(int64_t begin, int64_t end, const int64_t* offsets, const int32_t* targets, const uint64_t* frontier,
             const uint64_t* seen, uint64_t* next) {
    for (int64_t u = begin; u < end; ++u)
        if (uint64_t searches = frontier[u])
            for (int64_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
                uint64_t found = searches & ~seen[targets[arc]], *word = next + targets[arc];
                if (found & ~__atomic_load_n(word, __ATOMIC_RELAXED)) __atomic_fetch_or(word, found, __ATOMIC_RELAXED);
            }
}

// Makes `next` the frontier of the vertices [begin, end) and clears it; returns the searches that go on there.
uint64_t advance(int64_t begin, int64_t end, uint64_t* frontier, uint64_t* seen, uint64_t* next) {
    uint64_t all = 0;
    for (int64_t v = begin; v < end; ++v) {
        frontier[v] = next[v];
        seen[v] |= next[v];
        all |= next[v];
        next[v] = 0;
    }
    return all;
}

// Sets the length of each vertex's path from the source in a breadth-first tree. `length` must be -1 everywhere;
// `queue` has room for all vertices.
void tree_lengths(int64_t source, const int64_t* offsets, const int32_t* targets, const int32_t* weights,
                  int64_t* length, int32_t* queue) {
    int64_t begin = 0, end = 0;
    length[source] = 0;
    queue[end++] = static_cast<int32_t>(source);
    while (begin < end) {
        int32_t u = queue[begin++];
        for (int64_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            int32_t v = targets[arc];
            if (length[v] >= 0) continue;
            length[v] = length[u] + weights[arc];
            queue[end++] = v;
        }
    }
}

// Whether a search from `start` goes on for so many levels and has reached fewer than `most` vertices.
int64_t goes_on(int64_t start, int64_t levels, uint64_t most, const int64_t* offsets, const int32_t* targets) {
    std::vector<int64_t> reached = {start};
    std::unordered_set<int64_t> known = {start};
    for (std::size_t begin = 0; levels > 0 && begin < reached.size(); --levels) {
        for (std::size_t end = reached.size(); begin < end; ++begin)
            for (int64_t arc = offsets[reached[begin]]; arc < offsets[reached[begin] + 1]; ++arc) {
                if (known.insert(targets[arc]).second) reached.push_back(targets[arc]);
                if (reached.size() >= most) return false;
            }
        if (begin == reached.size()) return false;
    }
    return true;
}

}  // extern "C"
