// LonestarGPU, of Galois: level by level, and near-far steps for shortest paths, by worklists.
#include "gg.h"
#include "ggcuda.h"
#include <cub/cub.cuh>
#include <cub/util_allocator.cuh>
#include <climits>
#include <memory>
#include <utility>
namespace bfs {
#include "bfs/bfs.cu"
}
namespace sssp {
#include "sssp/sssp.cu"
}
#include "warpath.h"

template <class Work>
static void free_work(Work& work) {
    if (!std::exchange(work.initialized, false)) return;
    work.thread_work_wl.free();
    work.thread_src_wl.free();
    work.thread_prefix_work_wl.free();
}

struct Search {
    bool weighted;
    int delta, resident;  // blocks that may wait for each other
    CSRGraph graph;
    PipeContextT<Worklist2> pipe;
    Shared<int> marks;
    GlobalBarrierLifetime barrier;
    dim3 blocks, threads;

    ~Search() {
        pipe.free();
        marks.free();
        free_work(bfs::t_work);
        free_work(sssp::t_work);
    }
};

static __global__ void mark_unreached(int vertices, int* answer) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices && answer[v] == INT_MAX) answer[v] = -1;
}

static const char* text(cudaError_t error) {
    if (error == cudaSuccess) return nullptr;
    return error == cudaErrorMemoryAllocation ? "out of memory on the card" : cudaGetErrorString(error);
}

const char* prepare(const warpath_graph* given, const char* launch, void** handle) try {
    constexpr int room = 1 << 20;  // for vertices that enter more than once
    if (given->arcs > INT_MAX / 2 - room || given->vertices > INT_MAX - room) return "unsupported: more than 2^30 arcs";
    auto search = std::make_unique<Search>();
    const int n = given->vertices, m = given->arcs;
    auto& graph = search->graph;
    graph.nnodes = n, graph.nedges = m;
    graph.row_start = (unsigned*)given->card.narrow_offsets;  // these are only read
    graph.edge_dst = (unsigned*)given->card.targets, graph.edge_data = (int*)given->card.weights;
    search->weighted = graph.edge_data;
    search->delta = warpath_axis(launch, "delta", 1024);
    search->blocks = ggc_get_nSM() * 8, search->threads = 256;  // as upstream
    bfs::enable_lb = sssp::enable_lb = warpath_axis(launch, "lb", 0);
    search->pipe = PipeContextT<Worklist2>(search->weighted ? 2 * m + room : n + room);
    if (search->weighted) {
        search->marks.alloc(n), search->marks.gpu_wr_ptr(true);
        const int each = std::min<int>(maximum_residency(sssp::remove_dups, sssp::__tb_remove_dups, 0), 8);
        search->resident = ggc_get_nSM() * each;
        search->barrier.Setup(search->resident);
    }
    if (bfs::enable_lb) search->weighted ? sssp::t_work.init_thread_work(n) : bfs::t_work.init_thread_work(n);
    return *handle = search.release(), text(cudaDeviceSynchronize());
} catch (cudaError_t error) {
    return text(error);
}

const char* solve(void* handle, int64_t source, void* answer) try {
    auto& [weighted, delta, resident, graph, pipe, marks, barrier, blocks, threads] = *static_cast<Search*>(handle);
    graph.node_data = static_cast<int*>(answer);
    for (auto& list : pipe.wl) list.update_gpu(0);
    pipe.in = 0, pipe.out = 1, pipe.re = 2;
    pipe.in_wl().wl[0] = source;
    pipe.in_wl().update_gpu(1);
    int level = 1, far = 0, steps = 0;
    if (weighted) {
        sssp::kernel<<<blocks, threads>>>(graph, source);
        sssp::gg_main_pipe_1_wrapper(graph, marks.gpu_wr_ptr(true), far, steps, delta, barrier, resident, pipe, blocks,
                                     threads);
    } else {
        bfs::bfs_init<<<blocks, threads>>>(graph, source);
        bfs::gg_main_pipe_1_wrapper(graph, level, pipe, blocks, threads);
    }
    mark_unreached<<<(graph.nnodes + 255) / 256, 256>>>(graph.nnodes, graph.node_data);
    cudaDeviceSynchronize();
    return text(cudaGetLastError());
} catch (cudaError_t error) {
    return text(error);
}

const char* release(void* handle) {
    delete static_cast<Search*>(handle);
    return text(cudaDeviceSynchronize());
}
