// Asynchronous copies from global to shared memory. A copy is allowed to be done at once, and here it is.
#pragma once

inline void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zero_fill = 0) {
    memcpy(shared, global, bytes - zero_fill);
    memset(static_cast<char*>(shared) + bytes - zero_fill, 0, zero_fill);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
