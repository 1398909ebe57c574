// doubleGraph: the searches of cuGraph, as a machine wrote them anew for the A100.
#include <cugraph/aai/algorithms.hpp>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <cfloat>
#include "warpath.h"

struct Search {
    aai::graph32_t graph;
    decltype(&aai::bfs) levels;
    void (*paths)(const aai::graph32_t&, const float*, int32_t, float*, int32_t*, float);
    thrust::device_vector<float> weights;
    thrust::device_vector<int> predecessors;                    // `paths` always looks for them
    thrust::device_vector<int> place, offsets, targets, found;  // all but the first only where vertices are renumbered
};

// As cuGraph does: vertices by falling degree, and the targets of each ascend.
static void renumber(int n, int m, Search& search) {
    auto& [graph, levels, paths, weights, predecessors, place, offsets, targets, found] = search;
    const thrust::device_ptr<const int> first(graph.offsets), heads(graph.indices);
    thrust::device_vector<int> degrees(n), order(place), numbers(place), tails(m);
    thrust::transform(first + 1, first + n + 1, first, degrees.begin(), thrust::minus<int>());
    thrust::stable_sort_by_key(degrees.begin(), degrees.end(), order.begin(), thrust::greater<int>());
    thrust::scatter(numbers.begin(), numbers.end(), order.begin(), place.begin());
    const thrust::counting_iterator<int> arc(0);
    thrust::upper_bound(first + 1, first + n + 1, arc, arc + m, tails.begin());
    thrust::device_vector<uint64_t> arcs(m);
    thrust::transform(tails.begin(), tails.end(), heads, arcs.begin(),
                      [to = place.data()] __device__(int v, int u) { return uint64_t(to[v]) << 32 | to[u]; });
    if (paths) thrust::sort_by_key(arcs.begin(), arcs.end(), weights.begin());
    if (levels) thrust::sort(arcs.begin(), arcs.end());
    targets.assign(arcs.begin(), arcs.end());  // the lower halves
    offsets.resize(n + 1), found.resize(n);
    thrust::inclusive_scan(degrees.begin(), degrees.end(), offsets.begin() + 1);
    graph.offsets = offsets.data().get(), graph.indices = targets.data().get();
}

template <class Value>
static void put_back(const thrust::device_vector<int>& place, Value* found, Value far, Value none, void* answer) {
    thrust::transform(place.begin(), place.end(), thrust::device_pointer_cast(static_cast<Value*>(answer)),
                      [=] __device__(int at) { return found[at] == far ? none : found[at]; });
}

static const char* text(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error)) return "out of memory on the card";
    return cudaGetErrorString(cudaGetLastError());
}

const char* prepare(const warpath_graph* given, const char* launch, void** handle) try {
    if (!given->card.narrow_offsets || given->vertices > 1 << 26) return "unsupported: 2^31 arcs or over 2^26 vertices";
    const bool is_seg = strstr(launch, "seg"), is_do = strstr(launch, "kernel=do");
    if (is_do && given->directed) return "unsupported: it pulls in undirected graphs alone";
    const int n = given->vertices, m = given->arcs;
    auto search = std::make_unique<Search>();
    search->graph = {given->card.narrow_offsets, given->card.targets, n, m, !given->directed};
    search->place.resize(n);
    thrust::sequence(search->place.begin(), search->place.end());
    if (const thrust::device_ptr<const int> weights(given->card.weights); weights.get()) {
        search->weights.assign(weights, weights + m);
        search->predecessors.resize(n);
        search->paths = aai::sssp;
        if (is_seg) search->paths = aai::sssp_seg;
    } else if (is_do) {
        search->levels = is_seg ? aai::bfs_direction_optimizing_seg : aai::bfs_direction_optimizing;
    } else {
        search->levels = is_seg ? aai::bfs_seg : aai::bfs;
    }
    if (strstr(launch, "renumbered")) renumber(n, m, *search);
    size_t free, all;
    cudaMemGetInfo(&free, &all);
    if (free < (100 << 20) + 20.0 * n) throw std::bad_alloc();  // what its searches take without looking
    return *handle = search.release(), nullptr;
} catch (const std::exception& error) {
    return text(error);
}

const char* solve(void* handle, int64_t source, void* answer) try {
    auto& [graph, levels, paths, weights, predecessors, place, offsets, targets, found] = *static_cast<Search*>(handle);
    void* out = found.empty() ? answer : found.data().get();
    if (auto far = static_cast<int*>(out); levels) {
        levels(graph, far, nullptr, place.data().get() + source, 1, -1);
        put_back(place, far, INT32_MAX, -1, answer);
    }
    if (auto far = static_cast<float*>(out); paths) {
        paths(graph, weights.data().get(), place[source], far, predecessors.data().get(), INFINITY);
        put_back(place, far, FLT_MAX, INFINITY, answer);
    }
    return nullptr;
} catch (const std::exception& error) {
    return text(error);
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    aai::cache_pool().set_capacity(0);  // gives its memory back
    aai::cache_pool().set_capacity(aai::CachePool::DEFAULT_CAPACITY);
    return nullptr;
}
