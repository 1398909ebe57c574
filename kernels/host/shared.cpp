// Dynamic shared memory: every `extern __shared__ T dynamic_shared[]` of a kernel, whatever its T, is this array.
#include <cstddef>

constexpr size_t most_shared = 227 * 1024;  // what a block may have on sm_90, the largest of all architectures

alignas(128) thread_local __attribute__((visibility("hidden"))) char dynamic_shared[most_shared];

extern "C" __attribute__((visibility("default"))) char* warpath_dynamic_shared() { return dynamic_shared; }
