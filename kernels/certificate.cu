// A proof that the distances of one search are right, made without another search. Shares nothing with the algorithms.
//
// A vertex is reached if its distance is below UNREACHABLE. The distances from a source are right if and only if
//
//   1. the source has 0, and no distance is above UNREACHABLE;
//   2. no arc u -> v of weight w that leaves a reached vertex is violated: v is reached, and
//      distance[v] <= distance[u] + w;
//   3. every reached vertex is grounded: it is the source, or it has a tight arc (distance[v] == distance[u] + w)
//      from a reached vertex with w > 0, or from a grounded vertex with w == 0.
//
// By 1 and 2 every vertex that the source has a path to is reached, and no distance is larger than a path's length.
// Tight arcs with w > 0 come from smaller distances, and those with w == 0 count only from vertices that are grounded
// already, so by 3 tight arcs lead back from every reached vertex to the source: its distance is the length of a path.
//
// Sums have 64 bits and never wrap. `inspect` visits every arc once. If it leaves a vertex without ground, `spread` is
// launched until it grounds no more vertices. `judge` counts the vertices that break a rule. Sets of vertices are
// bitmaps, a 32nd of the distances in size, so that they stay in the L2 cache. Weights are absent (null) where every
// arc counts 1. With -DWIDE_ARCS=1, offsets have 64 bits.

#ifdef WIDE_ARCS
using Offset = long long;
#else
using Offset = int;
#endif

enum : unsigned { UNREACHABLE = 0x7fffffff };
enum : int { LANES = 32 };
enum : int { AT_ONCE = 4 };          // arcs of a lane whose heads are loaded together
enum : int { SHARE = LANES * 128 };  // arcs that a warp takes at a time

__device__ __forceinline__ bool is_in(const unsigned* set, unsigned vertex) {
    return __ldcg(&set[vertex / 32]) >> vertex % 32 & 1;
}

__device__ __forceinline__ void add(unsigned* set, unsigned vertex) {
    if (!is_in(set, vertex)) atomicOr(&set[vertex / 32], 1u << vertex % 32);
}

// The vertex that an arc leaves; it is `first` or a later one. The search takes longer strides until it is past it.
__device__ __forceinline__ unsigned tail_of(long long arc, unsigned first, unsigned vertices, const Offset* offsets) {
    unsigned stride = 1;
    for (; first + stride < vertices && offsets[first + stride] <= arc; stride *= 2) first += stride;
    for (; stride > 0; stride /= 2) {
        if (first + stride < vertices && offsets[first + stride] <= arc) first += stride;
    }
    return first;
}

// Adds the heads of violated arcs to `violated`, those of tight arcs of positive weight to `grounded`, and the tails of
// tight arcs of weight 0, from which ground spreads, to `pass_on`.
extern "C" __global__ void inspect(unsigned vertices, long long arcs, const Offset* offsets, const int* targets,
                                   const int* weights, const unsigned* distance, unsigned* violated, unsigned* grounded,
                                   unsigned* pass_on) {
    const long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    const long long stride = gridDim.x * (long long)blockDim.x / LANES * SHARE;
    unsigned tail = 0;
    for (long long begin = thread / LANES * SHARE; begin < arcs; begin += stride) {
        const long long end = min(begin + SHARE, arcs);
        for (long long first = begin + thread % LANES; first < end; first += LANES * AT_ONCE) {
            int head[AT_ONCE];
            unsigned weight[AT_ONCE], far[AT_ONCE];  // far: the heads' distances, which take most of the time
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const long long arc = first + k * LANES;
                head[k] = arc < end ? __ldcs(&targets[arc]) : 0;
                weight[k] = arc < end && weights ? __ldcs(&weights[arc]) : 1;
            }
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) far[k] = distance[head[k]];
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const long long arc = first + k * LANES;
                if (arc >= end) break;
                tail = tail_of(arc, tail, vertices, offsets);
                const unsigned near = distance[tail];
                const unsigned long long sum = static_cast<unsigned long long>(near) + weight[k];
                if (near >= UNREACHABLE) continue;
                if (far[k] >= UNREACHABLE || far[k] > sum) {
                    add(violated, head[k]);
                } else if (far[k] == sum) {
                    weight[k] > 0 ? add(grounded, head[k]) : add(pass_on, tail);
                }
            }
        }
    }
}

// Grounds the heads of tight arcs of weight 0 whose tails are grounded `now` and were not `before`; sets *changed if it
// has grounded any. A block takes 32 vertices at a time and all of its threads one of these.
extern "C" __global__ void spread(unsigned vertices, const Offset* offsets, const int* targets, const int* weights,
                                  const unsigned* distance, const unsigned* pass_on, const unsigned* before,
                                  const unsigned* now, unsigned* grounded, int* changed) {
    for (unsigned word = blockIdx.x; word * 32ull < vertices; word += gridDim.x) {
        for (unsigned ready = pass_on[word] & now[word] & ~before[word]; ready != 0; ready &= ready - 1) {
            const unsigned tail = word * 32 + __ffs(ready) - 1;
            const Offset end = offsets[tail + 1];
            for (long long arc = offsets[tail] + static_cast<long long>(threadIdx.x); arc < end; arc += blockDim.x) {
                const int head = targets[arc];
                if (weights[arc] == 0 && distance[head] == distance[tail] && !is_in(grounded, head)) {
                    add(grounded, head);
                    *changed = 1;
                }
            }
        }
    }
}

// Adds up in counts[0] whether the source is wrong, in counts[1] the other vertices that break rule 1 or 2, and in
// counts[2] further ones that break rule 3.
extern "C" __global__ void judge(unsigned vertices, unsigned source, const unsigned* distance, const unsigned* violated,
                                 const unsigned* grounded, unsigned long long* counts) {
    const long long threads = gridDim.x * (long long)blockDim.x;
    unsigned long long mine[3] = {0, 0, 0};
    for (long long v = blockIdx.x * (long long)blockDim.x + threadIdx.x; v < vertices; v += threads) {
        if (v == source && distance[v] != 0) {
            ++mine[0];
        } else if (distance[v] > UNREACHABLE || is_in(violated, v)) {
            ++mine[1];
        } else if (distance[v] < UNREACHABLE && !is_in(grounded, v)) {
            ++mine[2];
        }
    }
    for (int kind = 0; kind < 3; ++kind) {
        if (mine[kind] != 0) atomicAdd(&counts[kind], mine[kind]);
    }
}
