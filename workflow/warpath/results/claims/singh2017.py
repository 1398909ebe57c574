"""What Singh concluded on a GeForce GTX 780."""

from warpath.results import select, style
from warpath.results.claims._sides import best, over
from warpath.results.claims._verdict import ask, counted
from warpath.results.evidence import Count, Graphs, absent, at_least, fastest

GRAPHS = Graphs("the paper's graphs", ["singh-10", "singh-22", "singh-64"])
CPU, GPU = "bfs/cpu_queue", "bfs/frontier_struct"
BLOCK = 512  # threads, as in the paper


def claims(evidence):
    yield ask(
        "speedup",
        "section 5, figure 8",
        "Even on 10 to 64 vertices BFS on a GPU is 12 to 25 times faster than on a CPU.",
        "bfs/cpu_queue over bfs/frontier_struct with 512 threads a block; holds from 12.",
        over(evidence, best(CPU), best(GPU, block=BLOCK), GRAPHS),
        at_least(12),
        _of_all_calls(evidence),
    )
    calls = dict(_calls(evidence))
    yield counted(
        "kernel-calls-follow-levels",
        "section 5, figures 8 and 9",
        "The kernel is called once a level of the graph: 3, 5, 7 and 13 times.",
        "Kernel launches of bfs/frontier_struct from vertex 0, on any device, against the printed counts. The paper "
        "does not give its graphs of 10, 22 and 64 vertices: ours were made with as many levels, only that of 5 tells.",
        Count(", ".join(calls), calls, absent(evidence, [GPU], GRAPHS.called)),
    )


def _of_all_calls(evidence):
    """The paper's timer is reset in every round (figure 7): what it prints is the time of the last kernel call."""
    printed = {
        quantity: select.printed(evidence.published, "singh2017", quantity).set_index(["graph", "algorithm"])["value"]
        for quantity in ("time", "kernel calls")
    }
    factors = [
        printed["time"][graph, CPU] / (printed["time"][graph, GPU] * printed["kernel calls"][graph, GPU])
        for graph in GRAPHS.names
    ]
    return (
        "The paper compares all of the CPU's time with that of the last kernel call; by printed time times calls its "
        f"own table gives {', '.join(map(style.factor, factors))}."
    )


def _calls(evidence):
    """For every graph: what was counted beside what is printed, and whether they agree."""
    printed = select.printed(evidence.published, "singh2017", "kernel calls")
    for graph, calls in zip(printed["graph"], printed["value"], strict=True):
        if row := fastest(evidence, [GPU], graph, block=BLOCK):
            yield f"{row['kernel_launches']:g} on {graph} (printed: {calls:g})", row["kernel_launches"] == calls
