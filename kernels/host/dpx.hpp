// The DPX functions (add, then minimum or maximum: one instruction since sm_90), and functions on packed words.
#pragma once

namespace host {

template <typename T>
constexpr T least(T a, T b) {
    return a < b ? a : b;
}
template <typename T>
constexpr T most(T a, T b) {
    return a > b ? a : b;
}
template <typename T>
constexpr T relu(T a) {
    return most(a, T(0));
}
template <typename T>
constexpr T add(T a, T b) {
    return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
}
template <typename T>
constexpr T subtract(T a, T b) {
    return T(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
}

// Applies `change` to the parts of 32-bit words, each of type T.
template <typename T, typename Change, typename... Words>
inline unsigned packed(Change change, Words... words) {
    constexpr int bits = 8 * sizeof(T);
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        using Unsigned = std::make_unsigned_t<T>;
        result |= unsigned(Unsigned(change(T(Unsigned(words >> shift))...))) << shift;
    }
    return result;
}

}  // namespace host

// Functions of three arguments: 32-bit words, or words of which each half is a number.
#define WARPATH_THREE(name, T, value) \
    inline T name(T a, T b, T c) {    \
        using namespace host;         \
        return value;                 \
    }
#define WARPATH_THREE_PACKED(name, T, value)                                 \
    inline unsigned name(unsigned a, unsigned b, unsigned c) {               \
        using namespace host;                                                \
        return packed<T>([](T a, T b, T c) -> T { return value; }, a, b, c); \
    }
#define WARPATH_SIGNED(name, value)                  \
    WARPATH_THREE(name##_s32, int, value)            \
    WARPATH_THREE(name##_s32_relu, int, relu(value)) \
    WARPATH_THREE_PACKED(name##_s16x2, short, value) \
    WARPATH_THREE_PACKED(name##_s16x2_relu, short, relu(value))
#define WARPATH_UNSIGNED(name, value)          \
    WARPATH_THREE(name##_u32, unsigned, value) \
    WARPATH_THREE_PACKED(name##_u16x2, unsigned short, value)

WARPATH_SIGNED(__viaddmin, least(add(a, b), c))
WARPATH_SIGNED(__viaddmax, most(add(a, b), c))
WARPATH_SIGNED(__vimin3, least(least(a, b), c))
WARPATH_SIGNED(__vimax3, most(most(a, b), c))
WARPATH_UNSIGNED(__viaddmin, least(add(a, b), c))
WARPATH_UNSIGNED(__viaddmax, most(add(a, b), c))
WARPATH_UNSIGNED(__vimin3, least(least(a, b), c))
WARPATH_UNSIGNED(__vimax3, most(most(a, b), c))

inline int __vimin_s32_relu(int a, int b) { return host::relu(host::least(a, b)); }
inline int __vimax_s32_relu(int a, int b) { return host::relu(host::most(a, b)); }

#define WARPATH_TWO_PACKED(name, T, value)                           \
    inline unsigned name(unsigned a, unsigned b) {                   \
        using namespace host;                                        \
        return packed<T>([](T a, T b) -> T { return value; }, a, b); \
    }
WARPATH_TWO_PACKED(__vimin_s16x2_relu, short, relu(least(a, b)))
WARPATH_TWO_PACKED(__vimax_s16x2_relu, short, relu(most(a, b)))
WARPATH_TWO_PACKED(__vadd2, unsigned short, add(a, b))
WARPATH_TWO_PACKED(__vsub2, unsigned short, subtract(a, b))
WARPATH_TWO_PACKED(__vmins2, short, least(a, b))
WARPATH_TWO_PACKED(__vmaxs2, short, most(a, b))
WARPATH_TWO_PACKED(__vminu2, unsigned short, least(a, b))
WARPATH_TWO_PACKED(__vmaxu2, unsigned short, most(a, b))
WARPATH_TWO_PACKED(__vcmpeq2, unsigned short, a == b ? 0xffff : 0)
WARPATH_TWO_PACKED(__vcmpltu2, unsigned short, a < b ? 0xffff : 0)
WARPATH_TWO_PACKED(__vcmplts2, short, a < b ? -1 : 0)
WARPATH_TWO_PACKED(__vadd4, unsigned char, add(a, b))
WARPATH_TWO_PACKED(__vsub4, unsigned char, subtract(a, b))
WARPATH_TWO_PACKED(__vmins4, signed char, least(a, b))
WARPATH_TWO_PACKED(__vmaxs4, signed char, most(a, b))
WARPATH_TWO_PACKED(__vminu4, unsigned char, least(a, b))
WARPATH_TWO_PACKED(__vmaxu4, unsigned char, most(a, b))
WARPATH_TWO_PACKED(__vcmpeq4, unsigned char, a == b ? 0xff : 0)

// The minimum or maximum, and whether the first argument is it.
#define WARPATH_WHICH(name, order, value)                                                                             \
    inline int name##_s32(int a, int b, bool* first) { return *first = a order b, host::value(a, b); }                \
    inline unsigned name##_u32(unsigned a, unsigned b, bool* first) { return *first = a order b, host::value(a, b); } \
    inline unsigned name##_s16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {                         \
        *first_high = short(a >> 16) order short(b >> 16);                                                            \
        *first_low = short(a) order short(b);                                                                         \
        return host::packed<short>(host::value<short>, a, b);                                                         \
    }                                                                                                                 \
    inline unsigned name##_u16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) {                         \
        *first_high = (unsigned short)(a >> 16) order(unsigned short)(b >> 16);                                       \
        *first_low = (unsigned short)a order(unsigned short) b;                                                       \
        return host::packed<unsigned short>(host::value<unsigned short>, a, b);                                       \
    }
WARPATH_WHICH(__vibmin, <=, least)
WARPATH_WHICH(__vibmax, >=, most)

#undef WARPATH_THREE
#undef WARPATH_THREE_PACKED
#undef WARPATH_SIGNED
#undef WARPATH_UNSIGNED
#undef WARPATH_TWO_PACKED
#undef WARPATH_WHICH
