// The integer intrinsics, one row of results each.

#include "warpath.cuh"

extern "C" __global__ void on_words(int n, const unsigned* a, const unsigned* b, unsigned* out) {
    const long long i = thread_index();
    if (i >= n) return;
    const unsigned x = a[i], y = b[i];
    int row = 0;
    out[n * row++ + i] = __popc(x);
    out[n * row++ + i] = __ffs(x);
    out[n * row++ + i] = __clz(x);
    out[n * row++ + i] = __brev(x);
    out[n * row++ + i] = __umulhi(x, y);
    out[n * row++ + i] = __mulhi(static_cast<int>(x), static_cast<int>(y));
    out[n * row++ + i] = __umul24(x, y);
    out[n * row++ + i] = __mul24(static_cast<int>(x), static_cast<int>(y));
    out[n * row++ + i] = __byte_perm(x, y, 0x5140);
    out[n * row++ + i] = __funnelshift_l(x, y, 5);
    out[n * row++ + i] = __funnelshift_r(x, y, 37);
    out[n * row++ + i] = min(x, y);
    out[n * row++ + i] = max(static_cast<int>(x), static_cast<int>(y));
    out[n * row++ + i] = __float_as_uint(__uint_as_float(x & 0x3fffffff));
}

extern "C" __global__ void on_long_words(int n, const unsigned long long* a, const unsigned long long* b,
                                         unsigned long long* out) {
    const long long i = thread_index();
    if (i >= n) return;
    const unsigned long long x = a[i], y = b[i];
    int row = 0;
    out[n * row++ + i] = __popcll(x);
    out[n * row++ + i] = __ffsll(x);
    out[n * row++ + i] = __clzll(x);
    out[n * row++ + i] = __brevll(x);
    out[n * row++ + i] = __umul64hi(x, y);
    out[n * row++ + i] = __mul64hi(static_cast<long long>(x), static_cast<long long>(y));
    out[n * row++ + i] = min(x, y);
    out[n * row++ + i] = max(static_cast<long long>(x), static_cast<long long>(y));
}

extern "C" __global__ void memory(const int2* pairs, int4* quads, const int* values, int* out) {
    const unsigned i = threadIdx.x;
    const int2 pair = __ldg(&pairs[i]);
    quads[i] = make_int4(pair.x, pair.y, __ldcg(&values[i]), __ldca(&values[i]));
    __stcg(&out[i], __ldcs(&values[i]) + 1);
    __threadfence();
}
