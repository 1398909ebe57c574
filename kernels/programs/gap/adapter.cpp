// The GAP benchmark suite: direction-optimising breadth-first search, and delta-stepping. Its two programs are compiled
// as they are, each under a name of its own instead of `main`.
#define main gap_bfs
#include "bfs.cc"
#undef main
#define main gap_sssp
#include "sssp.cc"
#undef main
#include <omp.h>
#include <memory>
#include "warpath.h"

namespace {

struct Search {
    int threads;
    int64_t max_weight;
    WeightT delta;
    Graph graph;      // for "bfs"
    WGraph weighted;  // for "sssp"
};

// GAP's graphs own their arrays, so each gets copies.
Graph unweighted(const warpath_graph& given, const pvector<SGOffset>& offsets) {
    const int64_t n = given.vertices, arcs = given.arcs;
    NodeID* heads = new NodeID[arcs];
    copy_n(given.host.targets, arcs, heads);
    NodeID** leaving = Graph::GenIndex(offsets, heads);
    if (!given.directed) return Graph(n, leaving, heads);
    // Searching backwards takes the arcs that come in.
    pvector<SGOffset> begin(n + 1, 0);
    for (int64_t arc = 0; arc < arcs; arc++) begin[heads[arc] + 1]++;
    for (int64_t v = 0; v < n; v++) begin[v + 1] += begin[v];
    pvector<SGOffset> next(begin.begin(), begin.end());
    NodeID* tails = new NodeID[arcs];
    for (int64_t v = 0; v < n; v++)
        for (int64_t arc = offsets[v]; arc < offsets[v + 1]; arc++) tails[next[heads[arc]]++] = v;
    return Graph(n, leaving, heads, Graph::GenIndex(begin, tails), tails);
}

WGraph with_weights(const warpath_graph& given, const pvector<SGOffset>& offsets) {
    WNode* heads = new WNode[given.arcs];
#pragma omp parallel for
    for (int64_t arc = 0; arc < given.arcs; arc++) heads[arc] = WNode(given.host.targets[arc], given.host.weights[arc]);
    return WGraph(given.vertices, WGraph::GenIndex(offsets, heads), heads, nullptr, nullptr);  // none that come in
}

}  // namespace

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    omp_set_num_threads(graph->threads);
    auto search = make_unique<Search>();
    search->threads = graph->threads;
    search->max_weight = graph->max_weight;
    search->delta = warpath_axis(launch, "delta", 1);
    auto first = const_cast<SGOffset*>(graph->host.offsets);  // is only read
    pvector<SGOffset> offsets(first, first + graph->vertices + 1);
    if (!graph->host.weights) {
        search->graph = unweighted(*graph, offsets);
    } else {
        if (graph->max_weight >= kDistInf) return "unsupported: a weight of 2^30 - 1 or more";
        search->weighted = with_weights(*graph, offsets);
    }
    *handle = search.release();
    return nullptr;
} catch (const bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    Search& search = *static_cast<Search*>(handle);
    omp_set_num_threads(search.threads);
    auto out = static_cast<int32_t*>(answer);
    if (search.graph.num_nodes() >= 0) {
        pvector<NodeID> parent = DOBFS(search.graph, source);
#pragma omp parallel for
        for (size_t v = 0; v < parent.size(); v++) out[v] = parent[v];
        return nullptr;
    }
    pvector<WeightT> far = DeltaStep(search.weighted, source, search.delta);
    int64_t farthest = 0, missing = 0;
#pragma omp parallel for reduction(max : farthest) reduction(+ : missing)
    for (size_t v = 0; v < far.size(); v++) {
        out[v] = far[v] == kDistInf ? -1 : far[v];
        farthest = max<int64_t>(farthest, out[v]);
        missing += out[v] < 0;
    }
    // A vertex as far as kDistInf looks like one without a path. Nothing is there if no arc leads so far.
    if (missing && farthest + search.max_weight >= kDistInf) return "unsupported: distances of 2^30 - 1 or more";
    return nullptr;
} catch (const bad_alloc&) {
    return "out of memory";
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return nullptr;
}
