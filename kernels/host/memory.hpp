// Loads and stores with a cache hint, fences and clocks. The CPU ignores the hints; its caches are coherent.
#pragma once

#include <chrono>

#define WARPATH_LOAD(name)            \
    template <typename T>             \
    inline T name(const T* address) { \
        return *address;              \
    }
WARPATH_LOAD(__ldg)
WARPATH_LOAD(__ldca)
WARPATH_LOAD(__ldcs)
WARPATH_LOAD(__ldlu)
#undef WARPATH_LOAD

// These two read what other blocks may have written meanwhile, so the compiler must not reuse an earlier value.
template <typename T>
inline T __ldcg(const T* address) {
    T value;
    __atomic_load(const_cast<T*>(address), &value, __ATOMIC_RELAXED);
    return value;
}
template <typename T>
inline T __ldcv(const T* address) {
    return __ldcg(address);
}

#define WARPATH_STORE(name)                                \
    template <typename T>                                  \
    inline void name(T* address, T value) {                \
        __atomic_store(address, &value, __ATOMIC_RELAXED); \
    }
WARPATH_STORE(__stcg)
WARPATH_STORE(__stwb)
WARPATH_STORE(__stcs)
WARPATH_STORE(__stwt)
#undef WARPATH_STORE

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline void __nanosleep(unsigned) { host::yield(); }
[[noreturn]] inline void __trap(WARPATH_HERE) { host::fault("__trap()", here); }
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : host::fault("assert(" #condition ") does not hold", {__FILE__, __LINE__}))
#endif

inline long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
#define clock() int(clock64())
