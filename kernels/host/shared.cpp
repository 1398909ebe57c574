// Dynamic shared memory: `extern __shared__ T dynamic_shared[]` of any kernel and any T is this array.
alignas(128) thread_local __attribute__((visibility("hidden"))) char dynamic_shared[WARPATH_MAX_SHARED];

extern "C" __attribute__((visibility("default"))) char* warpath_dynamic_shared() { return dynamic_shared; }
