// The DPX functions and packed arithmetic, one row of results each.

#include "warpath.cuh"

extern "C" __global__ void dpx(int n, const unsigned* first, const unsigned* second, const unsigned* third,
                               unsigned* out) {
    const long long i = thread_index();
    if (i >= n) return;
    const unsigned a = first[i], b = second[i], c = third[i];
    const int sa = a, sb = b, sc = c;
    int row = 0;
    out[n * row++ + i] = __viaddmin_s32(sa, sb, sc);
    out[n * row++ + i] = __viaddmax_s32(sa, sb, sc);
    out[n * row++ + i] = __viaddmin_s32_relu(sa, sb, sc);
    out[n * row++ + i] = __viaddmax_s32_relu(sa, sb, sc);
    out[n * row++ + i] = __viaddmin_u32(a, b, c);
    out[n * row++ + i] = __viaddmax_u32(a, b, c);
    out[n * row++ + i] = __viaddmin_s16x2(a, b, c);
    out[n * row++ + i] = __viaddmax_s16x2(a, b, c);
    out[n * row++ + i] = __viaddmin_s16x2_relu(a, b, c);
    out[n * row++ + i] = __viaddmax_s16x2_relu(a, b, c);
    out[n * row++ + i] = __viaddmin_u16x2(a, b, c);
    out[n * row++ + i] = __viaddmax_u16x2(a, b, c);
    out[n * row++ + i] = __vimin3_s32(sa, sb, sc);
    out[n * row++ + i] = __vimax3_s32(sa, sb, sc);
    out[n * row++ + i] = __vimin3_s32_relu(sa, sb, sc);
    out[n * row++ + i] = __vimax3_s32_relu(sa, sb, sc);
    out[n * row++ + i] = __vimin3_u32(a, b, c);
    out[n * row++ + i] = __vimax3_u32(a, b, c);
    out[n * row++ + i] = __vimin3_s16x2(a, b, c);
    out[n * row++ + i] = __vimax3_s16x2(a, b, c);
    out[n * row++ + i] = __vimin3_s16x2_relu(a, b, c);
    out[n * row++ + i] = __vimax3_s16x2_relu(a, b, c);
    out[n * row++ + i] = __vimin3_u16x2(a, b, c);
    out[n * row++ + i] = __vimax3_u16x2(a, b, c);
    out[n * row++ + i] = __vimin_s32_relu(sa, sb);
    out[n * row++ + i] = __vimax_s32_relu(sa, sb);
    out[n * row++ + i] = __vimin_s16x2_relu(a, b);
    out[n * row++ + i] = __vimax_s16x2_relu(a, b);
    out[n * row++ + i] = __vadd2(a, b);
    out[n * row++ + i] = __vsub2(a, b);
    out[n * row++ + i] = __vmins2(a, b);
    out[n * row++ + i] = __vmaxs2(a, b);
    out[n * row++ + i] = __vminu2(a, b);
    out[n * row++ + i] = __vmaxu2(a, b);
    out[n * row++ + i] = __vcmpeq2(a, b);
    out[n * row++ + i] = __vcmpltu2(a, b);
    out[n * row++ + i] = __vcmplts2(a, b);
    out[n * row++ + i] = __vadd4(a, b);
    out[n * row++ + i] = __vsub4(a, b);
    out[n * row++ + i] = __vmins4(a, b);
    out[n * row++ + i] = __vmaxs4(a, b);
    out[n * row++ + i] = __vminu4(a, b);
    out[n * row++ + i] = __vmaxu4(a, b);
    out[n * row++ + i] = __vcmpeq4(a, b);
    bool high = false, low = false, only = false;
    out[n * row++ + i] = __vibmin_s32(sa, sb, &only);
    out[n * row++ + i] = only;
    out[n * row++ + i] = __vibmax_u32(a, b, &only);
    out[n * row++ + i] = only;
    out[n * row++ + i] = __vibmin_s16x2(a, b, &high, &low);
    out[n * row++ + i] = 2 * high + low;
    out[n * row++ + i] = __vibmax_u16x2(a, b, &high, &low);
    out[n * row++ + i] = 2 * high + low;
}
