"""What the rows of Rejaud's claims cannot say: the report's own table, its five configurations, and compute times."""

from dataclasses import replace
from operator import itemgetter

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import select, style
from warpath.results.claims.sides import Comparison, best, merged, ratio, ratios, run, slowest
from warpath.results.claims.verdict import median, remark
from warpath.results.evidence import Graphs, missing_reason, subjects
from warpath.results.papers.rejaud import INCORE, ONE_SCAN, OUTCORE, SHARED, TO_PROCESS_EDGE

NETWORKS = ["amazon0312", "roadNet-CA", "web-Google", "higgs-social_network", "soc-pokec", "soc-LiveJournal1"]
ENOUGH = 400_000  # arcs of a network that the report's claims are about: some 200 for each of at most 2,048 threads
COMPUTE = "phase_compute_ms"
LARGEST = (1024, 2)  # the report's fastest configuration

LIVEJOURNAL_EDGES = 69e6
BYTES_AN_EDGE = 12  # source, target and weight, as the report stores them


def prepared(evidence):
    """Name the order of launches with shared memory, which are by target."""
    order = evidence.summary["order"]
    unnamed = (evidence.summary["algorithm"] == SHARED) & order.isna()
    return replace(evidence, summary=evidence.summary.assign(order=order.mask(unnamed, "target")))


def groups(evidence):
    large = replace(evidence, summary=evidence.summary[evidence.summary["arcs"] >= ENOUGH])
    called = f"the report's networks and others of {ENOUGH:,} arcs or more"
    return {
        "networks": Graphs(called, list(dict.fromkeys([*NETWORKS, *subjects(large, "")]))),
        "largest": Graphs("the report's two largest networks", ["roadNet-CA", "soc-LiveJournal1"]),
    }


def own_table(evidence, row):
    """The ratio of both sides by the report's own table; of a side of several algorithms the first counts."""
    quantity = "compute time" if row.get("numbers") == "compute_only" else "time"
    slow, fast = (_printed(evidence, row[side], quantity) for side in ("slow", "fast"))
    return _from_to((slow / fast).dropna().filter(row["graphs"].names))


def _printed(evidence, side, quantity):
    """The shortest time of all configurations that the report prints for each graph."""
    printed = select.printed(evidence.published, "rejaud", quantity)
    rows = printed[printed["algorithm"] == side.algorithms[0]]
    rows = rows[rows["order"].fillna("target") == side.axes["order"]] if "order" in side.axes else rows
    return rows.groupby("graph")["value"].min()


def _from_to(ratios):
    graphs = dict.fromkeys([ratios.idxmin(), ratios.idxmax()])
    ends = (f"{style.factor(ratios[graph])} on {graph}" for graph in graphs)
    return f"The report's own table gives {' to '.join(ends)}."


def own_spreads(evidence, row):
    cells = _printed_cells(evidence, row["of"]).groupby(["graph", "algorithm", "order"])
    return _from_to((cells.max() / cells.min()).groupby("graph").max())


def _printed_cells(evidence, algorithms):
    """The cells of the report's table, by graph, algorithm, order, block and grid; its two times are added up."""
    printed = evidence.published
    rows = printed[(printed["paper"] == "rejaud") & printed["algorithm"].isin(algorithms) & printed["block"].notna()]
    return rows.groupby(["graph", "algorithm", "order", "block", "grid"])["value"].sum()


def spreads(evidence, row):
    """The largest ratio on each graph, once all five configurations are known for every planned variant and order."""
    estimates, reasons = [], {}
    for graph in row["graphs"].names:
        planned = select.runs(evidence.summary, row["of"], [graph]).groupby(["algorithm", "order"]).groups
        found = [_spread(evidence, graph, *group) for group in planned]
        if found and all(found):
            largest = max(found, key=lambda spread: spread.value)
            # Above a mark once one of them is, and below it only if all are.
            low, high = (max(getattr(spread, end) for spread in found) for end in ("low", "high"))
            estimates.append(largest._replace(low=low, high=high))
        elif found:
            reasons[graph] = "not all five configurations are known"
    return Comparison(estimates, missing_reason(evidence, row["of"], row["graphs"].description), reasons)


