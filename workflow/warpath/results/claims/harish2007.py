"""What Harish and Narayanan concluded on a GeForce 8800 GTX."""

import math

import numpy as np

from warpath.results import select, statistics, style
from warpath.results.claims._sides import (
    Comparison,
    Estimate,
    best,
    first,
    merged,
    on_average,
    ratio,
    ratios,
    resampled,
    run,
    timed,
    times,
    unmeasured,
    weaknesses,
)
from warpath.results.claims._verdict import judge_count, judge_times, median
from warpath.results.claims._wrong import as_printed
from warpath.results.evidence import (
    Count,
    Graphs,
    about,
    about_twice,
    at_least,
    at_most,
    missing_reason,
    sized,
    subjects,
    within,
)
from warpath.results.papers.harish2007 import BFS, CPU_BFS, CPU_SSSP, PRINTED_BFS, ROADS, SSSP, by_degree

PAIR, VERTEX, REPEATED = "apsp/fw_pair", "apsp/fw_vertex", "apsp/repeated_sssp"
CPU_APSP, CPU_REPEATED, QUEUE = "apsp/cpu_floyd_warshall", "apsp/cpu_repeated_dijkstra", "bfs/queue"
HIGH_DEGREE = 100
POINTS = 4  # graphs that a power law is fitted to, at least
HEADLINES = {  # name: algorithms, graph, place, gist
    "bfs-10m": (
        [BFS],
        "random-10m-d6",
        "section 1",
        "BFS on a random graph of 10 million vertices and average degree 6 takes a second.",
    ),
    "sssp-10m": (
        SSSP,
        "random-10m-d6",
        "abstract, section 1",
        "SSSP on a random graph of 10 million vertices and average degree 6 takes 1.5 seconds.",
    ),
    "apsp-30k": ([REPEATED], "random-30k-d6", "section 1", "All pairs of 30,000 vertices take about 2 minutes."),
    "apsp-100k": ([REPEATED], "random-100k-d6", "section 4", "All pairs of 100,000 vertices take around 22 minutes."),
}
FEW_THOUSAND = 10_000
DISTANCE_BYTES = 4
VERTEX_BYTES = 4 + 6 * (4 + 4) + 4 + 4 + 1  # offset; target and weight of 6 arcs; cost, updating cost, mask


