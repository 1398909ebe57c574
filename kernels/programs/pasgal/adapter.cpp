// PASGAL: breadth-first search that takes many levels at a time, and stepping algorithms for shortest paths.
#include "BFS/bfs.h"
#include "SSSP/sssp.h"
#include "warpath.h"

#include <functional>
#include <memory>
#include <string>

namespace {

using Unweighted = Graph<>;
using Weighted = Graph<uint32_t, uint64_t, uint32_t>;

struct Search {
    int64_t vertices;
    Unweighted unweighted;
    Weighted weighted;
    std::function<parlay::sequence<uint32_t>(uint32_t)> from;
};

template <class G>
void copy(const warpath_graph& given, G& graph) {
    graph.n = std::max<int64_t>(given.vertices, 128);  // with less than a hundred its SSSP does not end
    graph.m = given.arcs;
    graph.symmetrized = !given.directed;
    graph.offsets = parlay::sequence<uint64_t>(graph.n + 1, given.arcs);
    graph.edges = parlay::sequence<typename G::Edge>::uninitialized(given.arcs);
    parlay::parallel_for(0, given.vertices, [&](size_t v) { graph.offsets[v] = given.host.offsets[v]; });
    parlay::parallel_for(0, given.arcs, [&](size_t arc) { graph.edges[arc].v = given.host.targets[arc]; });
}

}  // namespace

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    setenv("PARLAY_NUM_THREADS", std::to_string(graph->threads).c_str(), 1);  // is read once
    if (parlay::num_workers() != size_t(graph->threads)) return "unsupported: other threads than before";
    auto search = std::make_unique<Search>();
    search->vertices = graph->vertices;
    Unweighted& unweighted = search->unweighted;
    Weighted& weighted = search->weighted;
    if (!graph->host.weights) {
        copy(*graph, unweighted);
        if (graph->directed) unweighted.make_inverse();
        auto solver = std::make_shared<BFS<Unweighted>>(unweighted);
        search->from = [solver](uint32_t source) { return solver->bfs(source); };
    } else {
        copy(*graph, weighted);
        weighted.weighted = true;
        parlay::parallel_for(0, graph->arcs, [&](size_t arc) { weighted.edges[arc].w = graph->host.weights[arc]; });
        if (long delta = warpath_axis(launch, "delta", 0)) {
            auto solver = std::make_shared<Delta_Stepping<Weighted>>(weighted, delta);
            search->from = [solver](uint32_t source) { return solver->sssp(source); };
        } else {
            auto solver = std::make_shared<Rho_Stepping<Weighted>>(weighted, warpath_axis(launch, "rho", 1 << 20));
            search->from = [solver](uint32_t source) { return solver->sssp(source); };
        }
    }
    *handle = search.release();
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    Search& search = *static_cast<Search*>(handle);
    auto out = static_cast<int32_t*>(answer);
    const parlay::sequence<uint32_t> far = search.from(source);
    std::atomic<bool> too_far = false;
    parlay::parallel_for(0, search.vertices, [&](size_t v) {
        out[v] = far[v];  // UINT_MAX, no path, becomes -1
        if (far[v] > INT_MAX && far[v] != UINT_MAX) too_far = true;
    });
    return too_far ? "unsupported: distances of 2^31 or more" : nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return nullptr;
}
