#include "warpath.cuh"

extern "C" __global__ void spin() {
    for (volatile int forever = 1; forever;) {
    }
}
