"""Agarwal and Dutta (2015): the two versions of Bellman-Ford that they compare."""

BASIC, TWO_FLAGS = "sssp/bellman_ford", "sssp/two_flags"
