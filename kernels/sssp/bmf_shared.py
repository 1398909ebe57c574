"""Rejaud, section 2: Bellman-Ford (BMF) with a segmented scan in shared memory before the atomic."""

from warpath.algorithms import Solution, algorithm, configurations, reset, rounds_until_unchanged


@algorithm(paper="rejaud", launches=[*configurations(), *configurations(order=["source"])])
def bmf_shared(device, graph, launch):
    """A block finds the minimum for each target in shared memory, then one atomic each; by default sorted by target."""
    (edge_process,) = device.kernels(__file__, "edge_process", **graph.arc_width)
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list(launch.parameters.get("order", "target"))
    previous, current = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    changed = device.flag()

    def one_round(number):
        if number > 0:
            device.xp.copyto(previous, current)
        edge_process(graph.arcs, edges, previous, current, changed.array)

    def solve(source):
        reset(previous, source)
        reset(current, source)
        return Solution(current, iterations=rounds_until_unchanged(changed, one_round, most=graph.vertices - 1))

    return solve
