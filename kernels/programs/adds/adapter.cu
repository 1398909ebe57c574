// ADDS: shortest paths by one kernel that relaxes arcs and one that hands out work, side by side, with a step that
// adapts.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>
#include "kernel.cu"
#include "warpath.h"

CSRGraph::CSRGraph() = default;  // theirs is in a file that reads graphs with the help of Boost

struct Search {
    CSRGraph graph;
    worklist work;
    int blocks, all_blocks;  // that relax, and that there is room for
    unsigned* count;         // of what each thread has done
    cudaStream_t manager, workers;

    ~Search() {
        work.free();
        for (unsigned* each : work.bk_ptr_array) cudaFree(each);
        cudaFree(work.regular_status);
        cudaFree(count);
        if (manager) cudaStreamDestroy(manager);
        if (workers) cudaStreamDestroy(workers);
    }
};

static __global__ void mark_unreached(int vertices, int* answer) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices && answer[v] == INF) answer[v] = -1;
}

static void check(cudaError_t error) {
    if (error != cudaSuccess) throw error;
}

static const char* text(cudaError_t error) {
    if (error == cudaErrorAssert) return "out of memory in its worklist";
    return error == cudaErrorMemoryAllocation ? "out of memory on the card" : cudaGetErrorString(error);
}

// Mean weight of a sample of arcs, from which it has its first step.
static float mean_weight(const CSRGraph& graph, int blocks) {
    float* card;
    std::vector<float> means(blocks);
    check(cudaMalloc(&card, blocks * sizeof(float)));
    profiler_kernel<<<blocks, 1024>>>(graph, card, graph.nedges / (blocks * 1024 / 32 * I_TIME * N_TIME));
    check(cudaMemcpy(means.data(), card, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    check(cudaFree(card));
    return std::accumulate(means.begin(), means.end(), 0.0f) / blocks;
}

const char* prepare(const warpath_graph* given, const char* launch, void** handle) try {
    if (!given->card.narrow_offsets) return "unsupported: 2^31 arcs or more";
    if (!given->arcs) return "unsupported: a graph without arcs";
    auto search = std::make_unique<Search>();
    auto& graph = search->graph;
    graph.nnodes = given->vertices, graph.nedges = given->arcs;
    graph.row_start = (unsigned*)given->card.narrow_offsets;  // these are only read
    graph.edge_dst = (unsigned*)given->card.targets, graph.edge_data = (int*)given->card.weights;
    int device, processors, each;
    cudaFuncAttributes loaded;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    check(cudaFuncGetAttributes(&loaded, wl_kernel));  // to load one while the other runs would wait for ever
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sssp_kernel, TB_SIZE, 0));
    each = std::min<int>(each, warpath_axis(launch, "blocks", 1));
    search->blocks = each * (processors - 1);
    search->all_blocks = each * processors;
    if (each == 0 || search->blocks >= MAX_TB) return "unsupported: too few or too many blocks on this GPU";
    check(cudaMalloc(&search->count, search->blocks * TB_SIZE * sizeof(unsigned)));
    const double room = 1.5 * graph.nedges + 8.0 * NUM_BAG * BLOCK_SIZE;
    search->work.alloc(search->blocks, TB_SIZE / 32, std::min(room, 536870912.0), graph.nnodes, graph.nedges);
    search->work.set_param(mean_weight(graph, search->all_blocks), float(graph.nedges) / graph.nnodes);
    check(cudaStreamCreateWithFlags(&search->manager, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&search->workers, cudaStreamNonBlocking));
    return *handle = search.release(), nullptr;
} catch (cudaError_t error) {
    return text(error);
}

const char* solve(void* handle, int64_t source, void* answer) try {
    auto& [graph, work, blocks, all_blocks, count, manager, workers] = *static_cast<Search*>(handle);
    graph.node_data = static_cast<int*>(answer);
    kernel<<<all_blocks, 1024>>>(graph, source);
    work.reinit();
    check(cudaDeviceSynchronize());
    wl_kernel<<<1, 192, 0, manager>>>(work, source);
    sssp_kernel<<<blocks, TB_SIZE, 0, workers>>>(graph, work, count);
    check(cudaDeviceSynchronize());
    mark_unreached<<<(graph.nnodes + 255) / 256, 256>>>(graph.nnodes, graph.node_data);
    check(cudaDeviceSynchronize());
    return check(cudaGetLastError()), nullptr;
} catch (cudaError_t error) {
    return text(error);
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return nullptr;
}
