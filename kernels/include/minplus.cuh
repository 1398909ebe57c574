// Arithmetic of shortest paths, min and +, on words of one 32-bit distance or of two 16-bit ones (WIDTH 32 or 16).
//
// A 16-bit distance saturates: FAR stands for every distance of FAR or more. The sum of two fits 16 bits, and its
// minimum with the known distance is FAR at most, so a computation on saturated distances ends with the saturated
// answer. This is the answer itself if no finite distance reaches FAR. That holds if the largest distance below FAR
// plus the largest weight is below FAR: distances grow along a shortest path by at most one weight a step, so a longer
// path would pass a vertex in between.
#pragma once

#include "warpath.cuh"

#if WIDTH == 16
enum : int { PACK = 2 };  // distances a word
enum : unsigned { FAR = 0x7fff };
enum : unsigned { FAR_WORD = 0x7fff7fff };
using Distance = unsigned short;
__device__ __forceinline__ unsigned shorter(unsigned known, unsigned a, unsigned b) {
    return __viaddmin_u16x2(a, b, known);
}
__device__ __forceinline__ unsigned minimum(unsigned a, unsigned b) { return __vminu2(a, b); }
// A word with the same distance in each half: the one in half `part` of a word, or a given one.
__device__ __forceinline__ unsigned spread(unsigned word, int part) {
    return __byte_perm(word, 0, part ? 0x3232 : 0x1010);
}
__device__ __forceinline__ unsigned spread(unsigned distance) { return distance * 0x10001; }
#else
enum : int { PACK = 1 };
enum : unsigned { FAR = UNREACHABLE };
enum : unsigned { FAR_WORD = UNREACHABLE };
using Distance = unsigned;
__device__ __forceinline__ unsigned shorter(unsigned known, unsigned a, unsigned b) {
    return __viaddmin_u32(a, b, known);
}
__device__ __forceinline__ unsigned minimum(unsigned a, unsigned b) { return min(a, b); }
__device__ __forceinline__ unsigned spread(unsigned word, int) { return word; }
__device__ __forceinline__ unsigned spread(unsigned distance) { return distance; }
#endif
