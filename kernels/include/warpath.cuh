// Common to all kernels. Needs no header of the CUDA toolkit, so that NVRTC and a driver are enough.
//
// Constants are enumerators: a constexpr has a place in global memory, and a module with any is loaded for each run.
#pragma once

// The distance of a vertex that has not been reached. The sum of two still fits an unsigned.
enum : unsigned { UNREACHABLE = 0x7fffffff };

enum : unsigned { ALL_LANES = 0xffffffff };

// The number of an arc, and so an offset. Kernels are compiled with -DWIDE_ARCS=1 for graphs of 2^31 arcs and more.
#ifdef WIDE_ARCS
using arc_t = long long;
using unsigned_arc_t = unsigned long long;
#else
using arc_t = int;
using unsigned_arc_t = unsigned;
#endif

// The number of the calling thread in a one-dimensional grid.
__device__ __forceinline__ long long thread_index() { return blockIdx.x * (long long)blockDim.x + threadIdx.x; }

// The threads of a one-dimensional grid: the stride of a loop that does any amount of work with any grid.
__device__ __forceinline__ long long thread_count() { return gridDim.x * (long long)blockDim.x; }

// The number of the calling thread in its block, and in its warp.
__device__ __forceinline__ unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned lane_index() { return thread_rank() % 32; }

// Keeps a type from being deduced.
template <typename T>
struct Given {
    using type = T;
};

// The sum of `value` over the lanes up to and including this one; all 32 lanes take part.
template <typename Sum = unsigned>
__device__ __forceinline__ Sum warp_inclusive_sum(typename Given<Sum>::type value) {
    const unsigned lane = lane_index();
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const Sum before = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += before;
    }
    return value;
}

// The sum of `value` over the threads of the block before this one, and over all of them in `total`. All threads of a
// block of whole warps take part; `scratch` is shared memory for 32 numbers.
template <typename Sum>
__device__ __forceinline__ Sum block_exclusive_sum(typename Given<Sum>::type value, Sum* scratch, Sum& total) {
    const unsigned rank = thread_rank(), lane = rank % 32, warp = rank / 32;
    const unsigned warps = blockDim.x * blockDim.y * blockDim.z / 32;
    const Sum inclusive = warp_inclusive_sum<Sum>(value);
    __syncthreads();  // the caller may have used scratch
    if (lane == 31) scratch[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const Sum sum = warp_inclusive_sum<Sum>(lane < warps ? scratch[lane] : 0);
        __syncwarp();
        if (lane < warps) scratch[lane] = sum;
    }
    __syncthreads();
    total = scratch[warps - 1];
    return (warp ? scratch[warp - 1] : 0) + inclusive - value;
}

// A barrier of all threads of a cooperative launch: what one wrote before, all see after. `state` is a number in global
// memory, 0 before its first use and used for nothing else.
__device__ __forceinline__ void grid_barrier(unsigned* state) {
#ifdef WARPATH_HOST
    (void)state;
    host::synchronize_grid({__FILE__, __LINE__});
#else
    // The top bit flips once a round: each block adds 1, the first block the rest.
    constexpr unsigned top = 0x80000000u;
    __syncthreads();
    if (thread_rank() == 0) {
        const bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
        const unsigned share = first ? top - (gridDim.x * gridDim.y * gridDim.z - 1) : 1;
        __threadfence();
        const unsigned before = atomicAdd(state, share);
        unsigned now;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(state) : "memory");
        while (((before ^ now) & top) == 0);
        __threadfence();
    }
    __syncthreads();
#endif
}
