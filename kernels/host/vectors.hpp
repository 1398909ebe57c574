// CUDA C++'s vector types.
#pragma once

#define WARPATH_VECTORS(T, name, align2, align4)                          \
    struct name##1 { T x; };                                              \
    struct alignas(align2) name##2 { T x, y; };                           \
    struct name##3 { T x, y, z; };                                        \
    struct alignas(align4) name##4 { T x, y, z, w; };                     \
    constexpr name##1 make_##name##1(T x) { return {x}; }                 \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

WARPATH_VECTORS(signed char, char, 2, 4)
WARPATH_VECTORS(unsigned char, uchar, 2, 4)
WARPATH_VECTORS(short, short, 4, 8)
WARPATH_VECTORS(unsigned short, ushort, 4, 8)
WARPATH_VECTORS(int, int, 8, 16)
WARPATH_VECTORS(unsigned int, uint, 8, 16)
WARPATH_VECTORS(long long, longlong, 16, 16)
WARPATH_VECTORS(unsigned long long, ulonglong, 16, 16)
WARPATH_VECTORS(float, float, 8, 16)
WARPATH_VECTORS(double, double, 16, 16)
#undef WARPATH_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
