// The shortest paths of Duan and others in O(m log^(2/3) n), as Castro and others wrote them: with that bound in the
// worst case, or in expectation. Like their experiments it adds 64-bit lengths and leaves degrees as they are.
#include <bmssp.hpp>

#include <functional>
#include <memory>
#include <new>

#include "warpath.h"

namespace {

using Length = long long;
using Arcs = std::vector<std::vector<std::pair<int, Length>>>;

struct Search {
    int64_t vertices;
    Length none;  // the distance of what no path leads to
    std::function<std::vector<Length>(int)> from;
};

Arcs leaving(const warpath_graph& graph) {
    Arcs arcs(std::max<int64_t>(graph.vertices, 2));  // it divides by the logarithm of their number
    for (int64_t v = 0; v < graph.vertices; v++)
        for (int64_t arc = graph.host.offsets[v]; arc < graph.host.offsets[v + 1]; arc++)
            arcs[v].emplace_back(graph.host.targets[arc], graph.host.weights[arc]);
    return arcs;
}

template <class Solver>
void use(Search& search, const Arcs& arcs) {
    auto solver = std::make_shared<Solver>(arcs);
    solver->prepare_graph(false);
    search.none = solver->oo;
    search.from = [solver](int source) { return solver->execute(source).first; };
}

}  // namespace

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    auto search = std::make_unique<Search>();
    search->vertices = graph->vertices;
    if (strstr(launch, "bound=expected")) {
        use<spp_expected::bmssp<Length>>(*search, leaving(*graph));
    } else {
        use<spp::bmssp<Length>>(*search, leaving(*graph));
    }
    *handle = search.release();
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    const Search& search = *static_cast<Search*>(handle);
    auto out = static_cast<int32_t*>(answer);
    const std::vector<Length> far = search.from(source);
    for (int64_t v = 0; v < search.vertices; v++) {
        if (far[v] > INT32_MAX && far[v] != search.none) return "unsupported: distances of 2^31 or more";
        out[v] = far[v] == search.none ? -1 : far[v];
    }
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return nullptr;
}