def claims(evidence):
    printed = select.printed(evidence.published, "harish2007").groupby(["graph", "algorithm"])["value"].first()
    randoms = Graphs("random graphs", [name for name in subjects(evidence, "random-") if name.endswith("-d6")])
    roads = Graphs("road networks", subjects(evidence, *ROADS))
    for name, (algorithms, graph, place, gist) in HEADLINES.items():
        yield judge_times(
            name,
            place,
            gist,
            f"Time of {' or, where that is wrong, '.join(algorithms)} on {graph}. The claim is that it can be done in "
            "that time: faster is no failure.",
            times(evidence, first(*algorithms), Graphs(graph, [graph])),
            at_most(printed[graph, algorithms[0]], style.duration),
        )
    yield judge_times(
        "bfs-speedup",
        "section 4",
        "BFS on a GPU is 20 to 50 times faster than on a CPU, on random graphs of average degree 6.",
        f"Time of {CPU_BFS} over that of {BFS}, fastest launch of each.",
        ratios(evidence, best(CPU_BFS), best(BFS), randoms),
        sized(about(20, 50)),
        _with_wrong_answers(evidence, CPU_BFS, PRINTED_BFS, randoms),
    )
    sssp = ratios(evidence, best(CPU_SSSP), first(*SSSP), randoms)
    yield judge_times(
        "sssp-speedup",
        "section 4",
        "SSSP on a GPU is on average about 70 times faster than on a CPU, on random graphs of average degree 6.",
        f"Time of {CPU_SSSP} over that of {SSSP[0]}, or of {SSSP[1]} where {SSSP[0]} is wrong.",
        on_average(sssp),
        sized(about(70)),
        f"{_by_graph(sssp)} {_with_wrong_answers(evidence, CPU_SSSP, SSSP[0], randoms)}".strip(),
    )
    yield judge_times(
        "sssp-comparable-to-bfs",
        "section 4, figure 4",
        "On random graphs SSSP takes a time comparable to that of BFS.",
        f"Time of {SSSP[0]}, or of {SSSP[1]} where {SSSP[0]} is wrong, over that of {BFS}; comparable is half to "
        "double.",
        ratios(evidence, first(*SSSP), best(BFS), randoms),
        within(0.5, 2),
    )
    yield judge_times(
        "scale-free-slower",
        "sections 1 and 4",
        "Scale-free graphs take about twice as long as random ones of the same size.",
        "Time on the scale-free graph over that on the random graph with as many vertices.",
        _scale_free_over_random(evidence),
        sized(about_twice()),
    )
    yield judge_times(
        "queue-slower",
        "section 3.2",
        "A queue of vertices slows BFS down: a thread for each vertex is faster.",
        f"Time of {QUEUE} over that of {BFS}, fastest launch of each.",
        ratios(evidence, best(QUEUE), best(BFS), Graphs("this study's graphs", subjects(evidence, ""))),
        at_least(1),
    )
    over_repeated = ratios(evidence, best(PAIR), best(REPEATED), randoms)
    yield judge_times(
        "repeated-sssp-beats-floyd-warshall",
        "sections 1, 3.4 and 4",
        "On a GPU, all pairs are faster by repeated SSSP than by Floyd-Warshall.",
        f"Time of {PAIR} over that of {REPEATED} on random graphs.",
        over_repeated,
        at_least(1),
        _where_even(evidence, over_repeated.estimates),
    )
    on_cpu = median(ratios(evidence, best(CPU_REPEATED), best(CPU_APSP), randoms).estimates)
    yield judge_times(
        "repeated-sssp-slower-on-cpu",
        "section 4",
        "All pairs by repeated SSSP are orders of magnitude slower on a CPU.",
        f"Time of {CPU_REPEATED} over that of {REPEATED} on random graphs.",
        ratios(evidence, best(CPU_REPEATED), best(REPEATED), randoms),
        sized(at_least(100)),
        "The sentence may also mean slower than Floyd-Warshall on the CPU"
        + (f": here it takes {on_cpu} as long in the median." if on_cpu else "."),
    )
    yield judge_times(
        "thread-per-vertex-slower",
        "section 3.4",
        "Floyd-Warshall is far slower, about 9 times, with a thread that loops for each vertex than with a thread for "
        "each pair.",
        f"Time of {VERTEX} over that of {PAIR} on random graphs.",
        ratios(evidence, best(VERTEX), best(PAIR), randoms),
        sized(about(9)),
    )
    for name, algorithm, mark in (("floyd-warshall", PAIR, 3), ("repeated-sssp", REPEATED, 17)):
        speedups = ratios(evidence, best(CPU_APSP), best(algorithm), randoms)
        yield judge_times(
            f"{name}-speedup",
            "section 4, figure 6",
            f"All pairs by {algorithm} are on average {mark} times faster than by Floyd-Warshall on a CPU.",
            f"Time of {CPU_APSP} over that of {algorithm} on random graphs.",
            on_average(speedups),
            sized(about(mark)),
            _by_graph(speedups),
        )
    new_york = printed["USA-road-d.NY"]
    by_bfs = style.factor(new_york[CPU_BFS] / new_york[BFS])
    by_sssp = style.factor(new_york[CPU_SSSP] / new_york[SSSP[0]])
    yield judge_times(
        "no-gain-on-roads",
        "section 4, table 1",
        "On road networks the GPU is no faster than the CPU: their degree is too low and their diameter too long.",
        "Time on the CPU over that on the GPU, for BFS and SSSP on road networks.",
        merged(
            BFS=ratios(evidence, best(CPU_BFS), best(BFS), roads),
            SSSP=ratios(evidence, best(CPU_SSSP), first(*SSSP), roads),
        ),
        at_most(1.1),
        f"The paper's own table shows the GPU faster on the roads of New York, by {by_bfs} (BFS) and {by_sssp} (SSSP). "
        "Roads named pace16 have weights of 1 to 10, where the paper's have 1 to 300,000.",
    )
    yield judge_times(
        "linear-in-degree",
        "section 4, figure 7",
        "At 100,000 vertices the time of BFS and SSSP grows almost in proportion to the degree.",
        "Exponent of the power law that fits time over degree best. The interval accounts for noise in the times, not "
        "for the choice of graphs.",
        Comparison(list(_exponents(evidence, [PRINTED_BFS, BFS, *SSSP])), _few_degrees(evidence, [BFS]), {}),
        sized(
            within(0.8, 1.2, "{:.1f}".format)._replace(printed="in proportion (1)"),
            at_least(0.05, "{:.2f}".format),
        ),
        _at_high_degree(evidence),
    )
    yield judge_times(
        "denser-benefit-more",
        "section 3",
        "The denser a graph, the more it benefits from a GPU.",
        "Exponent of the power law that fits the speed-up over the CPU, on 100,000 vertices of growing degree, best.",
        Comparison(list(_exponents(evidence, [BFS, *SSSP], over_cpu=True)), _few_degrees(evidence, [BFS, CPU_BFS]), {}),
        at_least(0, "{:.0f}".format),
    )
    memory, largest = (
        select.printed(evidence.published, "harish2007", quantity)["value"].item()
        for quantity in ("memory of the card", "largest graph that fits")
    )
    fits = 1e6 * memory / VERTEX_BYTES
    yield judge_count(
        "memory-limit",
        "section 1",
        "The memory of the card limits graphs of degree 6 to 12 million vertices.",
        f"Memory of the paper's card over the {VERTEX_BYTES} bytes that its arrays take for a vertex of degree 6, by "
        "arithmetic; holds from half to double of what is printed.",
        Count(f"{fits / 1e6:.1f} million vertices", {"SSSP": largest / 2 <= fits <= 2 * largest}, ""),
        "On this card other limits hold: it is a claim about theirs.",
        "Arrays of other types than the paper's listings suggest.",
    )
    matrix = math.sqrt(1e6 * memory / DISTANCE_BYTES)
    yield judge_count(
        "floyd-warshall-memory-limit",
        "section 3.4",
        "The memory of a GPU limits Floyd-Warshall to a few thousand vertices.",
        f"Vertices whose matrix of {DISTANCE_BYTES} bytes a distance fills the memory of the paper's card, by "
        f"arithmetic; a few thousand is less than {FEW_THOUSAND:,}.",
        Count(f"{matrix:,.0f} vertices", {"Floyd-Warshall": matrix < FEW_THOUSAND}, ""),
        "On this card other limits hold: it is a claim about theirs.",
        f"A second matrix, or distances of {2 * DISTANCE_BYTES} bytes: {matrix / math.sqrt(2):,.0f} vertices.",
    )
    yield from as_printed(
        evidence,
        "bfs-as-printed",
        "section 3.2, algorithm 2",
        "BFS as printed, with one frontier that a launch reads and writes, gives wrong answers.",
        PRINTED_BFS,
        Graphs("this study's graphs", subjects(evidence, "")),
        f"The claims about BFS are judged by {BFS}, which has a second frontier and the comparison that the text asks "
        "for.",
    )


