// The DPX functions (add, then minimum: one instruction since sm_90) and functions on packed words that kernels here
// use.
#pragma once

inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return a + b < c ? a + b : c; }

inline unsigned __vminu2(unsigned a, unsigned b) {
    const unsigned low = (a & 0xffff) < (b & 0xffff) ? a : b, high = a >> 16 < b >> 16 ? a : b;
    return (high & 0xffff0000) | (low & 0xffff);
}

inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
    return __vminu2(((a & 0xffff0000) + (b & 0xffff0000)) | ((a + b) & 0xffff), c);
}
