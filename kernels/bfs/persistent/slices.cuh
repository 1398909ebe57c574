// Pulling with the bits of visited vertices in shared memory.
//
// On a large graph without hubs most of the time of a pull is reads of single bits from L2. Vertices are divided into
// slices whose bits fit into the shared memory of a block, and into chunks. Preparing puts arcs in order of the slice
// of their target and the chunk of their tail, so that a block tests all arcs into one slice, and a warp those of one
// chunk at a time. All arcs are read, side by side.
#pragma once

#include "pull.cuh"

constexpr int TAIL_BITS = 10;            // of an arc: the tail in its chunk; above these, the target in its slice
constexpr unsigned WORDS_OF_CHUNK = 32;  // a lane each

struct Slices {
    int slices, chunks, words;  // of bits in a slice; a target beyond them stands for no arc
    const unsigned* begins;     // of the arcs of each chunk, slice by slice, in groups of four
    const uint4* arcs;
};

// Loads the block's slice; keeps what was visited before in `before`. All blocks have done so when this returns.
__device__ __forceinline__ void load_slice(const Graph& graph, const Slices& slices, const unsigned* visited,
                                           unsigned* before, unsigned* slice, unsigned* barrier) {
    const unsigned words = words_of(graph.vertices), first = blockIdx.x % slices.slices * slices.words;
#pragma unroll 8
    for (unsigned i = threadIdx.x; i <= unsigned(slices.words); i += BLOCK) {
        slice[i] = i < unsigned(slices.words) && first + i < words ? __ldcg(&visited[first + i]) : 0;
    }
    for (long long word = thread_index(); word < words; word += thread_count()) before[word] = __ldcg(&visited[word]);
    grid_barrier(barrier);
}

// Marks the tail in `found` if the target is in the slice's set. A chunk's vertices are transposed: vertex i is bit
// i / 32 of word i % 32, so that neighbours do not meet at one word.
__device__ __forceinline__ void test(const unsigned* slice, unsigned arc, unsigned* found) {
    if (slice[arc >> (TAIL_BITS + 5)] >> (arc >> TAIL_BITS & 31) & 1) atomicOr(&found[arc & 31], 1u << (arc >> 5 & 31));
}

__device__ __forceinline__ unsigned transpose(unsigned own) {
    unsigned word = 0;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned lanes = __ballot_sync(ALL_LANES, own >> i & 1);
        if (lane_index() == i) word = lanes;
    }
    return word;
}

// Returns how many vertices the thread has found.
__device__ __forceinline__ unsigned pull_slice(const Graph& graph, const Slices& slices, unsigned level,
                                               unsigned* visited, unsigned* distance, const unsigned* slice,
                                               unsigned* found) {
    const unsigned own = blockIdx.x % slices.slices, lane = lane_index(), words = words_of(graph.vertices);
    const unsigned blocks = (gridDim.x - own + slices.slices - 1) / slices.slices,
                   nothing = slices.words * 32u << TAIL_BITS;
    unsigned count = 0;
    for (unsigned chunk = blockIdx.x / slices.slices * (BLOCK / 32) + threadIdx.x / 32; chunk < unsigned(slices.chunks);
         chunk += blocks * (BLOCK / 32)) {
        const unsigned* const begin = &slices.begins[own * slices.chunks + chunk];
        const unsigned end = __ldg(begin + 1), word = chunk * WORDS_OF_CHUNK + lane;
        const unsigned known = word < words ? __ldcg(&visited[word]) : ~0u;
        found[lane] = 0;
        __syncwarp();
        for (unsigned group = __ldg(begin) + lane; group - lane < end; group += 32 * READ_AHEAD) {
            uint4 arcs[READ_AHEAD];
            for (int k = 0; k < READ_AHEAD; ++k) {
                arcs[k] = make_uint4(nothing, nothing, nothing, nothing);
                if (group + 32 * k < end) arcs[k] = __ldcs(&slices.arcs[group + 32 * k]);
            }
            for (int k = 0; k < READ_AHEAD; ++k) {
                test(slice, arcs[k].x, found), test(slice, arcs[k].y, found);
                test(slice, arcs[k].z, found), test(slice, arcs[k].w, found);
            }
        }
        __syncwarp();
        unsigned fresh = transpose(found[lane]) & ~known;
        if (fresh != 0) fresh &= ~atomicOr(&visited[word], fresh);
        count += __popc(fresh);
        for (unsigned i = 0; i < WORDS_OF_CHUNK; ++i) {
            const unsigned bits = __shfl_sync(ALL_LANES, fresh, i);
            if (bits >> lane & 1) distance[(chunk * WORDS_OF_CHUNK + i) * 32 + lane] = level + 1;
        }
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