def _with_wrong_answers(evidence, cpu, published, graphs):
    """A remark on the speed-up of what was published, wrong answers and all."""
    factor = median(ratios(evidence, best(cpu), timed(published), graphs).estimates)
    return f"With its wrong answers, {published} is {factor} as fast as the CPU in the median." if factor else ""


def _by_graph(comparison):
    """The range of the numbers behind an average."""
    ends = sorted(comparison.estimates, key=lambda estimate: estimate.value)
    return f"By graph: {ends[0]} to {ends[-1]}." if len(ends) > 1 else ""


def _where_even(evidence, estimates):
    """Say at how many vertices the larger graphs let expect that a growing ratio passes 1."""
    sizes = evidence.summary.groupby("graph")["vertices"].max()
    known = sorted((sizes[each.subject], each.value) for each in estimates if not each.bound)[-2:]
    if len(known) < 2 or not known[0][1] < known[1][1] < 1:
        return ""
    vertices, values = zip(*known, strict=True)
    even = vertices[1] * values[1] ** (-1 / statistics.slope(vertices, values))
    return (
        f"The ratio grows with the graph: by the power law through the two largest, repeated SSSP is faster from about "
        f"{float(f'{even:.2g}'):,.0f} vertices on."
    )


def _few_degrees(evidence, algorithms):
    return missing_reason(evidence, algorithms, f"{POINTS} graphs or more of growing degree")


