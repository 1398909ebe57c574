"""What the rows of Singh's claims cannot say: the paper's reckoning by kernel calls."""

from itertools import pairwise

from warpath.results import select, style
from warpath.results.claims.sides import best, quotient, ratios
from warpath.results.evidence import Count, fastest, missing_reason
from warpath.results.papers.singh2017 import BUILT, CPU, GPU, GRAPHS, LAUNCH, OTHERS, TIMED


def speedups(evidence, row):
    found = ratios(evidence, best(CPU), best(GPU, launch=LAUNCH), row["graphs"])
    launched = set(select.runs(evidence.summary, [GPU], TIMED)["launch"])
    if launched and LAUNCH not in launched:
        return found._replace(missing=f"No run of {GPU} here has one block of as many threads as vertices.")
    return found


def growth(evidence, row):
    found = speedups(evidence, row)
    estimates = [
        quotient(larger, smaller, f"{smaller.subject} to {larger.subject}")
        for smaller, larger in pairwise(found.estimates)
        if not smaller.bound and not larger.bound
    ]
    return found._replace(estimates=estimates)


def by_all_calls(evidence, row):
    """The printed speed-ups of whole solves: the printed GPU time is that of the last kernel call (figure 7)."""
    times, counted = (
        select.printed(evidence.published, "singh2017", quantity).set_index(["graph", "algorithm"])["value"]
        for quantity in ("time", "kernel calls")
    )
    factors = (times[graph, CPU] / (times[graph, GPU] * counted[graph, GPU]) for graph in TIMED)
    return ", ".join(map(style.factor, factors))


def by_last_call(evidence, row):
    """The speed-up by the paper's own reckoning: the CPU's time over that of the last kernel call."""
    factors = []
    for graph in TIMED:
        cpu, gpu = fastest(evidence, [CPU], graph), fastest(evidence, [GPU], graph, launch=LAUNCH)
        if cpu and gpu and gpu["device"] == "cuda" and gpu["phase_last_call_ms"] > 0:
            factors.append(style.factor(cpu["median_ms"] / gpu["phase_last_call_ms"]))
    return f"Over the last kernel call alone, which the paper's timer has: {', '.join(factors)}." if factors else ""


def by_call(evidence, row):
    """What a call takes with a compact list, a queue and a matrix: about the same where it is launching alone."""
    runs = [fastest(evidence, [name], graph, launch=LAUNCH) for name in (GPU, *OTHERS.values()) for graph in GRAPHS]
    calls = [run["median_ms"] / run["kernel_launches"] for run in runs if run and run["device"] == "cuda"]
    if not calls:
        return ""
    return (
        f"A call takes {style.duration(min(calls))} to {style.duration(max(calls))} with any of them, most of which is "
        "launching it and copying its flag."
    )


def kernel_calls(evidence, row):
    printed, calls = select.printed(evidence.published, "singh2017", "kernel calls"), {}
    for graph, expected in zip(printed["graph"], printed["value"], strict=True):
        if run := fastest(evidence, [GPU], graph):
            count = run["kernel_launches"]
            calls[f"{count:g} on {graph} (printed: {expected:g})"] = count == expected
    built = tuple(subject for subject in calls if subject.split(" ")[2] in BUILT)
    return Count(", ".join(calls), calls, missing_reason(evidence, [GPU], row["graphs"].description), built)
