"""Pathak 2021, section 4.2: the two-kernel SSSP of Harish and Narayanan made correct with atomicMin."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset, sweep


@algorithm(paper="pathak2021", launches=sweep(block=[64, 128, 256, 512, 1024]))
def two_kernel(device, graph, launch):
    """One thread a vertex: marked ones relax into an updating array by atomicMin, a second kernel commits it."""
    shape = blocks_for(graph.vertices, launch.block), launch.block
    relax, commit = (kernel[shape] for kernel in device.kernels(__file__, "relax", "commit"))
    arcs = graph.offsets, graph.targets, graph.weights
    cost, updating = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    mask = device.xp.empty(graph.vertices, "bool")
    changed = device.flag()

    def solve(source):
        reset(cost, source)
        reset(updating, source)
        reset(mask, source, there=True, elsewhere=False)
        rounds, changing = 0, True
        while changing:
            changed.clear()
            relax(graph.vertices, *arcs, mask, cost, updating)
            commit(graph.vertices, mask, cost, updating, changed.array)
            changing = changed.read()
            rounds += 1
        return Solution(cost, iterations=rounds)

    return solve
