// Dijkstra from `source` with a binary heap: the cost of a cheapest path to every vertex, UNREACHABLE where there is
// none. Sequential, standard library only. The heap cannot lower a key, so a vertex is pushed again each time its cost
// falls, and outdated entries are skipped: O((V + E) log E).

#include <algorithm>
#include <climits>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

constexpr unsigned UNREACHABLE = INT_MAX;

extern "C" void search(long long vertices, const int* offsets, const int* targets, const int* weights, long long source,
                       unsigned* cost) {
    using Entry = std::pair<unsigned, int>;  // cost when pushed, vertex
    std::fill_n(cost, vertices, UNREACHABLE);
    cost[source] = 0;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting;
    waiting.push({0, static_cast<int>(source)});
    while (!waiting.empty()) {
        const auto [reached, u] = waiting.top();
        waiting.pop();
        if (reached > cost[u]) continue;
        for (int arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
            const int v = targets[arc];
            const unsigned candidate = reached + weights[arc];
            if (candidate >= cost[v]) continue;
            cost[v] = candidate;
            waiting.push({candidate, v});
        }
    }
}
