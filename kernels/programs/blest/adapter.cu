// BLEST: breadth-first search on tensor cores. The arcs out of eight vertices together are sets of slices of eight
// bits.
#include <cstdint>
#include <functional>
#include <memory>

// What must be clear before each search, and the source's place in it: at bit fields by vertex, in a list of sets of
// slices, those of eight vertices from first_set on, and in the numbers of vertices unseen and of sets in the frontier.
__global__ void blest_start(unsigned source, unsigned vertices, const unsigned* first_set, unsigned* levels,
                            unsigned* frontier, unsigned* frontier_next, unsigned* visited, unsigned* visited_next,
                            unsigned* sets, unsigned* unseen, unsigned* size, unsigned* unseen_next,
                            unsigned* size_next) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (unsigned v = thread; v < vertices; v += threads) levels[v] = v == source ? 0 : UINT32_MAX;
    for (unsigned word = thread; word < (vertices + 31) / 32; word += threads) {
        frontier[word] = visited[word] = visited_next[word] = word == source / 32 ? 1u << source % 32 : 0;
        frontier_next[word] = 0;
    }
    unsigned first = first_set[source / 8], count = first_set[source / 8 + 1] - first;
    for (unsigned i = thread; i < count; i += threads) sets[i] = first + i;
    if (thread) return;
    *unseen = vertices - 1, *unseen_next = 0;
    *size = count, *size_next = 0;
}

#include "BVSS.cuh"
#include "BVSSBFSKernel.cuh"
#include "warpath.h"

static __global__ void put_back(unsigned vertices, const unsigned* levels, const unsigned* place, unsigned* answer) {
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices) answer[v] = levels[place[v]];
}

struct Search {
    unsigned vertices, *card = nullptr;  // levels, and where each vertex went; none if all stayed
    std::unique_ptr<unsigned[]> place;
    BFSResult parts;
};

static std::unique_ptr<CSC> copied(const warpath_graph& given) {
    auto matrix = std::make_unique<CSC>();
    matrix->getN() = given.vertices;
    matrix->getNNZ() = given.arcs;
    matrix->getColPtrs() = new unsigned[given.vertices + 1];
    matrix->getRows() = new unsigned[given.arcs];
    std::copy_n(given.host.offsets, given.vertices + 1, matrix->getColPtrs());
    std::copy_n(given.host.targets, given.arcs, matrix->getRows());
    matrix->isSocialNetwork() = matrix->socialNetworkHelper() || matrix->averageDegree() > SOCIAL_THRESHOLD;
    return matrix;
}

static const char* text(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory on the card" : cudaGetErrorString(error);
}

const char* prepare(const warpath_graph* graph, const char* launch, void** handle) try {
    if (graph->arcs > UINT32_MAX || graph->vertices > 1 << 29) return "unsupported: too large for its 32 bits";
    omp_set_num_threads(graph->threads);
    std::cout.setstate(std::ios::failbit);  // it would tell much
    const size_t n = graph->vertices, bytes = n * sizeof(unsigned);
    auto search = std::make_unique<Search>();
    auto matrix = copied(*graph);
    FULL_PADDING = !matrix->isSocialNetwork();
    JACKARD_ON = true;  // this and the window as its authors recommend
    WINDOW_SIZE = 65536;
    if (!strstr(launch, "order=natural")) {
        search->place.reset(matrix->reorder(8));
        gpuErrchk(cudaMalloc(&search->card, 2 * bytes));
        gpuErrchk(cudaMemcpy(search->card + n, search->place.get(), bytes, cudaMemcpyHostToDevice));
    }
    std::ofstream nowhere;
    BVSS slices(8, 4, nowhere);
    slices.constructFromCSCMatrix(matrix.get());
    search->vertices = n;
    search->parts = BVSSBFSKernel(&slices).run(0);
    *handle = search.release();
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
} catch (const std::bad_alloc&) {
    return "out of memory";
}

const char* solve(void* handle, int64_t source, void* answer) try {
    Search& search = *static_cast<Search*>(handle);
    const unsigned n = search.vertices;
    auto out = static_cast<unsigned*>(answer);  // no path, all bits set, is -1
    search.parts.search(search.card ? search.place[source] : source, search.card ? search.card : out);
    if (search.card) put_back<<<(n + 255) / 256, 256>>>(n, search.card, search.card + n, out);
    gpuErrchk(cudaDeviceSynchronize());
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
}

const char* release(void* handle) try {
    std::unique_ptr<Search> search(static_cast<Search*>(handle));
    search->parts.release();
    gpuErrchk(cudaFree(search->card));
    return nullptr;
} catch (cudaError_t error) {
    return text(error);
}
