"""What Rejaud concluded on a card that the report does not name."""

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import select, style
from warpath.results.claims._sides import Comparison, best, ratio, ratios, run, worst
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.evidence import Count, Graphs, at_least, at_most, missing_reason
from warpath.results.papers.rejaud import BELLMAN_FORD, INCORE, OUTCORE, SHARED, TO_PROCESS_EDGE

UNSHARED = [OUTCORE, INCORE, *TO_PROCESS_EDGE]  # with shared memory, the report says, the configuration does matter
GRAPHS = Graphs(
    "the report's networks",
    ["amazon0312", "roadNet-CA", "web-Google", "higgs-social_network", "soc-pokec", "soc-LiveJournal1"],
)

LIVEJOURNAL_EDGES = 69e6
BYTES_AN_EDGE = 12  # source, target and weight, as the report stores them
BANDWIDTH = 900e9  # bytes a second, of a Tesla V100: generous for a card without a name


def claims(evidence):
    yield judge_times(
        "source-order-faster",
        "section 2, outcore",
        "Out of core, edges sorted by source are about twice as fast as edges sorted by target.",
        "Time of bmf_outcore with edges sorted by target over that by source, fastest configuration of each; holds "
        "from 1.5.",
        ratios(evidence, best(OUTCORE, order="target"), best(OUTCORE, order="source"), GRAPHS),
        at_least(1.5),
        _own_table(_printed(evidence, OUTCORE, "target") / _printed(evidence, OUTCORE, "source")),
    )
    yield judge_times(
        "incore-faster",
        "section 2, incore",
        "Updating one distance array inside the kernel is about twice as fast as copying it outside.",
        "Time of bmf_outcore over that of bmf_incore, fastest launch of each; holds from 1.",
        ratios(evidence, best(OUTCORE), best(INCORE), GRAPHS),
        at_least(1),
        f"{_own_table(_printed(evidence, OUTCORE) / _printed(evidence, INCORE))} Its in-core row of web-Google repeats "
        "the out-of-core row almost digit for digit and is evidently a copy.",
    )
    yield judge_times(
        "shared-memory-slowest",
        "section 2, shared memory, and conclusion",
        "A segmented scan in shared memory makes Bellman-Ford slower than either version without it.",
        "Time of bmf_shared over that of the slower of bmf_outcore and bmf_incore, fastest launch of each; holds from "
        "1.",
        ratios(evidence, best(SHARED), worst(OUTCORE, INCORE), GRAPHS),
        at_least(1),
    )
    yield judge_times(
        "configuration-hardly-matters",
        "sections 2 and 3",
        "Without shared memory, threads per block and number of blocks hardly matter.",
        "Time of the slowest of the five configurations over that of the fastest, same variant and edge order; the "
        "largest of these ratios on each graph; holds up to 1.5.",
        _spreads(evidence),
        at_most(1.5),
        _own_table(_printed_spreads(evidence)),
    )
    solves = ratios(evidence, best(*BELLMAN_FORD), best(*TO_PROCESS_EDGE), GRAPHS)
    yield judge_times(
        "to-process-edge-faster",
        "section 3",
        "Packing the edges to process into a list is 100 to 1000 times faster than Bellman-Ford, by compute time "
        "alone.",
        "Time of the fastest Bellman-Ford over the compute kernel of the fastest to-process-edge version; holds from "
        "100.",
        _compute_only(evidence, solves),
        at_least(100),
        _range(solves),
    )
    least, most = _printed_on_livejournal(evidence)
    slow, fast = (LIVEJOURNAL_EDGES * BYTES_AN_EDGE / (milliseconds / 1e3) for milliseconds in (most, least))
    yield judge_count(
        "printed-times-possible",
        "table of all data points",
        f"The printed to-process-edge times on the 69 million edges of LiveJournal, {least:.2f} to {most:.2f} ms to "
        "filter and compute, are those of a whole solve.",
        "Bandwidth needed to read each edge (12 bytes) once in that time, against the 900 GB/s of a Tesla V100; the "
        "report does not name its card.",
        Count(f"{slow / 1e9:,.0f} to {fast / 1e9:,.0f} GB/s", {"LiveJournal": slow <= BANDWIDTH}, missing=""),
        "A solve reads the graph in every round, with at most 8 blocks and so at most 8 multiprocessors: these times "
        "do not even suffice to read it once. They can only be those of a part, such as the last round."
        + _bandwidth_here(evidence),
    )


