// Cooperative groups, as far as graph kernels use them: the grid, the block, and tiles of a warp.
#pragma once

namespace cooperative_groups {

struct grid_group {
    void sync(WARPATH_HERE) const { host::synchronize_grid(here); }
    bool is_valid() const { return true; }
    unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
    unsigned long long num_threads() const { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
    unsigned long long size() const { return num_threads(); }
    unsigned long long block_rank() const {
        return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    unsigned long long thread_rank() const {
        return block_rank() * blockDim.x * blockDim.y * blockDim.z + host::thread_rank();
    }
};

struct thread_block {
    static void sync(WARPATH_HERE) { host::synchronize_block(false, here); }
    static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank() { return host::thread_rank(); }
    static uint3 group_index() { return blockIdx; }
    static uint3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
};

inline grid_group this_grid() { return {}; }
inline thread_block this_thread_block() { return {}; }
inline void sync(const grid_group&, WARPATH_HERE) { host::synchronize_grid(here); }
inline void sync(const thread_block&, WARPATH_HERE) { host::synchronize_block(false, here); }

template <unsigned lanes, typename Parent = void>
struct thread_block_tile {
    static_assert(lanes >= 1 && lanes <= 32 && (lanes & (lanes - 1)) == 0, "a tile is a power of two of lanes");

    static constexpr unsigned size() { return lanes; }
    static constexpr unsigned num_threads() { return lanes; }
    unsigned thread_rank() const { return host::lane() % lanes; }
    unsigned meta_group_rank() const { return host::thread_rank() / lanes; }
    unsigned meta_group_size() const { return (thread_block::size() + lanes - 1) / lanes; }

    void sync(WARPATH_HERE) const { __syncwarp(mask(), here); }
    int any(int predicate, WARPATH_HERE) const { return __any_sync(mask(), predicate, here); }
    int all(int predicate, WARPATH_HERE) const { return __all_sync(mask(), predicate, here); }
    unsigned ballot(int predicate, WARPATH_HERE) const { return __ballot_sync(mask(), predicate, here) >> first(); }
    template <typename T>
    unsigned match_any(T value, WARPATH_HERE) const {
        return __match_any_sync(mask(), value, here) >> first();
    }
    template <typename T>
    T shfl(T value, int source, WARPATH_HERE) const {
        return __shfl_sync(mask(), value, source, lanes, here);
    }
    template <typename T>
    T shfl_up(T value, unsigned delta, WARPATH_HERE) const {
        return __shfl_up_sync(mask(), value, delta, lanes, here);
    }
    template <typename T>
    T shfl_down(T value, unsigned delta, WARPATH_HERE) const {
        return __shfl_down_sync(mask(), value, delta, lanes, here);
    }
    template <typename T>
    T shfl_xor(T value, unsigned change, WARPATH_HERE) const {
        return __shfl_xor_sync(mask(), value, change, lanes, here);
    }

  private:
    static unsigned first() { return host::lane() & ~(lanes - 1); }
    static unsigned mask() { return (lanes == 32 ? ~0u : (1u << lanes % 32) - 1) << first(); }
};

template <unsigned lanes, typename Parent>
inline thread_block_tile<lanes> tiled_partition(const Parent&) {
    return {};
}

}  // namespace cooperative_groups
