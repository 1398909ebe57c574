// All pairs by Dijkstra from every vertex in turn, one row of the matrix each. Sequential; the search is
// sssp/cpu_dijkstra.

#include "../sssp/cpu_dijkstra.cpp"

extern "C" void search_all(long long vertices, const int* offsets, const int* targets, const int* weights,
                           unsigned* matrix) {
    for (long long source = 0; source < vertices; ++source) {
        search(vertices, offsets, targets, weights, source, matrix + source * vertices);
    }
}
