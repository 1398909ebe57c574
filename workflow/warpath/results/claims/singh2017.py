"""What Singh concluded on a GeForce GTX 780."""

from functools import partial

from warpath.results import select
from warpath.results.evidence import Comparison, Count, Graphs, absent, ask, at_least, compared, counted, fastest

GRAPHS = Graphs("the paper's graphs", ["singh-10", "singh-22", "singh-64"])
CPU, GPU = "bfs/cpu_queue", "bfs/frontier_struct"
BLOCK = 512  # threads, as in the paper


def claims(evidence):
    cpu, gpu = partial(fastest, evidence, [CPU]), partial(fastest, evidence, [GPU], block=BLOCK)
    yield ask(
        "speedup",
        "section 5, figure 8",
        "Even on 10 to 64 vertices BFS on a GPU is 12 to 25 times faster than on a CPU.",
        "bfs/cpu_queue over bfs/frontier_struct with 512 threads a block; holds from 12.",
        Comparison(compared(evidence, cpu, gpu, GRAPHS.names), absent(evidence, [CPU, GPU], GRAPHS.called)),
        at_least(12),
    )
    calls = dict(_calls(evidence, gpu))
    yield counted(
        "kernel-calls-follow-levels",
        "section 5, figures 8 and 9",
        "The kernel is called once a level of the graph: 3, 5, 7 and 13 times.",
        "Kernel launches of bfs/frontier_struct from vertex 0, on any device, against the printed counts.",
        Count(", ".join(calls), calls, absent(evidence, [GPU], GRAPHS.called)),
    )


def _calls(evidence, gpu):
    """For every graph: what was counted beside what is printed, and whether they agree."""
    printed = select.printed(evidence.published, "singh2017", "kernel calls")
    for graph, calls in zip(printed["graph"], printed["value"], strict=True):
        if row := gpu(graph):
            yield f"{row['kernel_launches']:g} on {graph} (printed: {calls:g})", row["kernel_launches"] == calls
