"""Rejaud, section 2: Bellman-Ford (BMF) with edges split among warps and one distance array."""

from warpath.algorithms import Solution, algorithm, reset

CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]
ORDERS = ["source", "target"]


@algorithm(paper="rejaud", launches=[{"block": b, "grid": g, "order": o} for b, g in CONFIGURATIONS for o in ORDERS])
def bmf_incore(device, graph, launch):
    """Every edge in every round, a contiguous load a warp; one distance array, updated inside the kernel."""
    (edge_process,) = device.kernels(__file__, "edge_process")
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list(launch.order)
    distance = device.xp.empty(graph.vertices, "uint32")
    changed = device.flag()

    def solve(source):
        reset(distance, source)
        rounds, changing = 0, True
        while changing and rounds < graph.vertices - 1:
            changed.clear()
            edge_process(graph.arcs, edges, distance, changed.array)
            changing = changed.read()
            rounds += 1
        return Solution(distance, iterations=rounds)

    return solve
