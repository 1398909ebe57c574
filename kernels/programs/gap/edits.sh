# Delta-stepping writes past the end of its frontier where a bin gets more entries than the graph has arcs, as it does
# when a vertex is reached again and again. What does not fit now stays in the thread's bin, for the next round.
sed -i src/sssp.cc \
    -e 's/frontier(g.num_edges_directed())/frontier(g.num_edges_directed() + 1)/' \
    -e 's/i < curr_frontier_tail;/i < min(curr_frontier_tail, frontier.size());/' \
    -e '/size_t copy_start/,/resize(0)/ {
        s/copy(local.*begin()/size_t room = frontier.size() - min(frontier.size(), copy_start);\
        size_t left = local_bins[next_bin_index].size() - min(local_bins[next_bin_index].size(), room);\
        & + left/
        s/resize(0)/resize(left)/
    }'
