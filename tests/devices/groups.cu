// Cooperative groups by the names of the CUDA toolkit.

#include <cooperative_groups.h>
#include "warpath.cuh"

namespace groups = cooperative_groups;

extern "C" __global__ void total(const int* values, int* sums, int* grand_total) {
    const auto grid = groups::this_grid();
    const auto block = groups::this_thread_block();
    const auto tile = groups::tiled_partition<8>(block);
    int sum = values[grid.thread_rank()];
    for (int distance = tile.size() / 2; distance; distance /= 2) sum += tile.shfl_xor(sum, distance);
    if (tile.thread_rank() == 0) atomicAdd(&sums[blockIdx.x], sum);
    block.sync();
    grid.sync();
    if (grid.thread_rank() == 0) {
        for (unsigned i = 0; i < gridDim.x; ++i) *grand_total += sums[i];
    }
    const unsigned votes = tile.ballot(tile.thread_rank() % 2);
    if (votes != 0xaa || tile.any(0) || !tile.all(1)) *grand_total = -1;
    if (tile.shfl(static_cast<int>(tile.thread_rank()), 3) != 3) *grand_total = -2;
}
