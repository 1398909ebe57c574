// The shortest paths of Duan and others in O(m log^(2/3) n), as Castro and others wrote them: with that bound in the
// worst case, or in expectation. Like their experiments it adds 64-bit lengths and leaves degrees as they are.
#include <bmssp.hpp>

#include <functional>
#include <memory>
#include <new>

#include "warpath.h"

using Length = long long;
using Search = std::function<const char*(int64_t source, int32_t* out)>;

template <class Solver>
static Search search(const warpath_graph& graph) {
    const int64_t n = graph.vertices;
    std::vector<std::vector<std::pair<int, Length>>> arcs(std::max<int64_t>(n, 2));  // it divides by log n
    for (int64_t v = 0; v < n; v++)
        for (int64_t arc = graph.host.offsets[v]; arc < graph.host.offsets[v + 1]; arc++)
            arcs[v].emplace_back(graph.host.targets[arc], graph.host.weights[arc]);
    auto solver = std::make_shared<Solver>(arcs);
    solver->prepare_graph(false);
    return [n, solver](int64_t source, int32_t* out) -> const char* {
        const std::vector<Length> far = solver->execute(source).first;
        for (int64_t v = 0; v < n; v++) {
            if (far[v] > INT32_MAX && far[v] != solver->oo) return "unsupported: distances of 2^31 or more";
            out[v] = far[v] == solver->oo ? -1 : far[v];
        }
        return nullptr;
    };
}

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    const bool expected = strstr(launch, "bound=expected");
    *handle = new Search((expected ? search<spp_expected::bmssp<Length>> : search<spp::bmssp<Length>>)(*graph));
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    return (*static_cast<Search*>(handle))(source, static_cast<int32_t*>(answer));
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return nullptr;
}
