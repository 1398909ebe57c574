// Arithmetic of shortest paths on words of one 32-bit distance or of two 16-bit ones (WIDTH says which).
//
// A 16-bit distance saturates: every distance of FAR or more is FAR. Sums of two still fit 16 bits, and the minimum
// with what was there brings them back to FAR at most, so that a computation on saturated distances ends in the
// saturated answer. It is the whole answer if no finite distance reaches FAR. That is so if the largest one below FAR,
// plus the largest weight, is below FAR: along a shortest path distances grow by at most one weight a step, so a longer
// path would have a vertex in between.
#pragma once

#include "warpath.cuh"

#if WIDTH == 16
constexpr int PACK = 2;  // distances a word
constexpr unsigned FAR = 0x7fff;
constexpr unsigned FAR_WORD = 0x7fff7fff;
using Distance = unsigned short;
__device__ __forceinline__ unsigned shorter(unsigned known, unsigned a, unsigned b) {
    return __viaddmin_u16x2(a, b, known);
}
__device__ __forceinline__ unsigned minimum(unsigned a, unsigned b) { return __vminu2(a, b); }
// The same distance in every part of a word: the one at `part` of a given word, and a given one.
__device__ __forceinline__ unsigned spread(unsigned word, int part) {
    return __byte_perm(word, 0, part ? 0x3232 : 0x1010);
}
__device__ __forceinline__ unsigned spread(unsigned distance) { return distance * 0x10001; }
#else
constexpr int PACK = 1;
constexpr unsigned FAR = UNREACHABLE;
constexpr unsigned FAR_WORD = UNREACHABLE;
using Distance = unsigned;
__device__ __forceinline__ unsigned shorter(unsigned known, unsigned a, unsigned b) {
    return __viaddmin_u32(a, b, known);
}
__device__ __forceinline__ unsigned minimum(unsigned a, unsigned b) { return min(a, b); }
__device__ __forceinline__ unsigned spread(unsigned word, int) { return word; }
__device__ __forceinline__ unsigned spread(unsigned distance) { return distance; }
#endif
