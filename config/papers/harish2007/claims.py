"""What the rows of Harish and Narayanan's claims cannot say: power laws, and arithmetic about their card."""

import math

import numpy as np

from warpath.results import select, statistics, style
from warpath.results.claims import sides
from warpath.results.claims.verdict import median
from warpath.results.evidence import Count, missing_reason, subjects
from warpath.results.papers.harish2007 import BFS, CPU_BFS, CPU_SSSP, PRINTED_BFS, SSSP, by_degree

HIGH_DEGREE = 100
POINTS = 4  # graphs that a power law is fitted to, at least
FEW_THOUSAND = 10_000
DISTANCE_BYTES = 4
VERTEX_BYTES = 4 + 6 * (4 + 4) + 4 + 4 + 1  # offset; target and weight of 6 arcs; cost, updating cost, mask


def with_wrong_answers(evidence, row):
    """A remark on the speed-up of what was published, wrong answers and all."""
    cpu = row["slow"].algorithms[0]
    published = {CPU_BFS: PRINTED_BFS, CPU_SSSP: SSSP[0]}[cpu]
    factor = median(sides.ratios(evidence, sides.best(cpu), sides.timed(published), row["graphs"]).estimates)
    return f"With its wrong answers, {published} is {factor} as fast as the CPU in the median." if factor else ""


def by_graph(evidence, row):
    """The range of the numbers behind an average."""
    ends = sorted(row["found"].estimates, key=lambda estimate: estimate.value)
    return f"By graph: {ends[0]} to {ends[-1]}." if len(ends) > 1 else ""


def where_even(evidence, row):
    """Say at how many vertices the larger graphs let expect that a growing ratio passes 1."""
    sizes = evidence.summary.groupby("graph")["vertices"].max()
    known = sorted((sizes[each.subject], each.value) for each in row["found"].estimates if not each.bound)[-2:]
    if len(known) < 2 or not known[0][1] < known[1][1] < 1:
        return ""
    vertices, values = zip(*known, strict=True)
    even = vertices[1] * values[1] ** (-1 / statistics.slope(vertices, values))
    return (
        f"The ratio grows with the graph: by the power law through the two largest, repeated SSSP is faster from about "
        f"{float(f'{even:.2g}'):,.0f} vertices on."
    )


def on_cpu(evidence, row):
    cpu = sides.best("apsp/cpu_repeated_dijkstra"), sides.best("apsp/cpu_floyd_warshall")
    factor = median(sides.ratios(evidence, *cpu, row["graphs"]).estimates)
    return f": here it takes {factor} as long in the median" if factor else ""


def printed_on_new_york(evidence, row):
    printed = select.printed(evidence.published, "harish2007")
    times = printed[printed["graph"] == "USA-road-d.NY"].groupby("algorithm")["value"].first()
    return (
        f"{style.factor(times[CPU_BFS] / times[BFS])} (BFS) and {style.factor(times[CPU_SSSP] / times[SSSP[0]])} (SSSP)"
    )


def scale_free_over_random(evidence, row):
    """Each problem by the same algorithm on both graphs: the first algorithm that is known on both."""
    estimates, reasons = [], {}
    for graph in subjects(evidence, "scale-free-"):
        size = graph.removeprefix("scale-free-")
        pair = graph, f"random-{size}-d6"
        for problem, algorithms in (("BFS", [BFS]), ("SSSP", SSSP)):
            subject = f"{size} vertices ({problem})"
            runs = ([sides.run(evidence, sides.best(name), each) for each in pair] for name in algorithms)
            if estimate := next(filter(None, (sides.ratio(evidence, *rows, subject) for rows in runs)), None):
                estimates.append(estimate)
            elif reason := _no_ratio(evidence, algorithms, pair):
                reasons[subject] = reason
    missing = missing_reason(evidence, [BFS], "scale-free and random graphs of the same size")
    return sides.Comparison(estimates, missing, reasons)


def _no_ratio(evidence, algorithms, pair):
    """Why no algorithm is known on both graphs; empty where the study does not plan them."""
    either = sides.first(*algorithms)
    reasons = sides.unmeasured(evidence, [either], pair)
    if not reasons and not all(sides.run(evidence, either, graph) for graph in pair):
        return ""
    return "; ".join(dict.fromkeys(reasons.values())) or "no algorithm right on both"


def exponents_of_times(evidence, row):
    return _exponents(evidence, [PRINTED_BFS, BFS, *SSSP], [BFS])


def exponents_of_speedups(evidence, row):
    return _exponents(evidence, [BFS, *SSSP], [BFS, CPU_BFS], over_cpu=True)


def _exponents(evidence, algorithms, needed, over_cpu=False):
    """The exponent over degree of the time of each search, or of its speed-up, with a bootstrap interval."""
    table, estimates = select.sound(by_degree(evidence.summary)), []
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
        drawn = [sides.resampled(evidence.timings, rng, *group) for group in groups]
        ends = statistics.interval(np.polyfit(np.log(np.array(degrees, float)), np.log(drawn), 1)[0])
        runs = [row for group in groups for row in group]
        devices = tuple(row["device"] for row in runs)
        value = statistics.slope(degrees, values)
        estimates.append(sides.Estimate(algorithm, value, *ends, devices, "{:.2f}".format, sides.weaknesses(*runs)))
    return sides.Comparison(
        estimates, missing_reason(evidence, needed, f"{POINTS} graphs or more of growing degree"), {}
    )


def at_high_degree(evidence, row):
    """The exponents where a graph has more work for a card that is larger than the paper's."""
    table = select.sound(by_degree(evidence.summary))
    table = table[(table["device"] != "cpu") & (table["degree"] >= HIGH_DEGREE - 1)]
    exponents = [
        f"{statistics.slope(rows['degree'], rows['median_ms']):.2f} ({algorithm})"
        for algorithm, rows in table.groupby("algorithm", sort=False)
        if len(rows) > 1
    ]
    return f"From degree {HIGH_DEGREE} on: {', '.join(exponents)}." if exponents else ""


def vertex_bytes(evidence, row):
    return str(VERTEX_BYTES)


def vertices_in_memory(evidence, row):
    fits, largest = _memory(evidence) / VERTEX_BYTES, _printed(evidence, "largest graph that fits")
    return Count(f"{fits / 1e6:.1f} million vertices", {"SSSP": largest / 2 <= fits <= 2 * largest}, "")


def matrix_in_memory(evidence, row):
    vertices = math.sqrt(_memory(evidence) / DISTANCE_BYTES)
    return Count(f"{vertices:,.0f} vertices", {"Floyd-Warshall": vertices < FEW_THOUSAND}, "")


def _memory(evidence):
    """Bytes of the paper's card."""
    return 1e6 * _printed(evidence, "memory of the card")


def _printed(evidence, quantity):
    return select.printed(evidence.published, "harish2007", quantity)["value"].item()
