# Its graph without cuGraph's headers, of which it is made there.
sed -i -e '/graph_view.hpp/d' -e '/template <bool is_csc_>/,/^  }/d' cpp/include/cugraph/aai/compact_graph.hpp
# All threads of a warp take part where all are asked, and each vertex that is found counts.
sed -i cpp/src/aai/impl/a100/traversal/bfs.cu \
    -e 's/e = start + lane; e < end;/e = start + lane; e - lane < end;/' -e 's/dst = indices\[e\]/dst = indices[min(e, end - 1)]/' \
    -e '/__ballot_sync(0xffffffffu, discovered)/,/atomicAdd(discovered_count/c if (discovered) atomicAdd(discovered_count, 1);'
