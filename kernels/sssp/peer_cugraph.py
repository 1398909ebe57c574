"""cuGraph's shortest paths on the GPU, by its own call of pylibcugraph, whose weights are floating point numbers.

float64 holds every distance of ours; float32 is the faster, and refused where a distance is too long for it.
"""

import math

from warpath.algorithms import Solution, algorithm, sweep


@algorithm(
    device="peer_gpu",
    library="pylibcugraph",
    launches=sweep(numbering=["given", "renumbered"], precision=["float32", "float64"]),
)
def peer_cugraph(device, graph, launch):
    """cuGraph: sssp."""
    from pylibcugraph import sssp

    from warpath.peers import cugraph

    handle, made = cugraph.built(graph, launch.numbering == "renumbered", graph.weights.astype(launch.precision))

    def solve(source):
        vertices, found, _ = cugraph.call(sssp, handle, made, source, math.inf, True, False)
        return Solution(lambda: cugraph.distances(device, vertices, found), iterations=1)

    return solve
