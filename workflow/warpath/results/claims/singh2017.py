"""What Singh concluded on a GeForce GTX 780."""

from warpath.results import select, style
from warpath.results.claims._sides import Comparison, best, ratios
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.evidence import Count, Graphs, about, at_least, fastest, missing_reason, sized
from warpath.results.papers.singh2017 import BLOCK, BUILT, CPU, GPU, QUEUE, TIMED

GRAPHS = Graphs("the paper's graphs", TIMED)


def claims(evidence):
    speedups = ratios(evidence, best(CPU), best(GPU, block=BLOCK), GRAPHS)
    yield judge_times(
        "speedup",
        "abstract; section 5, figure 8; section 7",
        "Even on 10 to 64 vertices, BFS on a GPU is 12 to 25 times faster than on a CPU.",
        f"Time of {CPU} over that of {GPU} with {BLOCK} threads a block.",
        speedups,
        sized(about(12, 25)),
        f"{_by_all_calls(evidence)} The graphs are ours, of as many vertices and levels as the paper's, which are not "
        "given.",
    )
    yield judge_times(
        "speedup-grows-with-size",
        "section 5, figure 8",
        "The speed-up grows with the size of the graph: 12.4, 14.1 and 24.6 times on 10, 22 and 64 vertices.",
        "Speed-up on the larger of two graphs over that on the smaller one, from each size to the next.",
        _growth(speedups),
        at_least(1),
        "The GPU's printed times are those of the last kernel call, which hardly differ (0.105 to 0.110 ms): what "
        "grows is the time of the CPU.",
    )
    calls = dict(_calls(evidence))
    yield judge_count(
        "kernel-calls-follow-levels",
        "section 5, figures 8 and 9",
        "The kernel is called once for each level of the graph: 3, 5, 7 and 13 times.",
        f"Kernel launches of {GPU} from vertex 0, on any device, against the printed counts. The paper gives one of "
        "its graphs, that of 5 vertices.",
        Count(
            ", ".join(calls),
            calls,
            missing_reason(evidence, [GPU], GRAPHS.description),
            tuple(subject for subject in calls if subject.split(" ")[2] in BUILT),
        ),
        change="Another count on the graph of 5 vertices, or the paper's other graphs.",
    )
    yield judge_times(
        "compact-list-beats-queue-and-matrix",
        "section 7",
        "A compact adjacency list makes BFS faster than a queue or an adjacency matrix does.",
        f"Time of {QUEUE} over that of {GPU} on the paper's graphs. No BFS here reads an adjacency matrix.",
        ratios(evidence, best(QUEUE), best(GPU, block=BLOCK), GRAPHS),
        at_least(1),
        "The paper measures neither; its sequential BFS has a queue.",
    )


def _growth(speedups):
    """Each speed-up over that on the next smaller graph; the interval is the widest that both allow."""
    pairs = zip(speedups.estimates, speedups.estimates[1:], strict=False)
    return Comparison(
        [
            larger._replace(
                subject=f"{smaller.subject} to {larger.subject}",
                value=larger.value / smaller.value,
                low=larger.low / smaller.high,
                high=larger.high / smaller.low,
                weaknesses=tuple(dict.fromkeys(smaller.weaknesses + larger.weaknesses)),
            )
            for smaller, larger in pairs
            if not smaller.bound and not larger.bound
        ],
        speedups.missing,
        speedups.unmeasured,
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
