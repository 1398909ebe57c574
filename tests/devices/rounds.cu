// Counts down in two numbers by turns, as a search alternates between two frontiers.

#include "warpath.cuh"

extern "C" __global__ void count_down(int* own, const int* other, int* changed) {
    if (threadIdx.x == 0 && --*own + *other > 0) *changed = 1;
}