def _scale_free_over_random(evidence):
    """Each problem by the same algorithm on both graphs: the first algorithm that is known on both."""
    estimates, reasons = [], {}
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        pair = graph, f"random-{size}-d6"
        for problem, algorithms in (("BFS", [BFS]), ("SSSP", SSSP)):
            subject = f"{size} vertices ({problem})"
            runs = ([run(evidence, best(name), each) for each in pair] for name in algorithms)
            if estimate := next(filter(None, (ratio(evidence, *rows, subject) for rows in runs)), None):
                estimates.append(estimate)
            elif reason := _no_ratio(evidence, algorithms, pair):
                reasons[subject] = reason
    missing = missing_reason(evidence, [BFS], "scale-free and random graphs of the same size")
    return Comparison(estimates, missing, reasons)


def _no_ratio(evidence, algorithms, pair):
    """Why no algorithm is known on both graphs; empty where the study does not plan them."""
    either = first(*algorithms)
    reasons = unmeasured(evidence, [either], pair)
    if not reasons and not all(run(evidence, either, graph) for graph in pair):
        return ""
    return "; ".join(dict.fromkeys(reasons.values())) or "no algorithm right on both"


def _exponents(evidence, algorithms, over_cpu=False):
    """The exponent over degree of the time of each search, or of its speed-up, with a bootstrap interval."""
    table = select.sound(by_degree(evidence.summary))
    cpu = {(row["problem"], row["graph"]): row for row in table[table["device"] == "cpu"].to_dict("records")}
    searches = table[table["algorithm"].isin(algorithms)].to_dict("records")
    pairs = [(cpu.get((row["problem"], row["graph"])), row) for row in searches]
    for algorithm in dict.fromkeys(row["algorithm"] for row in searches):
        of_one = [pair for pair in pairs if pair[1]["algorithm"] == algorithm and (pair[0] or not over_cpu)]
        degrees = [row["degree"] for _, row in of_one]
        if len(set(degrees)) < POINTS:
            continue
        groups = of_one if over_cpu else [pair[1:] for pair in of_one]
        values = [group[0]["median_ms"] / (group[1]["median_ms"] if over_cpu else 1) for group in groups]
        rng = np.random.default_rng(statistics.SEED)
        drawn = [resampled(evidence.timings, rng, *group) for group in groups]
        ends = statistics.interval(np.polyfit(np.log(np.array(degrees, float)), np.log(drawn), 1)[0])
        runs = [row for group in groups for row in group]
        devices = tuple(row["device"] for row in runs)
        value = statistics.slope(degrees, values)
        yield Estimate(algorithm, value, *ends, devices, "{:.2f}".format, weaknesses(*runs))


def _at_high_degree(evidence):
    """The exponents where a graph has more work for a card that is larger than the paper's."""
    table = select.sound(by_degree(evidence.summary))
    table = table[(table["device"] != "cpu") & (table["degree"] >= HIGH_DEGREE - 1)]
    exponents = [
        f"{statistics.slope(rows['degree'], rows['median_ms']):.2f} ({algorithm})"
        for algorithm, rows in table.groupby("algorithm", sort=False)
        if len(rows) > 1
    ]
    return f"From degree {HIGH_DEGREE} on: {', '.join(exponents)}." if exponents else ""
