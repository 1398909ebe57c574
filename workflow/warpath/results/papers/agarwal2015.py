"""Agarwal and Dutta (2015): the two versions of Bellman-Ford that they compare, and a sequential one."""

BASIC, TWO_FLAGS, SERIAL = "sssp/bellman_ford", "sssp/two_flags", "sssp/cpu_bellman_ford"
