// Scan BFS: linear work and no atomics; a prefix scan over the counts of discovered vertices lays out the next queue.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none, and
// the vertex that each was reached from (-1 for the source and for unreachable vertices).
//
// Several vertices of a level may find the same neighbour. All write its distance, and each writes the arc it came by;
// the arc written last owns the neighbour. A vertex then counts the neighbours that it owns, and a scan of these counts
// gives the position in the next queue to write them to. The scan is in two parts: up- and down-sweep in shared memory
// compute running totals inside a block, and a prefix sum over the totals of the blocks computes where a block starts.
//
// Launches: four for each level that has vertices, the last level's included, which leaves the next queue empty.
//
// Pathak et al. 2021, "Accelerating large graph algorithms on GPU using CUDA", section 3.3, algorithms 5 to 9.
// Corrected:
// - Algorithm 6 there stores u in P[v], but algorithms 7 and 9 compare P[v] with E.index(v): the index of the arc is
//   stored. The parent, which the paper also returns, is written by the thread that queues v.
// - Algorithm 8 indexes shared memory by the thread's number in the grid, looks for the partner at distance 2n (up)
//   where the tree has it at n/2, and adds where the down-sweep has to subtract.
// - Algorithms 8 and 9 have barriers inside `if tid < size`: here all threads take part, those past the end with 0.
// - PreDeg is indexed by size / NUM_THREADS (algorithm 5) and by NUM_THREADS (9): the number of blocks, and the block.
// Chosen here: the host sums over blocks, and reads the size of the next queue from the result. The paper does not say,
// but counts four global synchronisations a level, which are the kernels.

#include "warpath.cuh"

extern "C" __global__ void next_layer(unsigned level, const arc_t* offsets, const int* targets, int current_size,
                                      const int* current, arc_t* discovered_by, unsigned* distance) {
    const long long i = thread_index();
    if (i >= current_size) return;
    const int u = current[i];
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (distance[v] > level + 1) {
            distance[v] = level + 1;
            discovered_by[v] = arc;
        }
    }
}

extern "C" __global__ void count_degrees(const arc_t* offsets, const int* targets, int current_size, const int* current,
                                         const arc_t* discovered_by, int* degrees) {
    const long long i = thread_index();
    if (i >= current_size) return;
    const int u = current[i];
    int degree = 0;
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (discovered_by[v] == arc && v != u) ++degree;
    }
    degrees[i] = degree;
}

// Turns the degrees of each block into running totals. Stores the block's total one place after its number, so that a
// prefix sum over block_degrees is where each block starts. The threads of a block must be a power of two.
extern "C" __global__ void scan_degrees(int current_size, int* degrees, int* block_degrees) {
    __shared__ int pre_sum[1024];
    const long long i = thread_index();
    const unsigned m = threadIdx.x;
    pre_sum[m] = i < current_size ? degrees[i] : 0;
    __syncthreads();

    // Up-sweep: pre_sum[m] becomes the total of the n places from m on.
    for (unsigned n = 2; n <= blockDim.x; n *= 2) {
        if ((m & (n - 1)) == 0) pre_sum[m] += pre_sum[m + n / 2];
        __syncthreads();
    }
    if (m == 0) block_degrees[blockIdx.x + 1] = pre_sum[0];

    // Down-sweep: pre_sum[m], the total up to the end of the n places from m on, is split between the halves.
    for (unsigned n = blockDim.x; n > 1; n /= 2) {
        if ((m & (n - 1)) == 0) {
            const int up_to_end = pre_sum[m];
            pre_sum[m] -= pre_sum[m + n / 2];
            pre_sum[m + n / 2] = up_to_end;
        }
        __syncthreads();
    }
    if (i < current_size) degrees[i] = pre_sum[m];
}

extern "C" __global__ void populate_next_queue(const arc_t* offsets, const int* targets, int current_size,
                                               const int* current, const arc_t* discovered_by, const int* degrees,
                                               const int* block_starts, int* following, int* parent) {
    __shared__ int block_start;
    if (threadIdx.x == 0) block_start = block_starts[blockIdx.x];
    __syncthreads();
    const long long i = thread_index();
    if (i >= current_size) return;
    const int u = current[i];
    int place = block_start + (threadIdx.x == 0 ? 0 : degrees[i - 1]);
    for (arc_t arc = offsets[u]; arc < offsets[u + 1]; ++arc) {
        const int v = targets[arc];
        if (discovered_by[v] == arc && v != u) {
            following[place++] = v;
            parent[v] = u;
        }
    }
}
