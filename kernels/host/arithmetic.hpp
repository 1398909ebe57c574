// Integer intrinsics, and CUDA C++'s overloads of min and max in the global namespace.
#pragma once

#define WARPATH_MIN_MAX(T, A, B)                                                        \
    constexpr T min(A a, B b) { return static_cast<T>(b) < static_cast<T>(a) ? b : a; } \
    constexpr T max(A a, B b) { return static_cast<T>(a) < static_cast<T>(b) ? b : a; }
WARPATH_MIN_MAX(int, int, int)
WARPATH_MIN_MAX(unsigned, unsigned, unsigned)
WARPATH_MIN_MAX(unsigned, int, unsigned)
WARPATH_MIN_MAX(unsigned, unsigned, int)
WARPATH_MIN_MAX(long, long, long)
WARPATH_MIN_MAX(unsigned long, unsigned long, unsigned long)
WARPATH_MIN_MAX(long long, long long, long long)
WARPATH_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WARPATH_MIN_MAX(unsigned long long, long long, unsigned long long)
WARPATH_MIN_MAX(unsigned long long, unsigned long long, long long)
WARPATH_MIN_MAX(float, float, float)
WARPATH_MIN_MAX(double, double, double)
#undef WARPATH_MIN_MAX

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }

inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (x >> bit & 1) << (63 - bit);
    return reversed;
}
inline unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }

inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)high << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= unsigned(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}

inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline int __mul24(int a, int b) {
    const auto low = [](int x) { return int(unsigned(x) << 8) >> 8; };
    return int(unsigned(low(a)) * unsigned(low(b)));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }

template <typename To, typename From>
inline To warpath_reinterpret(From value) {
    static_assert(sizeof(To) == sizeof(From));
    To result;
    memcpy(&result, &value, sizeof result);
    return result;
}
inline float __int_as_float(int x) { return warpath_reinterpret<float>(x); }
inline float __uint_as_float(unsigned x) { return warpath_reinterpret<float>(x); }
inline int __float_as_int(float x) { return warpath_reinterpret<int>(x); }
inline unsigned __float_as_uint(float x) { return warpath_reinterpret<unsigned>(x); }
inline double __longlong_as_double(long long x) { return warpath_reinterpret<double>(x); }
inline long long __double_as_longlong(double x) { return warpath_reinterpret<long long>(x); }