def _configured(evidence, graph, algorithm, order):
    """The run that counts for each of the five configurations; None where one is not known."""
    return {
        (block, grid): run(evidence, best(algorithm, order=order, block=block, grid=grid), graph)
        for block, grid in CONFIGURATIONS
    }


def _spread(evidence, graph, algorithm, order):
    rows = list(_configured(evidence, graph, algorithm, order).values())
    if not all(rows):
        return None
    finished = [row for row in rows if row["status"] != "timeout"]
    return ratio(evidence, slowest(rows), min(finished or rows, key=itemgetter("median_ms")))


def largest_block(evidence, row):
    graphs = row["graphs"]
    parts = {"outcore": OUTCORE, "incore": INCORE}
    return merged(**{part: _largest_block(evidence, algorithm, graphs) for part, algorithm in parts.items()})


def _largest_block(evidence, algorithm, graphs):
    """On each graph the fastest other configuration over (1024, 2), once all five are known; edges by source."""
    estimates, reasons = [], {}
    for graph in graphs.names:
        rows = _configured(evidence, graph, algorithm, "source")
        largest = rows.pop(LARGEST)
        fastest = min(rows.values(), key=itemgetter("median_ms")) if all(rows.values()) else None
        if estimate := ratio(evidence, fastest, largest):
            estimates.append(estimate)
        elif any([largest, *rows.values()]):
            reasons[graph] = "not all five configurations are known"
    return Comparison(estimates, missing_reason(evidence, [algorithm], graphs.description), reasons)


def compute_only(evidence, row):
    """The ratios of whole solves without finding and packing the edges, as the report's comparison has them."""
    timings = evidence.timings
    if COMPUTE not in timings:
        return Comparison([], missing_reason(evidence, row["fast"].algorithms, row["graphs"].description), {})
    relaxing = timings.assign(solve_ms=timings[COMPUTE].fillna(timings["solve_ms"]))  # Bellman-Ford does nothing else
    times = ratios(replace(evidence, timings=relaxing), row["slow"], row["fast"], row["graphs"])
    return times._replace(estimates=[estimate for estimate in times.estimates if not estimate.bound], unmeasured={})


def by_whole_solves(evidence, row):
    solves = [each.value for each in ratios(evidence, row["slow"], row["fast"], row["graphs"]).estimates]
    return f"By whole solves: {style.factor(min(solves))} to {style.factor(max(solves))}." if solves else ""


def computed(evidence, row):
    times = select.printed(evidence.published, "rejaud", "compute time")["value"]
    return (
        "Which of the two times in a cell of the report's table is which is inferred; by that the computation takes "
        f"{times.min():g} to {times.max():g} ms, where the text says 0.2 to 2."
    )


def with_one_scan(evidence, row):
    factor = median(ratios(evidence, best(*ONE_SCAN), best(*TO_PROCESS_EDGE), row["graphs"]).estimates)
    if not factor:
        return ""
    return (
        "With the filter as the text has it, which looks at edges once and copies what it found in one block, a solve "
        f"takes {factor} as long as with the one that looks twice, in the median."
    )


def printed_times_possible(evidence, row):
    on_livejournal = _printed_cells(evidence, TO_PROCESS_EDGE)["soc-LiveJournal1"]  # to filter and to compute
    least, most = on_livejournal.min(), on_livejournal.max()
    here = (evidence.rates or {}).get("copy_bytes_per_s")
    slow, fast = (LIVEJOURNAL_EDGES * BYTES_AN_EDGE / (milliseconds / 1e3) for milliseconds in (most, least))
    yield remark(
        "printed-times-possible",
        "table of all data points",
        f"The printed to-process-edge times on the 69 million edges of LiveJournal, {least:.2f} to {most:.2f} ms to "
        "filter and compute, are not those of whole solves.",
        "Bandwidth needed to read each edge (12 bytes) once in that time, against the 900 GB/s of a Tesla V100; the "
        "report does not name its card.",
        f"{slow / 1e9:,.0f} to {fast / 1e9:,.0f} GB/s",
        "A solve reads the graph in every round, with at most 8 blocks and so at most 8 multiprocessors: these times "
        "do not even suffice to read it once. They can only be those of a part, such as the last round."
        + (f" This study's device copies {here / 1e9:,.0f} GB/s with all of its multiprocessors." if here else ""),
    )
