"""Rejaud, section 2: Bellman-Ford (BMF) with edges split among warps, distances copied outside the kernel."""

from warpath.algorithms import Solution, algorithm, reset

CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]
ORDERS = ["source", "target"]


@algorithm(paper="rejaud", launches=[{"block": b, "grid": g, "order": o} for b, g in CONFIGURATIONS for o in ORDERS])
def bmf_outcore(device, graph, launch):
    """Every edge in every round, a contiguous load a warp; one distance array is read and another written."""
    (edge_process,) = device.kernels(__file__, "edge_process")
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list(launch.order)
    previous, current = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    changed = device.flag()

    def solve(source):
        reset(previous, source)
        reset(current, source)
        rounds, changing = 0, True
        while changing and rounds < graph.vertices - 1:
            changed.clear()
            edge_process(graph.arcs, edges, previous, current, changed.array)
            changing = changed.read()
            if changing:
                device.xp.copyto(previous, current)
            rounds += 1
        return Solution(current, iterations=rounds)

    return solve
