// BFS from `source` with a first-in first-out queue: the number of edges to every vertex, UNREACHABLE where there is no
// path. Sequential, standard library only: the baseline of Harish and Narayanan 2007 and Pathak et al. 2021.

#include <algorithm>
#include <climits>
#include <queue>

constexpr unsigned UNREACHABLE = INT_MAX;

extern "C" void search(long long vertices, const int* offsets, const int* targets, long long source,
                       unsigned* distance) {
    std::fill_n(distance, vertices, UNREACHABLE);
    distance[source] = 0;
    std::queue<int> waiting;
    waiting.push(static_cast<int>(source));
    while (!waiting.empty()) {
        const int u = waiting.front();
        waiting.pop();
        for (int arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            const int v = targets[arc];
            if (distance[v] != UNREACHABLE) continue;
            distance[v] = distance[u] + 1;
            waiting.push(v);
        }
    }
}
