// The block as its kernel sees it, and the description of a kernel for the runtime.
#pragma once

#include <type_traits>
#include <utility>

// Variables of the runtime's library. It is small, so its thread-local variables can have the fastest model.
#define WARPATH_RUNTIME __attribute__((visibility("default")))
#define WARPATH_BUILTIN extern thread_local WARPATH_RUNTIME __attribute__((tls_model("initial-exec")))
WARPATH_BUILTIN uint3 threadIdx;
WARPATH_BUILTIN uint3 blockIdx;
WARPATH_BUILTIN dim3 blockDim;
WARPATH_BUILTIN dim3 gridDim;
constexpr int warpSize = 32;

namespace host {

// The threads of the running block that have not begun yet. The running fiber takes one after another, so that a kernel
// without waits is a plain loop on one stack.
struct Unstarted {
    unsigned count;
    uint3 next;     // threadIdx of the next one
    bool together;  // a thread of the block has waited: from now on the runtime counts the threads that end
};
WARPATH_BUILTIN Unstarted unstarted;

// A place in the source, where a thread waits.
struct Place {
    const char* file;
    int line;
};
#define WARPATH_HERE host::Place here = {__builtin_FILE(), __builtin_LINE()}

struct Votes {
    unsigned in_favour;
    unsigned cast;
};

using Combine = uint64_t (*)(uint64_t, uint64_t);
enum class Exchange : uint8_t { sync, shuffle, ballot, match, reduce };

// Each waits for the other threads concerned, except those that have ended.
WARPATH_RUNTIME Votes synchronize_block(bool vote, Place here);
WARPATH_RUNTIME void synchronize_grid(Place here);
WARPATH_RUNTIME uint64_t exchange(Exchange kind, unsigned mask, uint64_t value, unsigned source, Combine combine,
                                  Place here);

WARPATH_RUNTIME void yield();
WARPATH_RUNTIME void thread_ended();
[[noreturn]] WARPATH_RUNTIME void fault(const char* what, Place here);

inline unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
inline unsigned lane() { return thread_rank() % warpSize; }

inline bool start_next_thread() {
    if (unstarted.count == 0) return false;
    --unstarted.count;
    uint3& next = unstarted.next;
    threadIdx = next;
    if (++next.x == blockDim.x) {
        next.x = 0;
        if (++next.y == blockDim.y) {
            next.y = 0;
            ++next.z;
        }
    }
    return true;
}

// A kernel for the runtime. `parameters` are their letters, a slash, and their digits: 'p' is a pointer to elements of
// so many bytes (0: unknown), 'i', 'u' and 'f' are signed, unsigned and floating numbers of so many bytes.
// `run_threads` runs the threads of a block.
struct Kernel {
    const char* name;
    const char* parameters;
    void (*run_threads)(void** arguments);
};

template <typename Function>
struct Exported;

template <typename... Parameters>
struct Exported<void (*)(Parameters...)> {
    static_assert((std::is_scalar_v<Parameters> && ...), "a kernel takes pointers and numbers");

    template <typename T>
    static constexpr char letter() {
        if (std::is_pointer_v<T>) return 'p';
        if (std::is_floating_point_v<T>) return 'f';
        return std::is_signed_v<T> ? 'i' : 'u';
    }

    template <typename T>
    static constexpr char digit() {
        using Element = std::remove_cv_t<std::remove_pointer_t<T>>;
        if constexpr (std::is_arithmetic_v<Element>) return '0' + sizeof(Element);
        return '0';
    }

    static constexpr char parameters[] = {(letter<Parameters>())..., '/', (digit<Parameters>())..., '\0'};

    template <void (*kernel)(Parameters...), size_t... position>
    static void unpack(void** arguments, std::index_sequence<position...>) {
        loop<kernel>(*static_cast<std::remove_cv_t<Parameters>*>(arguments[position])...);
    }

    template <void (*kernel)(Parameters...)>
    static void loop(Parameters... parameters) {
        while (start_next_thread()) {
            kernel(parameters...);
            if (unstarted.together) thread_ended();
        }
    }

    template <void (*kernel)(Parameters...)>
    static void run_threads(void** arguments) {
        unpack<kernel>(arguments, std::index_sequence_for<Parameters...>());
    }
};

}  // namespace host

#define WARPATH_EXPORT(name)                                                \
    extern "C" WARPATH_RUNTIME const host::Kernel warpath_kernel_##name = { \
        #name, host::Exported<decltype(&name)>::parameters, host::Exported<decltype(&name)>::run_threads<&name>};
