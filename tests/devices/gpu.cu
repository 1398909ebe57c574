// Kernels for tests that need a real GPU.

#include "warpath.cuh"

extern "C" __global__ void spin(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

extern "C" __global__ void write_far(int* out) { out[1ll << 40] = 1; }

extern "C" __global__ void nothing(int a, int b, int* c, int* d) {}

extern "C" __global__ void __launch_bounds__(128) at_most_128(int* out) { out[threadIdx.x] = 1; }
