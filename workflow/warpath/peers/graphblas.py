"""The loop that a user of GraphBLAS writes for shortest paths, for one row of distances or for a matrix of them."""

from graphblas import binary, semiring

# Longer than any path, and a path more still fits: a distance is always there, and each round costs what falls in it.
INFINITE = 2**62


def relax(distance, fallen, matrix):
    """Lower `distance`, full of INFINITE, from what is in `fallen` on, until nothing falls; returns the rounds."""
    rounds = 0
    while fallen.nvals:
        distance(binary.min) << fallen
        reached = semiring.min_plus(fallen @ matrix).new()
        lower = binary.lt(reached & distance).new()
        fallen = reached.dup(mask=lower.V)
        rounds += 1
    distance.wait()
    return rounds
