"""What Rejaud concluded on a card that the report does not name."""

from warpath.results import select, style
from warpath.results.claims._sides import Comparison, best, compare, over, run, worst
from warpath.results.claims._verdict import ask, counted
from warpath.results.evidence import Count, Graphs, absent, at_least, at_most

OUT, SHARED, IN = "sssp/bmf_outcore", "sssp/bmf_shared", "sssp/bmf_incore"
BELLMAN_FORD = [OUT, SHARED, IN]
TO_PROCESS = ["sssp/tpe_outcore", "sssp/tpe_incore"]
CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]  # block, grid: section 1
GRAPHS = Graphs(
    "the report's networks",
    ["amazon0312", "roadNet-CA", "web-Google", "higgs-social_network", "soc-pokec", "soc-LiveJournal1"],
)

LIVEJOURNAL_EDGES = 69e6
BYTES_AN_EDGE = 12  # source, target and weight, as the report stores them
BANDWIDTH = 900e9  # bytes a second, of a Tesla V100: a generous guess for a card that has no name


def claims(evidence):
    yield ask(
        "source-order-faster",
        "section 2, outcore",
        "Out of core, edges sorted by source are about twice as fast as edges sorted by target.",
        "bmf_outcore by target over by source, fastest configuration of each; holds from 1.5.",
        over(evidence, best(OUT, order="target"), best(OUT, order="source"), GRAPHS),
        at_least(1.5),
        _own_table(_printed(evidence, OUT, "target") / _printed(evidence, OUT, "source")),
    )
    yield ask(
        "incore-faster",
        "section 2, incore",
        "Updating one distance array in the kernel is faster, about twice, than copying outside of it.",
        "Fastest bmf_outcore over fastest bmf_incore; holds above 1.",
        over(evidence, best(OUT), best(IN), GRAPHS),
        at_least(1),
        f"{_own_table(_printed(evidence, OUT) / _printed(evidence, IN))} Its row of web-Google in core is the one out "
        "of core almost digit for digit, evidently copied.",
    )
    yield ask(
        "shared-memory-slowest",
        "section 2, shared memory, and conclusion",
        "A segmented scan in shared memory makes Bellman-Ford slower than either version without.",
        "bmf_shared over the slower of bmf_outcore and bmf_incore, fastest launch of each; holds above 1.",
        over(evidence, best(SHARED), worst(OUT, IN), GRAPHS),
        at_least(1),
    )
    yield ask(
        "configuration-hardly-matters",
        "sections 2 and 3",
        "Without shared memory it hardly matters how many threads a block and how many blocks are launched.",
        "Slowest over fastest of the five configurations, the same variant and order, the worst of these on each "
        "graph; holds up to 1.5.",
        _spreads(evidence),
        at_most(1.5),
        _own_table(_printed_spreads(evidence)),
    )
    whole = over(evidence, best(*BELLMAN_FORD), best(*TO_PROCESS), GRAPHS)
    yield ask(
        "to-process-edge-faster",
        "section 3",
        "Packing the edges to process into a list makes it 100 to 1000 times faster than Bellman-Ford, by the time of "
        "computing alone.",
        "Fastest Bellman-Ford over the computing kernel of the fastest to-process-edge version; holds from 100.",
        _computing_only(evidence, whole),
        at_least(100),
        _range(whole),
    )
    least, most = _printed_on_livejournal(evidence)
    slow, fast = (LIVEJOURNAL_EDGES * BYTES_AN_EDGE / (time / 1e3) for time in (most, least))
    here = (evidence.rates or {}).get("copy_bytes_per_s")
    yield counted(
        "printed-times-possible",
        "table of all data points",
        f"The printed to-process-edge times on LiveJournal's 69 million edges, {least:.2f} to {most:.2f} ms to filter "
        "and compute, are those of a whole solve.",
        "What reading each edge (12 bytes) once in that time would take, against the 900 GB/s of a Tesla V100; the "
        "report does not name its card.",
        Count(f"{slow / 1e9:,.0f} to {fast / 1e9:,.0f} GB/s", {"LiveJournal": slow <= BANDWIDTH}, missing=""),
        "A solve reads the graph in every round, and with at most 8 blocks at most 8 multiprocessors are at work: the "
        "graph cannot have been read even once. The printed times can only be those of a part, such as the last round."
        + (f" The device of this study copies {here / 1e9:,.0f} GB/s with all of its multiprocessors." if here else ""),
    )


