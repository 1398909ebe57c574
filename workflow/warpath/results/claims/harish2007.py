"""What Harish and Narayanan concluded on a GeForce 8800 GTX."""

import numpy as np

from warpath.results import select, statistics, style
from warpath.results.claims._sides import (
    Comparison,
    Estimate,
    best,
    first,
    ratio,
    ratios,
    run,
    unmeasured,
    weaknesses,
)
from warpath.results.claims._verdict import judge_times
from warpath.results.evidence import Graphs, at_least, at_most, missing_reason, subjects
from warpath.results.papers.harish2007 import BFS, CPU_BFS, CPU_SSSP, SSSP, by_degree

PAIR, VERTEX, REPEATED = "apsp/fw_pair", "apsp/fw_vertex", "apsp/repeated_sssp"
CPU_APSP = "apsp/cpu_floyd_warshall"
POINTS = 4  # graphs that a power law is fitted to, at least


def claims(evidence):
    randoms = Graphs("random graphs", [name for name in subjects(evidence, "random-") if name.endswith("-d6")])
    roads = Graphs("road networks", subjects(evidence, "USA-road-d."))
    yield judge_times(
        "bfs-speedup",
        "section 4",
        "BFS on a GPU is 20 to 50 times faster than on a CPU, on random graphs of average degree 6.",
        "Time of bfs/cpu_queue over that of bfs/frontier, fastest launch of each; holds from 20.",
        ratios(evidence, best(CPU_BFS), best(BFS), randoms),
        at_least(20),
    )
    yield judge_times(
        "sssp-speedup",
        "section 4",
        "SSSP on a GPU is about 70 times faster than on a CPU, on random graphs of average degree 6.",
        "Time of sssp/cpu_dijkstra over that of sssp/racy, or of sssp/two_kernel where sssp/racy is wrong; holds from "
        "35, half of the claim.",
        ratios(evidence, best(CPU_SSSP), first(*SSSP), randoms),
        at_least(35),
    )
    yield judge_times(
        "scale-free-slower",
        "sections 1 and 4",
        "Scale-free graphs take about twice as long as random ones of the same size.",
        "Time on the scale-free graph over that on the random graph with as many vertices; holds from 1.5.",
        _scale_free_over_random(evidence),
        at_least(1.5),
    )
    yield judge_times(
        "repeated-sssp-beats-floyd-warshall",
        "section 3.4",
        "On a GPU, all pairs are faster by repeated SSSP than by Floyd-Warshall.",
        "Time of apsp/fw_pair over that of apsp/repeated_sssp on random graphs; holds from 1.",
        ratios(evidence, best(PAIR), best(REPEATED), randoms),
        at_least(1),
    )
    yield judge_times(
        "thread-per-vertex-slower",
        "section 3.4",
        "Floyd-Warshall is far slower, about 9 times, with a thread that loops for each vertex than with a thread for "
        "each pair.",
        "Time of apsp/fw_vertex over that of apsp/fw_pair on random graphs; holds from 3, a third of the claim.",
        ratios(evidence, best(VERTEX), best(PAIR), randoms),
        at_least(3),
    )
    for name, algorithm, mark, half in (("floyd-warshall", PAIR, 3, 1.5), ("repeated-sssp", REPEATED, 17, 8.5)):
        yield judge_times(
            f"{name}-speedup",
            "section 4, figure 6",
            f"All pairs by {algorithm} are on average {mark} times faster than by Floyd-Warshall on a CPU.",
            f"Time of {CPU_APSP} over that of {algorithm} on random graphs; holds from {half}, half of the claim.",
            ratios(evidence, best(CPU_APSP), best(algorithm), randoms),
            at_least(half),
        )
    yield judge_times(
        "no-gain-on-roads",
        "section 4, table 1",
        "On road networks the GPU is no faster than the CPU: their degree is too low and their diameter too long.",
        "Time on the CPU over that on the GPU, for BFS and SSSP on the DIMACS road networks; holds up to 1.1.",
        _by_problem(
            BFS=ratios(evidence, best(CPU_BFS), best(BFS), roads),
            SSSP=ratios(evidence, best(CPU_SSSP), first(*SSSP), roads),
        ),
        at_most(1.1),
        _printed_on_new_york(evidence),
    )
    yield judge_times(
        "linear-in-degree",
        "section 4, figure 7",
        "At 100,000 vertices the time of BFS and SSSP grows almost in proportion to the degree.",
        "Exponent of the power law that fits time over degree best; holds between 0.8 and 1.2. The interval accounts "
        "for noise in the times, not for the choice of graphs.",
        Comparison(
            list(_exponents(evidence)),
            missing_reason(evidence, [BFS], f"{POINTS} graphs or more of growing degree"),
            {},
        ),
        _about_one,
    )