def _bandwidth_here(evidence):
    here = (evidence.rates or {}).get("copy_bytes_per_s")
    return f" This study's device copies {here / 1e9:,.0f} GB/s with all of its multiprocessors." if here else ""


def _printed(evidence, algorithm, order=None):
    """The shortest time of all configurations that the report prints for each graph."""
    printed = select.printed(evidence.published, "rejaud")
    rows = printed[(printed["algorithm"] == algorithm) & (printed["order"].eq(order) if order else True)]
    return rows.groupby("graph")["value"].min()


def _own_table(ratios):
    ends = (f"{style.factor(ratios[graph])} on {graph}" for graph in (ratios.idxmin(), ratios.idxmax()))
    return f"The report's own table gives {' to '.join(ends)}."


def _printed_spreads(evidence):
    """The same ratios in the report's own table, with filter and compute time added up."""
    printed = evidence.published
    rows = printed[(printed["paper"] == "rejaud") & printed["algorithm"].isin(UNSHARED) & printed["block"].notna()]
    times = rows.groupby(["graph", "algorithm", "order", "block", "grid"])["value"].sum()
    least, most = (times.groupby(["graph", "algorithm", "order"]).agg(end) for end in ("min", "max"))
    return (most / least).groupby("graph").max()


def _spreads(evidence):
    """The largest ratio on each graph, once all five configurations are known for every planned variant and order."""
    estimates, reasons = [], {}
    for graph in GRAPHS.names:
        planned = select.of(evidence.summary, UNSHARED, [graph]).groupby(["algorithm", "order"]).groups
        spreads = [_spread(evidence, graph, *group) for group in planned]
        if spreads and all(spreads):
            estimates.append(max(spreads, key=lambda spread: spread.value))
        elif spreads:
            reasons[graph] = "not all five configurations are known"
    return Comparison(estimates, missing_reason(evidence, UNSHARED, GRAPHS.description), reasons)


def _spread(evidence, graph, algorithm, order):
    sides = (best(algorithm, order=order, block=block, grid=grid) for block, grid in CONFIGURATIONS)
    rows = [run(evidence, side, graph) for side in sides]
    if not all(rows):
        return None
    rows.sort(key=lambda row: row["median_ms"])
    return ratio(evidence, rows[-1], rows[0])


def _compute_only(evidence, solves):
    """The ratios of whole solves, scaled to exclude finding and packing the edges, as the report's comparison does."""
    rows = filter(None, (run(evidence, best(*TO_PROCESS_EDGE), graph) for graph in GRAPHS.names))
    shares = {select.label(row): row.get("phase_compute_ms", 0) / row["median_ms"] for row in rows}
    estimates = [
        _scaled(estimate, 1 / shares[estimate.subject])
        for estimate in solves.estimates
        if not estimate.bound and shares[estimate.subject] > 0
    ]
    return solves._replace(estimates=estimates, unmeasured={})


def _scaled(estimate, factor):
    return estimate._replace(value=estimate.value * factor, low=estimate.low * factor, high=estimate.high * factor)


def _range(solves):
    values = [estimate.value for estimate in solves.estimates]
    return f"By whole solves: {style.factor(min(values))} to {style.factor(max(values))}." if values else ""


def _printed_on_livejournal(evidence):
    """The shortest and the longest to-process-edge time that the report prints, filter and compute time added up."""
    printed = evidence.published
    rows = printed[
        (printed["paper"] == "rejaud")
        & (printed["graph"] == "soc-LiveJournal1")
        & printed["algorithm"].isin(TO_PROCESS_EDGE)
    ]
    times = rows.groupby(["algorithm", "block", "order"])["value"].sum()
    return times.min(), times.max()