def _printed(evidence, algorithm, order=None):
    """The report's own least time on each graph, of all configurations."""
    printed = select.printed(evidence.published, "rejaud")
    mine = printed[(printed["algorithm"] == algorithm) & (printed["order"].eq(order) if order else True)]
    return mine.groupby("graph")["value"].min()


def _own_table(ratios):
    ends = (f"{style.factor(ratios[graph])} on {graph}" for graph in (ratios.idxmin(), ratios.idxmax()))
    return f"The report's own table gives {' to '.join(ends)}."


def _printed_spreads(evidence):
    """The same of the report's own table; finding and computing together."""
    printed = evidence.published
    mine = (printed["paper"] == "rejaud") & printed["algorithm"].isin([OUT, IN, *TO_PROCESS]) & printed["block"].notna()
    times = printed[mine].groupby(["graph", "algorithm", "order", "block", "grid"])["value"].sum()
    least, most = (times.groupby(["graph", "algorithm", "order"]).agg(end) for end in ("min", "max"))
    return (most / least).groupby("graph").max()


def _spreads(evidence):
    """The worst ratio of configurations on each graph, where all five are known of every variant and order there."""
    variants = [OUT, IN, *TO_PROCESS]  # not in shared memory, to which the report says that configurations matter
    found, unmeasured = [], {}
    for graph in GRAPHS.names:
        planned = select.of(evidence.summary, variants, [graph]).groupby(["algorithm", "order"]).groups
        spreads = [_spread(evidence, graph, *group) for group in planned]
        if spreads and all(spreads):
            found.append(max(spreads, key=lambda spread: spread.value))
        elif spreads:
            unmeasured[graph] = "not all of the five configurations are known"
    return Comparison(found, absent(evidence, variants, GRAPHS.called), unmeasured)


def _spread(evidence, graph, algorithm, order):
    sides = (best(algorithm, order=order, block=block, grid=grid) for block, grid in CONFIGURATIONS)
    rows = [run(evidence, side, graph) for side in sides]
    if not all(rows):
        return None
    rows.sort(key=lambda row: row["median_ms"])
    return compare(evidence, rows[-1], rows[0])


def _computing_only(evidence, whole):
    """Whole solves without finding and packing the edges, which the report's own comparison leaves out."""
    packed = filter(None, (run(evidence, best(*TO_PROCESS), graph) for graph in GRAPHS.names))
    shares = {select.label(row): row.get("phase_compute_ms", 0) / row["median_ms"] for row in packed}
    found = [_scaled(one, 1 / shares[one.on]) for one in whole.found if not one.bound and shares[one.on] > 0]
    return whole._replace(found=found, unmeasured={})


def _scaled(found, factor):
    return found._replace(value=found.value * factor, low=found.low * factor, high=found.high * factor)


def _range(whole):
    ratios = [one.value for one in whole.found]
    return f"By whole solves: {style.factor(min(ratios))} to {style.factor(max(ratios))}." if ratios else ""


def _printed_on_livejournal(evidence):
    """The least and the most that the report prints for a to-process-edge solve, its parts added up."""
    printed = evidence.published
    printed = printed[
        (printed["paper"] == "rejaud")
        & (printed["graph"] == "soc-LiveJournal1")
        & printed["algorithm"].isin(TO_PROCESS)
    ]
    sums = printed.groupby(["algorithm", "block", "order"])["value"].sum()
    return sums.min(), sums.max()
