// Host loops for launches that take microseconds: a loop in Python would add as much.
//
// A round sets the flag to 0, launches its kernels and copies the flag back. Its clock runs from the launch until the
// copy is there, as in Singh 2017, figure 7: where the clock is read, a round waits until the flag is 0 before it
// begins.

#include <chrono>
#include <cstddef>
#include <utility>

namespace {

struct Rounds {
    long long count;
    double total_ms, last_ms;  // of all rounds, and of the last one
};

// Makes rounds of `launches` until one leaves the flag at 0, or `most` of them if that is positive. Returns the first
// error, or 0.
template <typename Clear, typename Launch, typename Read>
int run(Clear clear, Launch launch, long long launches, Read read, long long most, Rounds& rounds) {
    using Clock = std::chrono::steady_clock;
    rounds = {};
    for (int changed = 1; changed && (most <= 0 || rounds.count < most); ++rounds.count) {
        if (const int error = clear()) return error;
        const auto begin = Clock::now();
        for (long long i = 0; i < launches; ++i)
            if (const int error = launch(rounds.count * launches + i)) return error;
        if (const int error = read(changed)) return error;
        rounds.last_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        rounds.total_ms += rounds.last_ms;
    }
    return 0;
}

// Makes `most` rounds without a flag and without a clock.
template <typename Launch>
int repeat(Launch launch, long long launches, long long most, Rounds& rounds) {
    for (rounds = {}; rounds.count < most; ++rounds.count)
        for (long long i = 0; i < launches; ++i)
            if (const int error = launch(rounds.count * launches + i)) return error;
    return 0;
}

}  // namespace

// Functions of the driver's library, whose errors are numbers.
struct Driver {
    int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared_bytes, void* stream, void** arguments, void** extra);
    int (*to_device)(unsigned long long destination, const void* source, std::size_t bytes);
    int (*to_host)(void* destination, unsigned long long source, std::size_t bytes);
    int (*fill)(unsigned long long destination, unsigned value, std::size_t words, void* stream);
};

struct CudaLaunch {
    void* function;
    void** arguments;
    unsigned grid[3], block[3], shared_bytes;
};

// Launches in turn, on the default stream, with which copies synchronise; `flag` may be 0 for none.
extern "C" int rounds_on_cuda(const Driver* driver, const CudaLaunch* launches, long long count, long long of_a_round,
                              unsigned long long flag, int* pinned, int clocked, long long most, Rounds* rounds) {
    const auto launch = [=](long long number) {
        const CudaLaunch& next = launches[number % count];
        const unsigned *grid = next.grid, *block = next.block;
        return driver->launch(next.function, grid[0], grid[1], grid[2], block[0], block[1], block[2], next.shared_bytes,
                              nullptr, next.arguments, nullptr);
    };
    const auto clear = [&] {
        if (!clocked) return driver->fill(flag, 0, 1, nullptr);
        *pinned = 0;
        return driver->to_device(flag, pinned, sizeof *pinned);
    };
    const auto read = [&](int& changed) {
        const int error = driver->to_host(pinned, flag, sizeof *pinned);
        changed = *pinned;
        return error;
    };
    if (!flag) return repeat(launch, of_a_round, most, *rounds);
    return run(clear, launch, of_a_round, read, most, *rounds);
}

// A launch of the host device: warpath_launch of kernels/host, and its arguments.
struct HostLaunch {
    int (*launch)(const void* kernel, const void* configuration, void* dynamic_shared);
    const void *kernel, *configuration;
    void* dynamic_shared;
};

extern "C" int rounds_on_host(const HostLaunch* launches, long long count, long long of_a_round, int* flag,
                              long long most, Rounds* rounds) {
    const auto launch = [=](long long number) {
        const HostLaunch& next = launches[number % count];
        return next.launch(next.kernel, next.configuration, next.dynamic_shared);
    };
    const auto clear = [&] { return *flag = 0; };
    const auto read = [&](int& changed) { return changed = *flag, 0; };
    if (!flag) return repeat(launch, of_a_round, most, *rounds);
    return run(clear, launch, of_a_round, read, most, *rounds);
}

// A baseline's function, of which one call may be shorter than what Python adds to it. Its `arguments` are pointers and
// integers, each of 64 bits. Returns whether a function with so many can be called.
template <std::size_t... Number>
bool call(void* function, const long long* arguments, long long calls, std::index_sequence<Number...>) {
    const auto typed = reinterpret_cast<void (*)(decltype(arguments[Number] + 0)...)>(function);
    for (long long made = 0; made < calls; ++made) typed(arguments[Number]...);
    return true;
}

template <std::size_t... Count>
bool call_with(void* function, const long long* arguments, std::size_t count, long long calls,
               std::index_sequence<Count...>) {
    return ((count == Count && call(function, arguments, calls, std::make_index_sequence<Count>())) || ...);
}

extern "C" bool repeat_calls(void* function, const long long* arguments, long long count, long long calls) {
    constexpr std::size_t most = 16;
    return call_with(function, arguments, count, calls, std::make_index_sequence<most + 1>());
}
