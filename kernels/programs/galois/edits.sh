# The adapter has what gg_main did: memory is taken once, and only where it has a size. Errors are thrown. Nothing sorts,
# so ModernGPU is not needed, and a scan's memory is given back.
sed -i -e '/^void gg_main(CSRGraph& hg/,/^}/d' lonestar/analytics/gpu/bfs/bfs.cu lonestar/analytics/gpu/sssp/sssp.cu
cd libgpu/include
sed -i -e '/moderngpu/d' -e '/mgpu::context_t/d' -e '/mergesort(dwl/d' -e '/void sort_prio()/,/^  }/d' -e '/void sort() {$/,/^  }/d' \
    gg.h worklist.h aolist.h
sed -i -e '/static void check_cuda_error/,/^}/ { /fprintf/d; s/exit(1)/throw e/ }' gg.h
sed -i -e '/fprintf(stderr, "Cuda error/d' -e '/__LINE__, cudaGetErrorString/d' -e 's/exit(EXIT_FAILURE);/throw err;/' cutil_subset.h
sed -i -e 's/CUDA_SAFE_CALL(\(cudaFree(.*)\));/\1;/' gbar.cuh worklist.h
sed -i -e 's/^  Worklist(size_t nsize) {/  Worklist() {}\n&/' -e 's/Worklist2() : Worklist(0)/Worklist2()/' worklist.h
sed -i -e '/CachingDeviceAllocator/,+1d' -e 's/g_allocator.DeviceAllocate/cudaMalloc/' \
    -e '/cudaMalloc(&d_temp/a std::shared_ptr<void> kept(d_temp_storage, [](void* memory) { cudaFree(memory); });' thread_work.h
# Threads of a warp no longer run in step: which take part is asked once, and they wait for each other; threads of a block
# wait before what they share is written again. And floats were too short to divide by.
sed -i -e 's/__ballot_sync(0xffffffff, 1)/__activemask()/' -e 's/cub::LaneMaskLt()/((1u << (threadIdx.x \& 31)) - 1)/' cutil_subset.h
sed -i worklist.h -e 's/int first, total, offset, lindex = 0;/const unsigned there = __activemask(); &/' \
    -e 's/cub::ShuffleIndex<32>(lindex, first, 0xffffffff)/__shfl_sync(there, lindex, first)/' \
    -e 's/warp_active_count(first, offset, total);/first = __ffs(there) - 1, total = __popc(there), offset = __popc(there \& ((1u << (threadIdx.x \& 31)) - 1));/'
cd ../../lonestar/analytics/gpu
sed -i bfs/bfs.cu sssp/sssp.cu -e 's/cub::LaneId()/(threadIdx.x \& 31)/' -e 's/BlockScan(nps.temp_storage).*/& __syncthreads();/' \
    -e 's/if (nps.warp.owner\[warpid\] == _np_laneid)/__syncwarp(); &/' -e 's/index_type _np_w_start/__syncwarp(); &/' \
    -e 's/^ *index_type _np_w_size =.*/& __syncwarp();/' -e 's/^ *node = _np_closure\[nps.warp.src.*/& __syncwarp();/' \
    -e 's/unsigned int block_start_work;/__syncthreads(); &/' \
    -e 's/ceilf((float)(total_work) \/ (float) nthreads)/(total_work + nthreads - 1) \/ nthreads/'
