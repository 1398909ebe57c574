"""Shortest paths as users of GraphBLAS write them, for one row of distances or for a matrix of them."""

from graphblas import binary, semiring

# More than any path, and adding a path does not overflow: no distance is ever missing, so a round costs what it lowers.
INFINITE = 2**62


def relax(distance, frontier, matrix):
    """Lower `distance`, filled with INFINITE, from the entries of `frontier` until nothing falls; return the rounds."""
    rounds = 0
    while frontier.nvals:
        distance(binary.min) << frontier
        reached = semiring.min_plus(frontier @ matrix).new()
        lower = binary.lt(reached & distance).new()
        frontier = reached.dup(mask=lower.V)
        rounds += 1
    distance.wait()
    return rounds
