"""What Rejaud concluded on a card that the report does not name."""

from functools import partial

from warpath.results import select, style
from warpath.results.evidence import (
    Comparison,
    Count,
    Graphs,
    absent,
    ask,
    at_least,
    at_most,
    compare,
    compared,
    counted,
    fastest,
    over,
)

OUT, SHARED, IN = "sssp/bmf_outcore", "sssp/bmf_shared", "sssp/bmf_incore"
BELLMAN_FORD = [OUT, SHARED, IN]
TO_PROCESS = ["sssp/tpe_outcore", "sssp/tpe_incore"]
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
        _target_over_source(evidence),
        at_least(1.5),
    )
    yield ask(
        "incore-faster",
        "section 2, incore",
        "Updating one distance array in the kernel is faster, about twice, than copying outside of it.",
        "Fastest bmf_outcore over fastest bmf_incore; holds above 1.",
        over(evidence, [OUT], [IN], GRAPHS),
        at_least(1),
    )
    yield ask(
        "shared-memory-slowest",
        "section 2, shared memory, and conclusion",
        "A segmented scan in shared memory makes Bellman-Ford slower than either version without.",
        "bmf_shared over the slower of bmf_outcore and bmf_incore, fastest launch of each; holds above 1.",
        _shared_over_slower(evidence),
        at_least(1),
    )
    yield ask(
        "configuration-hardly-matters",
        "sections 2 and 3",
        "It hardly matters how many threads a block and how many blocks are launched.",
        "Slowest over fastest of the five configurations, the same variant and order, the worst of these on each "
        "graph; holds up to 1.25.",
        Comparison(_spreads(evidence), absent(evidence, BELLMAN_FORD, GRAPHS.called)),
        at_most(1.25),
    )
    yield ask(
        "to-process-edge-faster",
        "section 3",
        "Packing the edges to process into a list makes it 100 to 1000 times faster than Bellman-Ford.",
        "Fastest Bellman-Ford over fastest to-process-edge version, whole solves; holds from 100.",
        over(evidence, BELLMAN_FORD, TO_PROCESS, GRAPHS, needs=[OUT, *TO_PROCESS]),
        at_least(100),
        _computing_only(evidence),
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


def _target_over_source(evidence):
    target, source = (partial(fastest, evidence, [OUT], order=order) for order in ("target", "source"))
    return Comparison(compared(evidence, target, source, GRAPHS.names), absent(evidence, [OUT], GRAPHS.called))


def _shared_over_slower(evidence):
    def slower(graph):
        rows = (fastest(evidence, [name], graph) for name in (OUT, IN))
        return max((row for row in rows if row), key=lambda row: row["median_ms"], default=None)

    found = compared(evidence, partial(fastest, evidence, [SHARED]), slower, GRAPHS.names)
    return Comparison(found, absent(evidence, BELLMAN_FORD, GRAPHS.called))


def _spreads(evidence):
    """The worst ratio of configurations on each graph, with the interval of that ratio."""
    found = []
    for graph in GRAPHS.names:
        rows = select.sound(select.of(evidence.summary, [OUT, IN], [graph]))
        groups = [group.sort_values("median_ms") for _, group in rows.groupby(["algorithm", "order"]) if len(group) > 1]
        if groups:
            worst = max(groups, key=lambda group: group["median_ms"].iloc[-1] / group["median_ms"].iloc[0])
            found.append(compare(evidence, worst.iloc[-1].to_dict(), worst.iloc[0].to_dict()))
    return found


def _computing_only(evidence):
    """The report's own comparison leaves out finding and packing the edges."""
    if "phase_compute_ms" not in evidence.summary:
        return ""
    ratios = []
    for graph in GRAPHS.names:
        plain, packed = fastest(evidence, BELLMAN_FORD, graph), fastest(evidence, TO_PROCESS, graph)
        if plain and packed and packed["phase_compute_ms"] > 0:
            ratios.append(plain["median_ms"] / packed["phase_compute_ms"])
    if not ratios:
        return ""
    low, high = style.factor(min(ratios)), style.factor(max(ratios))
    return f"By the computing kernel alone, as the report has it: {low} to {high}."


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
