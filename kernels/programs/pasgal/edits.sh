# Distances are 32 bits wide and would wrap. From a vertex farther than a signed number goes the search does not go on
# here; the adapter sees such vertices in the answer.
sed -i src/SSSP/sssp.h \
    -e '/void add_to_frontier(NodeId v) {/a if (dist[v] > INT_MAX) return;' \
    -e '/void visit_neighbors_parallel(NodeId u) {/a if (dist[u] > INT_MAX) return;' \
    -e '/size_t &rear) {/a if (dist[u] > INT_MAX) return;' \
    -e 's/dist\[v\] != DIST_MAX/dist[v] <= INT_MAX/'
