// Reverse every arc. The tails of a vertex's reversed arcs ascend, because rows are taken in order.
#include <cstdint>

extern "C" {

// `reversed_offsets` must be zero. Weights are copied as 32 bits, whatever they are.
void transpose(int64_t vertices, const int64_t* offsets, const int32_t* targets, const int32_t* weights,
               int64_t* reversed_offsets, int32_t* reversed_targets, int32_t* reversed_weights) {
    for (int64_t arc = 0; arc < offsets[vertices]; ++arc) ++reversed_offsets[targets[arc] + 1];
    for (int64_t v = 0; v < vertices; ++v) reversed_offsets[v + 1] += reversed_offsets[v];
    // Each offset serves as the place of its vertex's next arc, and so becomes the offset of the vertex after it.
    for (int64_t u = 0; u < vertices; ++u) {
        for (int64_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            int64_t place = reversed_offsets[targets[arc]]++;
            reversed_targets[place] = static_cast<int32_t>(u);
            reversed_weights[place] = weights[arc];
        }
    }
    for (int64_t v = vertices; v > 0; --v) reversed_offsets[v] = reversed_offsets[v - 1];
    reversed_offsets[0] = 0;
}

}  // extern "C"
