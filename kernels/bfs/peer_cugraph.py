"""cuGraph's breadth-first search on the GPU, called through pylibcugraph, without parents."""

from warpath.algorithms import Solution, algorithm, sweep

NO_LIMIT = -1


@algorithm(
    device="peer_gpu",
    library="pylibcugraph",
    launches=sweep(numbering=["given", "renumbered"], direction=["push", "switching"]),
)
def peer_cugraph(device, graph, launch):
    """cuGraph: bfs."""
    from pylibcugraph import bfs

    from warpath.algorithms.peers import cugraph
    from warpath.devices.errors import UnsupportedLaunch

    switching = launch.direction == "switching"
    if switching and graph.directed:
        raise UnsupportedLaunch("cuGraph: a search switches its direction on undirected graphs only")
    handle, converted = cugraph.built(graph, launch.numbering == "renumbered")
    start = device.xp.empty(1, "int32")

    def solve(source):
        start.fill(source)
        distances, _, vertices = cugraph.call(bfs, handle, converted, start, switching, NO_LIMIT, False, False)
        return Solution(lambda: cugraph.distances(device, vertices, distances), iterations=1)

    return solve
