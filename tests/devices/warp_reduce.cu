// The reductions in hardware, since sm_80.

#include "warpath.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error needs sm_80 or later
#endif

extern "C" __global__ void reduce(unsigned mask, const int* values, int* sum, int* least, int* most, unsigned* both,
                                  unsigned* either, unsigned* odd, unsigned* most_unsigned) {
    const long long i = thread_index();
    if (!(mask >> lane_index() & 1)) return;
    const int value = values[i];
    const unsigned bits = value;
    sum[i] = __reduce_add_sync(mask, value);
    least[i] = __reduce_min_sync(mask, value);
    most[i] = __reduce_max_sync(mask, value);
    both[i] = __reduce_and_sync(mask, bits);
    either[i] = __reduce_or_sync(mask, bits);
    odd[i] = __reduce_xor_sync(mask, bits);
    most_unsigned[i] = __reduce_max_sync(mask, bits);
}
