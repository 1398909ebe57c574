"""What Singh concluded on a GeForce GTX 780."""

from itertools import pairwise

from warpath.results import select, style
from warpath.results.claims._sides import best, merged, quotient, ratios
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.claims._wrong import as_printed
from warpath.results.evidence import Count, Graphs, about, at_least, fastest, missing_reason, sized
from warpath.results.papers.singh2017 import BUILT, CPU, GPU, LAUNCH, OTHERS, PRINTED, TIMED
from warpath.results.papers.singh2017 import GRAPHS as ALL_GRAPHS

GRAPHS, EVERY = Graphs("the paper's graphs", TIMED), Graphs("the paper's graphs", ALL_GRAPHS)


def claims(evidence):
    published = best(GPU, launch=LAUNCH)
    speedups = ratios(evidence, best(CPU), published, GRAPHS)
    launched = set(select.runs(evidence.summary, [GPU], GRAPHS.names)["launch"])
    if launched and LAUNCH not in launched:
        speedups = speedups._replace(missing=f"No run of {GPU} here has one block of as many threads as vertices.")
    # The paper resets its timer in every round (figure 7), so the printed GPU time is that of the last kernel call.
    times, counted = (
        select.printed(evidence.published, "singh2017", quantity).set_index(["graph", "algorithm"])["value"]
        for quantity in ("time", "kernel calls")
    )
    by_all_calls = [times[graph, CPU] / (times[graph, GPU] * counted[graph, GPU]) for graph in GRAPHS.names]
    yield judge_times(
        "speedup",
        "abstract; section 5, figure 8; section 7",
        "Even on 10 to 64 vertices, BFS on a GPU is 12 to 25 times faster than on a CPU.",
        f"Time of {CPU} over that of all calls of {GPU}, in one block of as many threads as vertices. As in the paper, "
        "the clock runs in compiled code from a call until its flag is copied back, and what resets arrays is outside. "
        "A search by the CPU is so short that a sample is many of them.",
        speedups,
        sized(about(12, 25)),
        f"{_by_last_call(evidence)} The paper compares the CPU's whole time with that of the last kernel call; by "
        f"printed time times calls, its own table gives {', '.join(map(style.factor, by_all_calls))}. The paper's "
        "kernel also prints every vertex (printf), which is in its times and not in ours. The graphs are ours, of as "
        "many vertices and levels as the paper's, which are not given.".strip(),
    )
    growth = [
        quotient(larger, smaller, f"{smaller.subject} to {larger.subject}")
        for smaller, larger in pairwise(speedups.estimates)
        if not smaller.bound and not larger.bound
    ]
    yield judge_times(
        "speedup-grows-with-size",
        "section 5, figure 8",
        "The speed-up grows with the size of the graph: 12.4, 14.1 and 24.6 times on 10, 22 and 64 vertices.",
        "Speed-up on the larger of two graphs over that on the smaller one, from each size to the next.",
        speedups._replace(estimates=growth),
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
        f"Time of {' and of '.join(OTHERS.values())}, which differ in that alone, over that of {GPU} on the paper's "
        "graphs.",
        merged(**{kind: ratios(evidence, best(name), published, EVERY) for kind, name in OTHERS.items()}),
        at_least(1),
        f"The paper measures neither; its sequential BFS has a queue. {_by_call(evidence)}".strip(),
    )
    yield from as_printed(
        evidence,
        "one-frontier-as-printed",
        "figure 6",
        "The kernel as printed, which reads and writes one frontier, is right on the paper's graphs.",
        PRINTED,
        EVERY,
        "With one block its barrier separates reading from writing. With several, from 513 vertices on, it does not.",
    )


def _by_last_call(evidence):
    """The speed-up by the paper's own reckoning: the CPU's time over that of the last kernel call."""
    factors = []
    for graph in GRAPHS.names:
        cpu, gpu = fastest(evidence, [CPU], graph), fastest(evidence, [GPU], graph, launch=LAUNCH)
        if cpu and gpu and gpu["device"] == "cuda" and gpu["phase_last_call_ms"] > 0:
            factors.append(style.factor(cpu["median_ms"] / gpu["phase_last_call_ms"]))
    return f"Over the last kernel call alone, which the paper's timer has: {', '.join(factors)}." if factors else ""


def _by_call(evidence):
    """What a call takes with a compact list, a queue and a matrix: about the same where it is launching alone."""
    runs = [fastest(evidence, [name], graph, launch=LAUNCH) for name in (GPU, *OTHERS.values()) for graph in ALL_GRAPHS]
    calls = [run["median_ms"] / run["kernel_launches"] for run in runs if run and run["device"] == "cuda"]
    if not calls:
        return ""
    return (
        f"A call takes {style.duration(min(calls))} to {style.duration(max(calls))} with any of them, most of which is "
        "launching it and copying its flag."
    )


def _calls(evidence):
    """Pairs for each graph: the counted and the printed kernel calls in words, and whether they agree."""
    printed = select.printed(evidence.published, "singh2017", "kernel calls")
    for graph, calls in zip(printed["graph"], printed["value"], strict=True):
        if row := fastest(evidence, [GPU], graph):
            yield f"{row['kernel_launches']:g} on {graph} (printed: {calls:g})", row["kernel_launches"] == calls
