// Every intrinsic that exchanges values between the lanes of a warp; the test gives the mask.

#include "warpath.cuh"

extern "C" __global__ void shuffle(unsigned mask, int argument, int width, const int* values, int* indexed, int* up,
                                   int* down, int* crossed, long long* wide) {
    const long long i = thread_index();
    if (!(mask >> lane_index() & 1)) return;
    indexed[i] = __shfl_sync(mask, values[i], argument, width);
    up[i] = __shfl_up_sync(mask, values[i], argument, width);
    down[i] = __shfl_down_sync(mask, values[i], argument, width);
    crossed[i] = __shfl_xor_sync(mask, values[i], argument, width);
    wide[i] = __shfl_sync(mask, values[i] * 10000000000ll, argument, width);
}

extern "C" __global__ void shuffle_floats(const float* values, const double* doubles, float* out, double* out_doubles) {
    out[threadIdx.x] = __shfl_xor_sync(ALL_LANES, values[threadIdx.x], 1);
    out_doubles[threadIdx.x] = __shfl_down_sync(ALL_LANES, doubles[threadIdx.x], 3);
}

extern "C" __global__ void vote(unsigned mask, const int* choices, unsigned* ballot, int* any, int* all) {
    const long long i = thread_index();
    if (!(mask >> lane_index() & 1)) return;
    ballot[i] = __ballot_sync(mask, choices[i]);
    any[i] = __any_sync(mask, choices[i]);
    all[i] = __all_sync(mask, choices[i]);
}

// Even and odd lanes diverge, loop a different number of times, and reconverge.
extern "C" __global__ void diverge(int* sums) {
    const unsigned lane = threadIdx.x % 32;
    int sum = 0;
    if (lane % 2) {
        for (int round = 0; round < 5; ++round)
            sum += __shfl_xor_sync(0xaaaaaaaa, lane, 2) + __popc(__ballot_sync(0xaaaaaaaa, 1));
    } else {
        for (int round = 0; round < 3; ++round) sum += __shfl_xor_sync(0x55555555, lane, 4);
    }
    __syncwarp();
    sums[threadIdx.x] = sum + __shfl_sync(ALL_LANES, sum, 31);
}

// Lane l leaves after l rounds; the others continue with the mask of the remaining lanes.
extern "C" __global__ void leave(unsigned* ballots) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned round = 0; round < 32; ++round) {
        if (lane < round) return;
        const unsigned mask = ALL_LANES << round;
        ballots[32 * threadIdx.x + round] = __ballot_sync(mask, lane % 3 == 0);
    }
}

// Lanes exchange through shared memory, separated by __syncwarp alone.
extern "C" __global__ void pass_on(int* values) {
    __shared__ int buffer[1024];
    buffer[threadIdx.x] = values[threadIdx.x];
    __syncwarp();
    values[threadIdx.x] = buffer[(threadIdx.x & ~31u) + (threadIdx.x + 1) % 32];
}

extern "C" __global__ void match(unsigned mask, const int* values, const long long* wide, unsigned* same,
                                 unsigned* same_wide) {
    const long long i = thread_index();
    if (!(mask >> lane_index() & 1)) return;
    same[i] = __match_any_sync(mask, values[i]);
    same_wide[i] = __match_any_sync(mask, wide[i]);
}

extern "C" __global__ void scan(const unsigned* values, unsigned* sums) {
    sums[threadIdx.x] = warp_inclusive_sum(values[threadIdx.x]);
}
