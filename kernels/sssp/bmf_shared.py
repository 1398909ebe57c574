"""Rejaud, section 2: Bellman-Ford (BMF) with a segmented scan in shared memory before the atomic."""

from warpath.algorithms import Solution, algorithm, reset

CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]


@algorithm(paper="rejaud", launches=[{"block": b, "grid": g} for b, g in CONFIGURATIONS])
def bmf_shared(device, graph, launch):
    """Edges sorted by target; a block finds the minimum for each target in shared memory, then one atomic each."""
    (edge_process,) = device.kernels(__file__, "edge_process")
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list("target")
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
