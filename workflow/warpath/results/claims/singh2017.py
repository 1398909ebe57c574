"""What Singh concluded on a GeForce GTX 780."""

from warpath.results.evidence import absent, at_least, compare, counted, fastest, timed

GRAPHS = ["singh-10", "singh-22", "singh-64"]
ALGORITHM = "bfs/frontier_struct"
BLOCK = 512  # threads, as in the paper


def claims(evidence):
    yield timed(
        _about(
            "speedup",
            "section 5, figure 8",
            "Even on 10 to 64 vertices BFS on a GPU is 12 to 25 times faster than on a CPU.",
            "bfs/cpu_queue over bfs/frontier_struct with 512 threads a block; holds from 12.",
        ),
        _speedups(evidence),
        at_least(12),
        absent(evidence, ["bfs/cpu_queue", ALGORITHM], "the paper's graphs"),
    )
    answers = dict(_calls(evidence))
    yield counted(
        _about(
            "kernel-calls-follow-levels",
            "section 5, figures 8 and 9",
            "The kernel is called once a level of the graph: 3, 5, 7 and 13 times.",
            "Kernel launches of bfs/frontier_struct from vertex 0, on any device, against the printed counts.",
        ),
        ", ".join(answers),
        answers,
        absent(evidence, [ALGORITHM], "the paper's graphs"),
    )


def _about(name, place, gist, how):
    return {"paper": "singh2017", "name": name, "place": place, "gist": gist, "how": how}


def _speedups(evidence):
    pairs = (
        compare(
            evidence,
            fastest(evidence, ["bfs/cpu_queue"], graph),
            fastest(evidence, [ALGORITHM], graph, block=BLOCK),
        )
        for graph in GRAPHS
    )
    return [found for found in pairs if found]


def _calls(evidence):
    """For every graph: what was counted beside what is printed, and whether they agree."""
    printed = evidence.published
    printed = printed[(printed["paper"] == "singh2017") & (printed["quantity"] == "kernel calls")]
    for graph, calls in zip(printed["graph"], printed["value"], strict=True):
        row = fastest(evidence, [ALGORITHM], graph, block=BLOCK)
        if row:
            yield f"{row['kernel_launches']:g} on {graph} (printed: {calls:g})", row["kernel_launches"] == calls
