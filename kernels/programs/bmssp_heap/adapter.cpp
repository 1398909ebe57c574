// The Dijkstra with a binary heap that Castro and others compare BMSSP with. It is a program of its own, because
// figures show the fastest of a program's launches. Like their experiments it adds 64-bit lengths.
#include <dijkstra.hpp>

#include <cstdint>
#include <memory>
#include <new>

#include "warpath.h"

using Length = long long;
using Solver = spp::dijkstra<Length>;

const char* prepare(const warpath_graph* graph, const char*, void** handle) try {
    std::vector<std::vector<std::pair<int, Length>>> arcs(graph->vertices);
    for (int64_t v = 0; v < graph->vertices; v++)
        for (int64_t arc = graph->host.offsets[v]; arc < graph->host.offsets[v + 1]; arc++)
            arcs[v].emplace_back(graph->host.targets[arc], graph->host.weights[arc]);
    *handle = new Solver(arcs);
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    Solver& solver = *static_cast<Solver*>(handle);
    auto out = static_cast<int32_t*>(answer);
    const std::vector<Length> far = solver.execute(source).first;
    for (size_t v = 0; v < far.size(); v++) {
        if (far[v] > INT32_MAX && far[v] != solver.oo) return "unsupported: distances of 2^31 or more";
        out[v] = far[v] == solver.oo ? -1 : far[v];
    }
    return nullptr;
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* release(void* handle) {
    delete static_cast<Solver*>(handle);
    return nullptr;
}
