"""Rejaud, section 3: To-Process-Edge (TPE) with two distance arrays, and the filter as its text has it."""

from warpath.algorithms import UNREACHABLE, Laps, Solution, algorithm, configurations, reset

THREADS = 64  # of the filter kernel's only block: one for each warp of a configuration, at most


@algorithm(paper="rejaud", launches=configurations(order=["source", "target"]))
def tpe_outcore_one_scan(device, graph, launch):
    """As tpe_outcore, but edges are looked at once: a warp lists them, and one block copies the lists."""
    xp, n, shape = device.xp, graph.vertices, (launch.grid, launch.block)
    find, filter_, edge_process = device.kernels(__file__, "find", "filter", "edge_process", **graph.arc_width)
    find, filter_, edge_process = find[shape], filter_[1, THREADS], edge_process[shape]
    edges = graph.edge_list(launch.order)
    warps = launch.grid * launch.block // 32
    counts = xp.empty(warps, "int32")
    found, to_process = (xp.empty(graph.arcs, graph.arc_type) for _ in range(2))
    previous, current = (xp.empty(n, "uint32") for _ in range(2))
    size, filtering, computing = device.flag(graph.arc_type), Laps(device), Laps(device)

    def phases():
        return {"filter_ms": filtering.milliseconds(), "compute_ms": computing.milliseconds()}

    def solve(source):
        previous.fill(UNREACHABLE)
        reset(current, source)
        filtering.begin()
        computing.begin()
        rounds = 0
        while rounds < n - 1:
            filtering.start()
            find(graph.arcs, edges, previous, current, found, counts)
            filter_(warps, graph.arcs, counts, found, size.array, to_process)
            filtering.stop()
            count = size.read()
            if count == 0:
                break
            computing.start()
            xp.copyto(previous, current)
            edge_process(count, to_process, edges, previous, current)
            computing.stop()
            rounds += 1
        return Solution(current, rounds, phases=phases)

    return solve
