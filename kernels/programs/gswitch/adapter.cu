// GSWITCH: decision trees choose how each step of a search is done, by what they are told of the graph and the step.
#include <thrust/device_vector.h>
#include <moderngpu/kernel_scan.hxx>
#include <moderngpu/kernel_sortedsearch.hxx>
#include <functional>
#include "warpath.h"
static const char* text(cudaError_t error) {
    if (error == cudaSuccess) return nullptr;
    return error == cudaErrorMemoryAllocation ? "out of memory on the card" : cudaGetErrorString(error);
}

// It gives nothing back, so what it takes is noted.
static std::vector<std::function<void()>> to_release;
static void* noted(void* taken) { return to_release.push_back(std::bind(free, taken)), taken; }
template <class Taken, class GiveBack>
static cudaError_t noted(cudaError_t error, Taken* place, GiveBack give_back) {
    if (error != cudaSuccess) throw text(error);
    to_release.push_back(std::bind(give_back, *place));
    return error;
}
#define malloc(bytes) noted(malloc(bytes))
#define calloc(count, bytes) noted(calloc(count, bytes))
#define cudaMalloc(place, bytes) noted(cudaMalloc(place, bytes), (void**)(place), cudaFree)
#define cudaMallocHost(place, bytes) noted(cudaMallocHost(place, bytes), (void**)(place), cudaFreeHost)
#define cudaCreateTextureObject(at, ...) noted(cudaCreateTextureObject(at, __VA_ARGS__), at, cudaDestroyTextureObject)
#include "gswitch.h"
static active_set_t* active_set;
#include "application/bfs.cu"
#include "application/sssp.cu"

static __global__ void put_back(int vertices, int source, const int* place, const int* found, int* answer) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices) return;
    const int distance = place[source] < 0 || place[v] < 0 ? -1 : found[place[v]];
    answer[v] = v == source ? 0 : distance == maxi ? -1 : distance;
}

using Search = std::function<void(int source, int* answer)>;
template <class Algorithm, class Weight>
static Search prepared(const warpath_graph& graph, int n) {
    constexpr bool weighted = std::is_same_v<Weight, int>;
    std::vector<int> place(n, weighted || graph.directed ? 0 : -1);  // else, as it does, those without edges go
    edgelist_t<Weight> edges;
    for (int v = 0, e = 0; v < n; v++)
        for (; e < graph.host.narrow_offsets[v + 1]; e++) {
            const int u = graph.host.targets[e];
            if (graph.directed ? u == v : u <= v) continue;  // each edge once, as in its files
            edges.vvector.insert(edges.vvector.end(), {v, u});
            if constexpr (weighted) edges.evector.push_back(graph.host.weights[e]);
            edges.mean_weight += weighted ? graph.host.weights[e] : 0;
            place[v] = place[u] = 0;
        }
    for (int v = 0, gone_to = 0; v < n; v++) place[v] = place[v] ? -1 : gone_to++;
    edges.nedges = edges.vvector.size() / 2, edges.nvertexs = n, edges.vmin = 0, edges.vmax = n - 1;
    if (!edges.nedges) throw "unsupported: a graph without edges";
    edges.directed = graph.directed, edges.mean_weight = std::max(edges.mean_weight / edges.nedges, 1.0);  // 0: no end
    fets = feature_t(), conf = config_t(), stats = stat_t();
    auto g = build_graph<VC>(edges, fets);
    fets.centric = VC, fets.pattern = weighted ? Mono : Idem;
    fets.toall = conf.conf_window = weighted, conf.conf_pruning = !weighted;
    Algorithm search{};
    const int count = g.hg.nvertexs;
    search.data.build(count);
    init_conf(stats, fets, conf, g, search);
    active_set = new active_set_t(build_active_set(count, conf));
    to_release.push_back([] { delete active_set->context, delete active_set; });
    auto places = std::make_shared<thrust::device_vector<int>>(place);
    return [=, g = g.dg, degrees = g.hg.odegrees, found = search.data.dg_wa, at_first = std::tuple(fets, conf, stats)](
               int source, int* answer) {
        if (const int root = place[source]; root >= 0) {
            std::tie(fets, conf, stats) = at_first;
            fets.use_root = root, fets.first_workload = degrees[root];
            stats.clean();
            excudaMemset(found, weighted ? maxi : -1, count);
            excudaMemset(found + root, 0, 1);
            if (weighted) cudaMemcpyAsync(search.data.dg_ra, found, count * sizeof(int), cudaMemcpyDeviceToDevice);
            if constexpr (weighted) run_sssp(g, search, root);
            if constexpr (!weighted) run_bfs(g, search, root);
        }
        put_back<<<(n + 255) / 256, 256>>>(n, source, places->data().get(), found, answer);
    };
}

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    if (!graph->host.narrow_offsets || graph->vertices > 1 << 27) return "unsupported: 2^31 arcs or over 2^27 vertices";
    cmd_opt = cmd_t();
    cmd_opt.prase_configs(strstr(launch, "Standalone") ? "x-x-x-Standalone" : "");
    auto made = graph->host.weights ? prepared<SSSP, int> : prepared<BFS, Empty>;
    *handle = new Search(made(*graph, graph->vertices));
    return text(cudaGetLastError());
} catch (const char* said) {
    return release(nullptr), said;
} catch (const std::bad_alloc&) {
    return release(nullptr), "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) {
    (*static_cast<Search*>(handle))(source, static_cast<int*>(answer));
    cudaDeviceSynchronize();
    return text(cudaGetLastError());
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    for (; !to_release.empty(); to_release.pop_back()) to_release.back()();
    return text(cudaDeviceSynchronize());
}
