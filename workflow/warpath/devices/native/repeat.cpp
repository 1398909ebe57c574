// Calls a baseline's function many times, because one call of it may be shorter than what Python adds to it.

#include <utility>

namespace {

using Function = void (*)(...);

template <std::size_t>
using Argument = long long;

template <std::size_t... Number>
void repeat(Function function, const long long* arguments, long long calls, std::index_sequence<Number...>) {
    const auto typed = reinterpret_cast<void (*)(Argument<Number>...)>(function);
    for (long long call = 0; call < calls; ++call) typed(arguments[Number]...);
}

template <std::size_t... Count>
bool dispatch(Function function, const long long* arguments, std::size_t count, long long calls,
              std::index_sequence<Count...>) {
    return ((count == Count && (repeat(function, arguments, calls, std::make_index_sequence<Count>()), true)) || ...);
}

}  // namespace

// `arguments` are pointers and integers, each of 64 bits. Returns whether a function with so many can be called.
extern "C" bool repeat_calls(Function function, const long long* arguments, long long count, long long calls) {
    constexpr std::size_t most = 16;
    return dispatch(function, arguments, count, calls, std::make_index_sequence<most + 1>());
}
