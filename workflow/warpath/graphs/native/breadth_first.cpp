// A breadth-first tree with a queue.
#include <cstdint>

extern "C" {

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

}  // extern "C"
