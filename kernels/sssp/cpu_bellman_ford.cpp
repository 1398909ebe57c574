// Bellman-Ford from `source`: the cost of a cheapest path to every vertex, UNREACHABLE where there is none, and the
// number of rounds. Sequential. A round relaxes every arc once, in place; V - 1 rounds always suffice, and the first
// that changes nothing is the last.

#include <algorithm>
#include <climits>

constexpr unsigned UNREACHABLE = INT_MAX;

extern "C" void search(long long vertices, const int* offsets, const int* targets, const int* weights, long long source,
                       unsigned* cost, long long* rounds) {
    std::fill_n(cost, vertices, UNREACHABLE);
    cost[source] = 0;
    bool changed = true;
    for (*rounds = 0; changed && *rounds < vertices - 1; ++*rounds) {
        changed = false;
        for (long long u = 0; u < vertices; ++u) {
            for (int arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
                const unsigned candidate = cost[u] + weights[arc];
                if (candidate >= cost[targets[arc]]) continue;
                cost[targets[arc]] = candidate;
                changed = true;
            }
        }
    }
}
