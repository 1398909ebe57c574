// A gate (gate.cuh) that a block awaits for a bulk copy, with arguments for mistakes that a GPU would hang on.

#include "gate.cuh"

#if !BULK_COPIES
#error needs sm_90 or later
#endif

// Copies 64 words from `from + shift` on and expects `bytes`; awaits the gate after `late` rounds too many.
extern "C" __global__ void copy_through_gate(int shift, int bytes, int late, const unsigned* from, unsigned* to) {
    __shared__ __align__(16) unsigned words[64];
    __shared__ Gate gate;
    if (threadIdx.x == 0) gate.set_up(1);
    __syncthreads();
    for (int round = 0; round <= late; ++round) {
        if (threadIdx.x == 0) {
            gate.copy_bulk(words, from + shift, sizeof words);
            gate.arrive_expecting(bytes);
        }
        __syncthreads();
    }
    gate.await(0);
    to[threadIdx.x] = words[threadIdx.x];
}
