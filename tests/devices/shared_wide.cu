// The same name with another type, beside a static array.

extern "C" __global__ void sum_pairs(const longlong2* pairs, long long* sums) {
    extern __shared__ longlong2 dynamic_shared[];
    __shared__ long long extra[64];
    dynamic_shared[threadIdx.x] = pairs[threadIdx.x];
    extra[threadIdx.x] = 1000 * threadIdx.x;
    __syncthreads();
    const unsigned other = threadIdx.x ^ 1;
    sums[threadIdx.x] = dynamic_shared[other].x + dynamic_shared[other].y + extra[other];
}
