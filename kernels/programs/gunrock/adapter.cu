// Gunrock: a frontier of vertices advances along its arcs, in steps that are made of operators.
#ifdef __CUDA_ARCH__
#define __HIP_DEVICE_COMPILE__ 1  // else, built without its own CMake, it has atomics of the host on the card too
#endif
#include <gunrock/algorithms/bfs.hxx>
#include <gunrock/algorithms/sssp.hxx>
#include <cfloat>
#include <memory>
#include <string>
#include "warpath.h"

// Thrust takes memory in every operator; the linker sends it here. It is from a pool, or from cudaMalloc as in Gunrock.
static cudaMemPool_t pool = nullptr;
extern "C" cudaError_t __real_cudaMalloc(void**, size_t);
extern "C" cudaError_t __real_cudaFree(void*);
extern "C" cudaError_t __wrap_cudaMalloc(void** place, size_t bytes) {
    return pool ? cudaMallocFromPoolAsync(place, bytes, pool, cudaStreamPerThread) : __real_cudaMalloc(place, bytes);
}
extern "C" cudaError_t __wrap_cudaFree(void* memory) {
    return pool ? cudaFreeAsync(memory, cudaStreamPerThread) : __real_cudaFree(memory);
}

using namespace gunrock;

struct Search {
    bool weighted;
    options_t options;
    format::csr_t<memory::memory_space_t::device, int, int, float> csr;
    std::shared_ptr<gcuda::multi_context_t> contexts;
};

static const char* text(const std::exception& error) {
    static std::string kept;
    if (dynamic_cast<const std::bad_alloc*>(&error)) return "out of memory on the card";
    return (kept = error.what()).c_str();
}

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    if (!graph->card.narrow_offsets) return "unsupported: 2^31 arcs or more";
    cudaMemPoolProps kind{cudaMemAllocationTypePinned, cudaMemHandleTypeNone, {cudaMemLocationTypeDevice, 0}};
    cudaGetDevice(&kind.location.id);
    pool = nullptr;
    if (strstr(launch, "alloc=pool")) error::throw_if_exception(cudaMemPoolCreate(&pool, &kind));
    uint64_t keep = UINT64_MAX;
    if (pool) cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    auto search = std::make_unique<Search>();
    auto& csr = search->csr;
    const int n = csr.number_of_rows = csr.number_of_columns = graph->vertices,
              m = csr.number_of_nonzeros = graph->arcs;
    auto fill = [](auto& to, const int* from, size_t count) {
        to.assign(thrust::device_pointer_cast(from), thrust::device_pointer_cast(from + count));
    };
    fill(csr.row_offsets, graph->card.narrow_offsets, n + 1);
    fill(csr.column_indices, graph->card.targets, m);
    search->weighted = graph->card.weights;
    search->weighted ? fill(csr.nonzero_values, graph->card.weights, m) : csr.nonzero_values.assign(m, 1);
    using operators::load_balance_t;
    search->options.advance_load_balance =
        strstr(launch, "lb=merge_path") ? load_balance_t::merge_path : load_balance_t::block_mapped;
    search->contexts = std::make_shared<gcuda::multi_context_t>(kind.location.id);
    *handle = search.release();
    return nullptr;
} catch (const std::exception& error) {
    return text(error);
}

const char* solve(void* handle, int64_t source, void* answer) try {
    auto& [weighted, options, csr, contexts] = *static_cast<Search*>(handle);
    auto graph = graph::build<memory::memory_space_t::device>({}, csr);
    auto replace = [&](auto* distances, auto far, auto by) {
        thrust::replace(contexts->get_context(0)->execution_policy(), distances, distances + csr.number_of_rows, far,
                        by);
    };
    if (weighted) {
        sssp::param_t<int> asked(source, options);
        sssp::result_t<int, float> result(static_cast<float*>(answer), nullptr, csr.number_of_rows);
        sssp::run(graph, asked, result, contexts);
        replace(result.distances, FLT_MAX, INFINITY);
    } else {
        bfs::param_t<int> asked(source, options);
        bfs::result_t<int> result(static_cast<int*>(answer), nullptr);
        bfs::run(graph, asked, result, contexts);
        replace(result.distances, INT_MAX, -1);
    }
    cudaDeviceSynchronize();
    error::throw_if_exception(cudaGetLastError());
    return nullptr;
} catch (const std::exception& error) {
    return text(error);
}

const char* release(void* handle) {
    auto search = static_cast<Search*>(handle);
    auto context = search->contexts->get_context(0);
    cudaStreamDestroy(context->stream());
    delete context;
    delete search;
    cudaDeviceSynchronize();
    if (pool) cudaMemPoolDestroy(pool);
    return nullptr;
}
