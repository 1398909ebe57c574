// Errors that a compiler misses and a sanitizer must catch (at = 1), each with its correct twin (at = 0).

#include "warpath.cuh"

extern "C" __global__ void write_global(int n, int at, int* out) {
    const long long i = thread_index();
    if (i < n + at) out[i] = 1;
}

extern "C" __global__ void read_global(int n, int at, const int* values, int* out) {
    const long long i = thread_index();
    if (i < n) out[i] = values[i - at];
}

extern "C" __global__ void static_shared(int at, int* out) {
    __shared__ int buffer[64];
    buffer[threadIdx.x + at] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = buffer[63 - threadIdx.x];
}

extern "C" __global__ void dynamic_shared_memory(int at, int* out) {
    extern __shared__ int dynamic_shared[];
    dynamic_shared[threadIdx.x + at] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic_shared[63 - threadIdx.x];
}

extern "C" __global__ void local_array(int at, int* out) {
    int mine[8];
    for (int i = 0; i < 8; ++i) mine[i] = i;
    __syncthreads();
    const int* chosen = at < 0 ? out : mine;  // hides the array's length from the compiler
    out[threadIdx.x] = chosen[7 + at];
}

extern "C" __global__ void overflow(int at, int* out) {
    const int large = 0x7fffffff;
    out[threadIdx.x] = large + at;
}

extern "C" __global__ void shift(int at, int* out) { out[threadIdx.x] = 1 << (31 * at + at); }

extern "C" __global__ void divide(int at, int* out) { out[threadIdx.x] = 1000 / (1 - at); }

extern "C" __global__ void misaligned(int at, const char* bytes, long long* out) {
    out[threadIdx.x] = *reinterpret_cast<const long long*>(bytes + 4 * at);
}
