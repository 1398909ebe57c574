// Breadth-first search in one cooperative launch; the host waits once, for the end of the search.
//
// Returns the number of edges on a shortest path from the source to every vertex, UNREACHABLE where there is none.
//
// There are two searches. Both push from large frontiers, or pull towards them where that is less work: every unvisited
// vertex looks for a visited neighbour instead, and stops at the first. They differ where frontiers are small: in one,
// blocks meet after each level (walking.cuh), in the other after many (stretching.cuh). Roads are faster by stretches,
// meshes by walking; in one kernel they would be short of registers.
//
// Beamer, Asanovic and Patterson 2012, "Direction-Optimizing Breadth-First Search" (push and pull).

#if WALKS
#include "persistent/walking.cuh"
#else
#include "persistent/stretching.cuh"
#endif
