// The DPX functions and functions on packed words that kernels use, one row of results each.

#include "warpath.cuh"

extern "C" __global__ void dpx(int n, const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out) {
    const long long i = thread_index();
    if (i >= n) return;
    out[i] = __viaddmin_u32(a[i], b[i], c[i]);
    out[n + i] = __viaddmin_u16x2(a[i], b[i], c[i]);
    out[2 * n + i] = __vminu2(a[i], b[i]);
}
