"""cuGraph's breadth-first search on the GPU, by its own call of pylibcugraph, without parents."""

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

    from warpath.devices.errors import UnsupportedLaunch
    from warpath.peers import cugraph

    switching = launch.direction == "switching"
    if switching and graph.directed:
        raise UnsupportedLaunch("cuGraph: a search switches its direction on undirected graphs only")
    handle, made = cugraph.built(graph, launch.numbering == "renumbered")
    start = device.xp.empty(1, "int32")

    def solve(source):
        start.fill(source)
        found, _, vertices = cugraph.call(bfs, handle, made, start, switching, NO_LIMIT, False, False)
        return Solution(lambda: cugraph.distances(device, vertices, found), iterations=1)

    return solve
