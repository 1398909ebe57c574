// Pulling with the bits of visited vertices in shared memory.
//
// On a large graph without hubs most of the time of a pull is reads of single bits from L2. Vertices are divided into
// slices whose bits fit into the shared memory of a block, and into chunks. Preparing puts arcs in order of the slice
// of their target and the chunk of their tail, so that a block tests all arcs into one slice, and a warp those of one
// chunk at a time. All arcs are read, side by side.
#pragma once

#include "pull.cuh"

// TAIL_BITS of an arc are the tail in its chunk; above these is the target in its slice.
constexpr unsigned WORDS_OF_CHUNK = 32;  // a lane each

struct Slices {
    int slices, chunks, words;  // of bits in a slice; a target beyond them stands for no arc
    const unsigned* begins;     // of the arcs of each chunk, slice by slice, in groups of four
    const uint4* arcs;
};

// Loads the block's slice.
__device__ __forceinline__ void load_slice(const Graph& graph, const Slices& slices, const unsigned* visited,
                                           unsigned* slice) {
    const unsigned first = blockIdx.x % slices.slices * slices.words;
    const unsigned pairs = (min(words_of(graph.vertices) - first, unsigned(slices.words)) + 1) / 2;
    const auto* const from = reinterpret_cast<const unsigned long long*>(visited + first);
#pragma unroll 8
    for (unsigned i = threadIdx.x; i < pairs; i += BLOCK) {
        reinterpret_cast<unsigned long long*>(slice)[i] = __ldcg(&from[i]);
    }
    if (threadIdx.x == 0) slice[slices.words] = 0;
    __syncthreads();
}

// Marks the tails of arcs in `found` whose targets are in the slice's set. All four are looked up before the first is
// marked, so that the reads are under way together. A chunk's vertices are transposed: vertex i is bit i / 32 of word
// i % 32, so that neighbours do not meet at one word.
__device__ __forceinline__ void test(const unsigned* slice, const uint4& arcs, unsigned* found) {
    const unsigned arc[4] = {arcs.x, arcs.y, arcs.z, arcs.w};
    unsigned bits[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) bits[k] = slice[arc[k] >> (TAIL_BITS + 5)];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (bits[k] >> (arc[k] >> TAIL_BITS & 31) & 1) atomicOr(&found[arc[k] & 31], 1u << (arc[k] >> 5 & 31));
    }
}

__device__ __forceinline__ unsigned transpose(unsigned own) {
    unsigned word = 0;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned lanes = __ballot_sync(ALL_LANES, own >> i & 1);
        if (lane_index() == i) word = lanes;
    }
    return word;
}

// Where the arcs of a chunk begin and end.
__device__ __forceinline__ uint2 range_of(const unsigned* begins, unsigned chunk, unsigned chunks) {
    return chunk < chunks ? make_uint2(__ldg(&begins[chunk]), __ldg(&begins[chunk + 1])) : make_uint2(0, 0);
}

// Returns how many vertices the thread has found. `next_visited` has some of the visited vertices at first, and all in
// the end.
__device__ __forceinline__ unsigned pull_slice(const Graph& graph, const Slices& slices, unsigned level,
                                               const unsigned* visited, unsigned* next_visited, unsigned* distance,
                                               unsigned* slice) {
    const unsigned own = blockIdx.x % slices.slices, lane = lane_index(), words = words_of(graph.vertices);
    const unsigned step = (gridDim.x - own + slices.slices - 1) / slices.slices * (BLOCK / 32);
    const unsigned chunks = slices.chunks, nothing = slices.words * 32u << TAIL_BITS;
    const unsigned* const begins = &slices.begins[own * chunks];
    unsigned* const found = slice + slices.words + 4 + threadIdx.x / 32 * 32;
    unsigned chunk = blockIdx.x / slices.slices * (BLOCK / 32) + threadIdx.x / 32, count = 0;
    uint2 range = range_of(begins, chunk, chunks);
    for (; chunk < chunks; chunk += step) {
        const uint2 next_range = range_of(begins, chunk + step, chunks);
        const unsigned end = range.y, word = chunk * WORDS_OF_CHUNK + lane;
        const unsigned known = word < words ? __ldcg(&visited[word]) : ~0u;
        const unsigned before = word < words ? __ldcg(&next_visited[word]) : ~0u;
        found[lane] = 0;
        __syncwarp();
        for (unsigned group = range.x + lane; group - lane < end; group += 32 * READ_AHEAD) {
            uint4 arcs[READ_AHEAD];
            for (int k = 0; k < READ_AHEAD; ++k) {
                arcs[k] = make_uint4(nothing, nothing, nothing, nothing);
                if (group + 32 * k < end) arcs[k] = __ldcs(&slices.arcs[group + 32 * k]);
            }
            for (int k = 0; k < READ_AHEAD; ++k) test(slice, arcs[k], found);
        }
        __syncwarp();
        const unsigned missing = (transpose(found[lane]) | known) & ~before, fresh = missing & ~known;
        const unsigned others = missing != 0 ? atomicOr(&next_visited[word], missing) : 0;
        for (unsigned i = 0; i < WORDS_OF_CHUNK; ++i) {
            const unsigned bits = __shfl_sync(ALL_LANES, fresh, i);
            if (bits >> lane & 1) distance[(chunk * WORDS_OF_CHUNK + i) * 32 + lane] = level + 1;
        }
        count += __popc(fresh & ~others);
        range = next_range;
    }
    return count;
}

// Returns the number of a chunk and slice.
__device__ __forceinline__ unsigned unit_of(int vertex, int target, int chunks, int words) {
    return target / (32 * words) * chunks + (vertex >> TAIL_BITS);
}

// Counts the arcs of each chunk and slice.
extern "C" __global__ void count_arcs(int vertices, const int* offsets, const int* targets, int chunks, int words,
                                      unsigned* counts) {
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        for (int arc = offsets[vertex] + lane_index(); arc < offsets[vertex + 1]; arc += 32) {
            atomicAdd(&counts[unit_of(vertex, targets[arc], chunks, words)], 1u);
        }
    }
}

// Puts arcs where their chunks and slices begin.
extern "C" __global__ void slice_arcs(int vertices, const int* offsets, const int* targets, int chunks, int words,
                                      unsigned* begins, unsigned* arcs) {
    for (long long vertex = thread_index() / 32; vertex < vertices; vertex += thread_count() / 32) {
        for (int arc = offsets[vertex] + lane_index(); arc < offsets[vertex + 1]; arc += 32) {
            const int target = targets[arc];
            const unsigned place = atomicAdd(&begins[unit_of(vertex, target, chunks, words)], 1u);
            arcs[place] = unsigned(target % (32 * words)) << TAIL_BITS | unsigned(vertex) % (1u << TAIL_BITS);
        }
    }
}
