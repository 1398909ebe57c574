// Atos: asynchronous breadth-first search, one persistent kernel whose blocks take vertices from a queue.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>

#define CSR  // instead of its file, which reads graphs with the help of Boost
template <class Vertex, class Size>
struct Csr {
    size_t nodes, edges;
    Vertex* column_indices;
    Size* row_offset;
};
#include "single-GPU/bfs/bfs_cta.cuh"
#include "warpath.h"

namespace {

constexpr int block = 512;  // threads; edits.sh has it too

struct Search {
    BFS<int, int> bfs;
    int blocks, fetch;
};

// Idle blocks stop when each has looked for work often enough, which may be too early: then vertices are left in the
// queue from the first on that some block would have taken. The search goes on there until there are none; then levels
// become the answer.
__global__ void finish(BFS<int, int> bfs, uint32_t fetch) {
    auto& queue = bfs.worklists;
    const uint32_t first = *queue.start, end = *queue.end_alloc;
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (first >= end && v < bfs.nodes && bfs.depth[v] > bfs.nodes) bfs.depth[v] = -1;
    if (first < end && v == 0) {
        *queue.start_alloc = first / fetch * fetch;
        *queue.end = end;
        *queue.stop = 0;
    }
}

template <int fetch>
int resident_blocks() {
    auto kernel = MaxCountQueue::_launchCTA_minIter<int, uint32_t, fetch, BFSCTA<fetch, int, int>, BFS<int, int>>;
    int each = 0, processors = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, block, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    return each * processors;
}

const char* text(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory on the card" : cudaGetErrorString(error);
}

}  // namespace

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    if (!graph->card.narrow_offsets) return "unsupported: 2^31 arcs or more";
    if (graph->vertices > 1 << 28) return "unsupported: its queue would be too small";
    Csr<int, int> csr{size_t(graph->vertices), size_t(graph->arcs), const_cast<int*>(graph->card.targets),
                      const_cast<int*>(graph->card.narrow_offsets)};  // are only read
    const int fetch = warpath_axis(launch, "fetch", 32);
    const int blocks = fetch == 128 ? resident_blocks<128>() : resident_blocks<32>();
    auto search = std::make_unique<Search>(Search{{csr, uint32_t(warpath_axis(launch, "polls", 2500))}, blocks, fetch});
    CUDA_CHECK(cudaMalloc(&search->bfs.worklists.execute, blocks * sizeof(uint32_t)));
    *handle = search.release();
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
}

const char* solve(void* handle, int64_t source, void* answer) try {
    auto& [bfs, blocks, fetch] = *static_cast<Search*>(handle);
    auto& queue = bfs.worklists;
    uint32_t counters[3 * PADDING_SIZE];
    bfs.depth = static_cast<int*>(answer);
    bfs.reset();
    bfs.BFSInit(source, blocks, block);
    do {
        CUDA_CHECK(cudaMemset(queue.execute, 0, blocks * sizeof(uint32_t)));  // old places would move its end
        fetch == 128 ? bfs.BFSStart_CTA<128>(blocks, block, 0, 0) : bfs.BFSStart_CTA<32>(blocks, block, 0, 0);
        MaxCountQueue::ReductionMin<<<1, 32>>>(queue.execute, blocks, const_cast<uint32_t*>(queue.start));
        finish<<<(bfs.nodes + 255) / 256, 256>>>(bfs, fetch);
        CUDA_CHECK(cudaMemcpy(counters, (void*)queue.counters, sizeof counters, cudaMemcpyDeviceToHost));
    } while (counters[0] < counters[2 * PADDING_SIZE]);  // what `finish` compares
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
}

const char* release(void* handle) try {
    std::unique_ptr<Search> search(static_cast<Search*>(handle));
    search->bfs.depth = nullptr;  // is the caller's
    search->bfs.release();
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
}
