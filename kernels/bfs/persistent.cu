// Breadth-first search in one cooperative launch; the host waits once, for the end of the search.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// There are three searches; preparing takes the one that suits the kind of graph. Two of them push from large
// frontiers, or pull towards them where that is less work (search.cuh); where frontiers are small, blocks meet after
// many levels in the one (stretching.cuh), after each level in the other (walking.cuh). Small graphs are kept in shared
// memory, and blocks tell each other all that is visited (exchanging.cuh).
//
// Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search" (push and pull).

#if WAY == 0 || WAY == 1
#include "persistent/search.cuh"
#else
#include "persistent/exchanging.cuh"
#endif
