// All pairs by SSSP from every vertex in turn; the kernels are those of sssp/two_kernel.
//
// Returns the matrix of the cost of a cheapest path between every two vertices, UNREACHABLE where there is none.
//
// Sources run one after the other, so the device holds O(V) beside the graph. Each row is copied to the host, where the
// answer of O(V x V) is. For sparse graphs this is less work than V cubed, and fits where a matrix does not.
//
// Launches: two a round of each source.
//
// Harish and Narayanan 2007, algorithm 7; Pathak et al. 2021, algorithm 13, with the correction of its section 4.2.
// Corrected, as in algorithm 13: algorithm 7 does not reset the costs to infinity between sources, nor the source's
// updating cost to 0. Left out, as in algorithm 12: the last line of algorithm 5, U <- C, which changes nothing.

#include "../sssp/two_kernel.cu"
