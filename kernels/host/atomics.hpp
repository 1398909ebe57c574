// Atomic operations: relaxed, as on the GPU, and of the types that CUDA C++ has them for.
#pragma once

namespace host {

template <typename T, typename... Choices>
constexpr bool one_of = (std::is_same_v<T, Choices> || ...);

// A parameter type that is not deduced, so that in atomicAdd(&count, 1) the 1 is converted to the type of the counter.
template <typename T>
struct Same {
    using type = T;
};
template <typename T>
using same = typename Same<T>::type;

template <typename T, typename Change>
inline T update(T* address, Change change) {
    T old, changed;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do changed = change(old);
    while (!__atomic_compare_exchange(address, &old, &changed, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

// Addition without undefined overflow.
template <typename T>
inline T wrapping_add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return T(U(a) + U(b));
    } else {
        return a + b;
    }
}

}  // namespace host

#define WARPATH_ATOMIC(name, changed, ...)                                                  \
    template <typename T>                                                                   \
    inline T name(T* address, host::same<T> value) {                                        \
        static_assert(host::one_of<T, __VA_ARGS__>, #name " does not exist for this type"); \
        return host::update(address, [=](T old) -> T { return changed; });                  \
    }                                                                                       \
    template <typename T>                                                                   \
    inline T name##_block(T* address, host::same<T> value) {                                \
        return name(address, value);                                                        \
    }                                                                                       \
    template <typename T>                                                                   \
    inline T name##_system(T* address, host::same<T> value) {                               \
        return name(address, value);                                                        \
    }

WARPATH_ATOMIC(atomicAdd, host::wrapping_add(old, value), int, unsigned, unsigned long long, float, double)
WARPATH_ATOMIC(atomicSub, T(unsigned(old) - unsigned(value)), int, unsigned)
WARPATH_ATOMIC(atomicMin, old < value ? old : value, int, unsigned, long long, unsigned long long)
WARPATH_ATOMIC(atomicMax, old > value ? old : value, int, unsigned, long long, unsigned long long)
WARPATH_ATOMIC(atomicExch, (void(old), value), int, unsigned, unsigned long long, float)
WARPATH_ATOMIC(atomicAnd, old& value, int, unsigned, unsigned long long)
WARPATH_ATOMIC(atomicOr, old | value, int, unsigned, unsigned long long)
WARPATH_ATOMIC(atomicXor, old ^ value, int, unsigned, unsigned long long)
WARPATH_ATOMIC(atomicInc, old >= value ? 0 : old + 1, unsigned)
WARPATH_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
#undef WARPATH_ATOMIC

template <typename T>
inline T atomicCAS(T* address, host::same<T> expected, host::same<T> value) {
    static_assert(host::one_of<T, int, unsigned, unsigned short, unsigned long long>,
                  "atomicCAS does not exist for this type");
    __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
