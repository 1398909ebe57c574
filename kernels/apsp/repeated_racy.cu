// All pairs by the SSSP from every vertex in turn that loses updates, as published; the kernels are those of sssp/racy.
//
// Returns the matrix of the cost of some path between every two vertices, not always a cheapest; UNREACHABLE where
// there is none. apsp/repeated_sssp is the correction.
//
// Launches: two a round of each source.
//
// Harish and Narayanan 2007, algorithm 7, with its own algorithms 4 and 5.
// Corrected: it does not reset the costs to infinity between sources, nor the source's updating cost to 0.

#include "../sssp/racy.cu"
