# Memory of the card instead of managed memory, taken once; depths are the caller's; a queue with room for more than 1.5
# entries a vertex, as a vertex enters again when its depth sinks; a scan for as many threads as are started; all threads
# of a block stop or none, as else those left take vertices for themselves; errors are thrown, and nothing is printed.
sed -i -e '/^ *std::cout/d' -e '/cudaMallocManaged(&\(depth\|worklists.execute\)/d' -e '/cudaMemset(depth/d' \
    -e 's/cudaMallocManaged/cudaMalloc/' -e 's/nodes\*1.5/nodes*4.0/' -e 's/int, 576, cub::BLOCK_SCAN_RAKING,1,1,700/int, 512/' \
    -e 's/if(\(\*(q.stop) == gridDim.x\*q.num_queues\))/if(__syncthreads_or(\1))/' \
    single-GPU/bfs/bfs_cta.cuh single-GPU/queue/queue.cuh
sed -i '1,/exit(EXIT_FAILURE)/ { /fprintf/,/__FILE__/d; s/exit(EXIT_FAILURE)/throw err/ }' util/error_util.cuh
