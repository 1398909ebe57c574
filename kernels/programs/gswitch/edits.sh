# Both applications in one library, which have one set of variables and the adapter's active set, taken once; errors are
# for the adapter to see; queues have room for vertices that enter twice, and need no clearing; a graph that is directed
# keeps its vertices; what CUDA 13 no longer has goes.
sed -i -e 's/active_set_t as = build_active_set.*/active_set_t \&as = *active_set; as.reset();/' -e '/^int main/,/^}/d' \
    application/*.cu
sed -i -e '/^[a-z]*_t [a-z]*;$/d' -e '/^void validation/,/^}/d' -e 's/\bG\b/Weighted/g' application/sssp.cu
sed -i src/utils/utils.cuh -e '/printf("%s in %s at line/d' -e '/exit(EXIT_FAILURE)/d' -e '/^void query_device_prop/,/^}/d'
sed -i -e 's/prop.\(memoryClockRate\|clockRate\)/0/' deps/moderngpu/src/moderngpu/context.hxx
sed -i -e '/global_helper.build/d' -e 's/if (!quiet && !with_weight/& \&\& !directed/' src/gswitch.h src/utils/fileIO.cuh
sed -i -e 's/cudaHostAlloc(\(.*\), cudaHostAllocMapped)/cudaMallocHost(\1)/' src/data_structures/notification.cuh
sed -i src/data_structures/queue.cuh -e 's/\.build(size)/.build(size + (1 << 20))/g' -e '/CLEAN(dg_queue, max_size)/d'
# Threads of a warp no longer run in step: who takes part is said, and they wait for each other. And words were as many
# as bytes, so that it read beyond their end.
sed -i src/kernel_libs/expand_VC_WM.cuh -e 's/int nedges_warp = 0;\|int full_tier\|\/\/ step 1/__syncwarp(); &/' \
    -e 's/offset [<>]*= 1;/& __syncwarp();/' -e 's/^ *nedges_warp = tmp.*/& __syncwarp();/'
sed -i src/kernel_libs/expand_VC_TM.cuh -e 's/_shfl(inactive, l)/__shfl_sync(~0u, inactive, l)/' \
    -e 's/= as.bitmap.inactive.n_words/= (as.bitmap.inactive.n_words + 3) \/ 4/'
sed -i src/abstraction/inspector.cuh \
    -e 's/_ballot(/__ballot_sync(as.size - (idx - lane) < 32 ? (1u << as.size - (idx - lane)) - 1 : ~0u, /'
sed -i src/kernel_libs/filter.cuh -e 's/idx < n_bytes/idx < ALIGN(n_bytes, 32)/' -e 's/warpScan(/__syncwarp(); &/' \
    -e 's/bits2\[idx\];/idx < n_bytes ? bits2[idx] : ~0;/' -e 's/= \(~\?bits[12]\?\[idx\]\);/= idx < n_bytes ? \1 : 0;/'
