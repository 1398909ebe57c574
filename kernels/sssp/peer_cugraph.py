"""cuGraph's shortest paths on the GPU, called through pylibcugraph, with floating-point weights.

float64 holds every distance exactly. float32 is faster, and refused where a distance is too long for it.
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

    from warpath.algorithms.peers import cugraph

    handle, converted = cugraph.built(graph, launch.numbering == "renumbered", graph.weights.astype(launch.precision))

    def solve(source):
        vertices, distances, _ = cugraph.call(sssp, handle, converted, source, math.inf, True, False)
        return Solution(lambda: cugraph.distances(device, vertices, distances), iterations=1)

    return solve
