// A digest of memory on the device: of what must not change in a run, and of its answers. Shares nothing with the
// algorithms; every thread sums up for itself, then adds once.

enum : unsigned long long { ODD = 0x9e3779b97f4a7c15ull };

// A bijection of 64 bits in which every input bit reaches every output bit (the finalizer of splitmix64).
__device__ __forceinline__ unsigned long long mixed(unsigned long long bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
}

// Adds to *sum the sum, over all words, of the mixed pair (position, word): a changed word changes it, and so do two
// that have changed places.
extern "C" __global__ void digest(long long words, const unsigned* array, unsigned long long* sum) {
    const long long first = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    unsigned long long mine = 0;
    for (long long i = first; i < words; i += gridDim.x * (long long)blockDim.x)
        mine += mixed(static_cast<unsigned long long>(i) * ODD ^ array[i]);
    if (mine) atomicAdd(sum, mine);
}