def _by_problem(**comparisons):
    """Merge comparisons on the same graphs; each subject names its problem."""
    pairs = comparisons.items()
    estimates = [
        estimate._replace(subject=f"{estimate.subject} ({problem})")
        for problem, comparison in pairs
        for estimate in comparison.estimates
    ]
    reasons = {
        f"{graph} ({problem})": reason
        for problem, comparison in pairs
        for graph, reason in comparison.unmeasured.items()
    }
    return Comparison(estimates, next(iter(comparisons.values())).missing, reasons)


def _printed_on_new_york(evidence):
    printed = select.printed(evidence.published, "harish2007")
    times = printed[printed["graph"] == "USA-road-d.NY"].set_index("algorithm")["value"]
    bfs, sssp = times[CPU_BFS] / times[BFS], times[CPU_SSSP] / times[SSSP[0]]
    factors = f"{style.factor(bfs)} (BFS) and {style.factor(sssp)} (SSSP)"
    return f"The paper's own table shows the GPU faster on the roads of New York, by {factors}."


def _scale_free_over_random(evidence):
    """Each problem by the same algorithm on both graphs: the first algorithm that is known on both."""
    estimates, reasons = [], {}
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        pair = graph, f"random-{size}-d6"
        for problem, algorithms in (("BFS", [BFS]), ("SSSP", SSSP)):
            subject = f"{size} vertices ({problem})"
            if estimate := _first_ratio(evidence, algorithms, pair, subject):
                estimates.append(estimate)
            elif reason := _no_ratio(evidence, algorithms, pair):
                reasons[subject] = reason
    missing = missing_reason(evidence, [BFS], "scale-free and random graphs of the same size")
    return Comparison(estimates, missing, reasons)


def _first_ratio(evidence, algorithms, pair, subject):
    runs = ([run(evidence, best(name), graph) for graph in pair] for name in algorithms)
    return next(filter(None, (ratio(evidence, *rows, subject) for rows in runs)), None)


def _no_ratio(evidence, algorithms, pair):
    """Why no algorithm is known on both graphs; empty where the study does not plan them."""
    either = first(*algorithms)
    reasons = unmeasured(evidence, [either], pair)
    if not reasons and not all(run(evidence, either, graph) for graph in pair):
        return ""
    return "; ".join(dict.fromkeys(reasons.values())) or "no algorithm right on both"


def _exponents(evidence):
    """The exponent of time over degree of each GPU search, with a bootstrap interval."""
    table = select.sound(by_degree(evidence.summary))
    for algorithm, rows in table[table["device"] != "cpu"].groupby("algorithm", sort=False):
        if rows["degree"].nunique() < POINTS:
            continue
        runs, rng = rows.to_dict("records"), np.random.default_rng(statistics.SEED)
        samples = (list(select.samples(evidence.timings, row).values()) for row in runs)
        medians = np.array([statistics.drawn_medians(groups, rng) for groups in samples])
        exponents = np.polyfit(np.log(rows["degree"].to_numpy(float)), np.log(medians), 1)[0]
        value, ends = statistics.slope(rows["degree"], rows["median_ms"]), statistics.interval(exponents)
        devices = tuple(rows["device"])
        yield Estimate(algorithm, value, *ends, devices, "{:.2f}".format, weaknesses(*runs))


def _about_one(estimate):
    if estimate.low >= 0.8 and estimate.high <= 1.2:
        return True
    return False if estimate.high < 0.8 or estimate.low > 1.2 else None
