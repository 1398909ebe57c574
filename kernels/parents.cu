// A check of the parents that a search returned, given distances that are right. Shares nothing with the algorithms.
//
// A parent is right if
//
//   1. the vertex is the source, and the parent is itself or none (-1); or it is not reached, and has none;
//   2. or an arc leads from the parent to the vertex, and is tight: distance[parent] + w == distance[vertex].
//
// A tight arc with w > 0 comes from a smaller distance, so parents lead back to the source, unless there are arcs with
// w == 0 among theirs: these are counted. Weights are absent (null) where every arc counts 1. Targets ascend within a
// vertex. With -DWIDE_ARCS=1, offsets have 64 bits.

#ifdef WIDE_ARCS
using Offset = long long;
#else
using Offset = int;
#endif

enum : unsigned { UNREACHABLE = 0x7fffffff };
enum : int { NONE = -1 };

// Returns the arc's weight, or -1 where there is no arc.
__device__ __forceinline__ int weight_of(int tail, int head, const Offset* offsets, const int* targets,
                                         const int* weights) {
    Offset low = offsets[tail];
    const Offset end = offsets[tail + 1];
    for (Offset high = end; low < high;) {
        const Offset middle = low + (high - low) / 2;
        if (targets[middle] < head) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == end || targets[low] != head) return -1;
    return weights ? weights[low] : 1;
}

// Adds up in counts[0] the vertices whose parent is wrong, and in counts[1] the others whose arc has the weight 0.
extern "C" __global__ void judge_parents(int vertices, int source, const Offset* offsets, const int* targets,
                                         const int* weights, const unsigned* distance, const int* parents,
                                         unsigned long long* counts) {
    const long long threads = gridDim.x * (long long)blockDim.x;
    unsigned long long wrong = 0, weightless = 0;
    for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < vertices; v += threads) {
        const int parent = parents[v];
        if (v == source || distance[v] == UNREACHABLE) {
            wrong += parent != NONE && !(v == source && parent == source);
            continue;
        }
        const bool valid = parent >= 0 && parent < vertices;
        const int weight = valid ? weight_of(parent, int(v), offsets, targets, weights) : -1;
        const bool right = weight >= 0 && (unsigned long long)(distance[parent]) + weight == distance[v];
        wrong += !right;
        weightless += right && weight == 0;
    }
    if (wrong != 0) atomicAdd(&counts[0], wrong);
    if (weightless != 0) atomicAdd(&counts[1], weightless);
}
