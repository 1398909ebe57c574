// Barriers, and the functions in which the lanes of a warp take part together.
#pragma once

inline void __syncthreads(WARPATH_HERE) { host::synchronize_block(false, here); }
inline int __syncthreads_count(int predicate, WARPATH_HERE) {
    return host::synchronize_block(predicate, here).in_favour;
}
inline int __syncthreads_or(int predicate, WARPATH_HERE) {
    return host::synchronize_block(predicate, here).in_favour > 0;
}
inline int __syncthreads_and(int predicate, WARPATH_HERE) {
    const host::Votes votes = host::synchronize_block(predicate, here);
    return votes.in_favour == votes.cast;
}

inline void __syncwarp(unsigned mask = 0xffffffff, WARPATH_HERE) {
    host::exchange(host::Exchange::sync, mask, 0, 0, nullptr, here);
}

// The calling lane alone: CUDA guarantees only some subset of the active lanes.
inline unsigned __activemask() { return 1u << host::lane(); }

inline unsigned __ballot_sync(unsigned mask, int predicate, WARPATH_HERE) {
    return unsigned(host::exchange(host::Exchange::ballot, mask, predicate != 0, 0, nullptr, here));
}
inline int __any_sync(unsigned mask, int predicate, WARPATH_HERE) { return __ballot_sync(mask, predicate, here) != 0; }
inline int __all_sync(unsigned mask, int predicate, WARPATH_HERE) { return __ballot_sync(mask, !predicate, here) == 0; }

namespace host {

template <typename T>
inline uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8 && std::is_arithmetic_v<T>, "lanes exchange numbers");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T>
inline T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
inline T shuffle(unsigned mask, T value, int source, bool inside, Place here) {
    const unsigned from = inside ? unsigned(source) : lane();
    return from_bits<T>(exchange(Exchange::shuffle, mask, to_bits(value), from, nullptr, here));
}

template <typename T, T (*combine)(T, T)>
inline T reduce(unsigned mask, T value, Place here) {
    const Combine on_bits = [](uint64_t a, uint64_t b) { return to_bits(combine(from_bits<T>(a), from_bits<T>(b))); };
    return from_bits<T>(exchange(Exchange::reduce, mask, to_bits(value), 0, on_bits, here));
}

}  // namespace host

// A lane reads within its segment of `width` lanes, and its own value instead of one outside.
template <typename T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = warpSize, WARPATH_HERE) {
    const int first = int(host::lane()) & ~(width - 1);
    return host::shuffle(mask, value, first + (source & (width - 1)), true, here);
}
template <typename T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, WARPATH_HERE) {
    const int lane = host::lane(), source = lane - int(delta);
    return host::shuffle(mask, value, source, source >= (lane & ~(width - 1)), here);
}
template <typename T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, WARPATH_HERE) {
    const int lane = host::lane(), source = lane + int(delta);
    return host::shuffle(mask, value, source, source <= (lane | (width - 1)), here);
}
template <typename T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize, WARPATH_HERE) {
    const int lane = host::lane(), source = lane ^ lanes;
    return host::shuffle(mask, value, source, source <= (lane | (width - 1)), here);
}

template <typename T>
inline unsigned __match_any_sync(unsigned mask, T value, WARPATH_HERE) {
    return unsigned(host::exchange(host::Exchange::match, mask, host::to_bits(value), 0, nullptr, here));
}
template <typename T>
inline unsigned __match_all_sync(unsigned mask, T value, int* all, WARPATH_HERE) {
    const unsigned same = __match_any_sync(mask, value, here);
    *all = __all_sync(mask, same == __ballot_sync(mask, 1, here), here);
    return *all ? same : 0;
}

namespace host {
template <typename T>
constexpr T sum_of(T a, T b) {
    return wrapping_add(a, b);
}
template <typename T>
constexpr T least_of(T a, T b) {
    return a < b ? a : b;
}
template <typename T>
constexpr T most_of(T a, T b) {
    return a > b ? a : b;
}
constexpr unsigned and_of(unsigned a, unsigned b) { return a & b; }
constexpr unsigned or_of(unsigned a, unsigned b) { return a | b; }
constexpr unsigned xor_of(unsigned a, unsigned b) { return a ^ b; }
}  // namespace host

#define WARPATH_REDUCE(name, T, combine) \
    inline T name(unsigned mask, T value, WARPATH_HERE) { return host::reduce<T, host::combine>(mask, value, here); }
WARPATH_REDUCE(__reduce_add_sync, int, sum_of<int>)
WARPATH_REDUCE(__reduce_min_sync, int, least_of<int>)
WARPATH_REDUCE(__reduce_max_sync, int, most_of<int>)
WARPATH_REDUCE(__reduce_add_sync, unsigned, sum_of<unsigned>)
WARPATH_REDUCE(__reduce_min_sync, unsigned, least_of<unsigned>)
WARPATH_REDUCE(__reduce_max_sync, unsigned, most_of<unsigned>)
WARPATH_REDUCE(__reduce_and_sync, unsigned, and_of)
WARPATH_REDUCE(__reduce_or_sync, unsigned, or_of)
WARPATH_REDUCE(__reduce_xor_sync, unsigned, xor_of)
#undef WARPATH_REDUCE
