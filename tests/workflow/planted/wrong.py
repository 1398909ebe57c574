"""An algorithm whose answers are wrong."""

from warpath.algorithms import Solution, algorithm, reset


@algorithm(launches=[{"block": 64}])
def wrong(device, graph, launch):
    """Leave every vertex but the source unreached."""
    distance = device.xp.empty(graph.vertices, "uint32")

    def solve(source):
        reset(distance, source)
        return Solution(distance, iterations=0)

    return solve
