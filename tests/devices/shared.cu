// Dynamic shared memory, of any element type and size.

#include "warpath.cuh"

extern "C" __global__ void rotate_bytes(int bytes, unsigned char* out) {
    extern __shared__ unsigned char dynamic_shared[];
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        dynamic_shared[i] = static_cast<unsigned char>(i * 7 + blockIdx.x);
    __syncthreads();
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) {
        out[1ll * blockIdx.x * bytes + i] = dynamic_shared[(i + 1) % bytes];
    }
}
