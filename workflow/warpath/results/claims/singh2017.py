"""What Singh concluded on a GeForce GTX 780."""

from warpath.results import select, style
from warpath.results.claims._sides import best, ratios
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.evidence import Count, Graphs, at_least, fastest, missing_reason
from warpath.results.papers.singh2017 import BLOCK, CPU, GPU, TIMED

GRAPHS = Graphs("the paper's graphs", TIMED)


def claims(evidence):
    yield judge_times(
        "speedup",
        "section 5, figure 8",
        "Even on 10 to 64 vertices, BFS on a GPU is 12 to 25 times faster than on a CPU.",
        "Time of bfs/cpu_queue over that of bfs/frontier_struct with 512 threads a block; holds from 12.",
        ratios(evidence, best(CPU), best(GPU, block=BLOCK), GRAPHS),
        at_least(12),
        _by_all_calls(evidence),
    )
    calls = dict(_calls(evidence))
    yield judge_count(
        "kernel-calls-follow-levels",
        "section 5, figures 8 and 9",
        "The kernel is called once for each level of the graph: 3, 5, 7 and 13 times.",
        "Kernel launches of bfs/frontier_struct from vertex 0, on any device, against the printed counts. The paper "
        "does not give its graphs of 10, 22 and 64 vertices; those here were made to have as many levels, so only the "
        "graph of 5 vertices is evidence.",
        Count(", ".join(calls), calls, missing_reason(evidence, [GPU], GRAPHS.description)),
    )


def _by_all_calls(evidence):
    """The paper resets its timer in every round (figure 7), so the printed GPU time is that of the last kernel call."""
    printed = {
        quantity: select.printed(evidence.published, "singh2017", quantity).set_index(["graph", "algorithm"])["value"]
        for quantity in ("time", "kernel calls")
    }
    factors = [
        printed["time"][graph, CPU] / (printed["time"][graph, GPU] * printed["kernel calls"][graph, GPU])
        for graph in GRAPHS.names
    ]
    return (
        "The paper compares the CPU's whole time with that of the last kernel call; by printed time times calls, its "
        f"own table gives {', '.join(map(style.factor, factors))}."
    )


def _calls(evidence):
    """Pairs for each graph: the counted and the printed kernel calls in words, and whether they agree."""
    printed = select.printed(evidence.published, "singh2017", "kernel calls")
    for graph, calls in zip(printed["graph"], printed["value"], strict=True):
        if row := fastest(evidence, [GPU], graph, block=BLOCK):
            yield f"{row['kernel_launches']:g} on {graph} (printed: {calls:g})", row["kernel_launches"] == calls
