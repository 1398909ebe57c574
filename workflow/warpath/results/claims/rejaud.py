"""What Rejaud concluded on a card that the report does not name."""

from dataclasses import replace
from operator import itemgetter

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import select, style
from warpath.results.claims._sides import Comparison, best, merged, ratio, ratios, run, slowest, worst
from warpath.results.claims._verdict import judge_times, median, remark
from warpath.results.evidence import (
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
from warpath.results.papers.rejaud import BELLMAN_FORD, INCORE, ONE_SCAN, OUTCORE, SHARED, TO_PROCESS_EDGE

UNSHARED = [OUTCORE, INCORE]  # with shared memory, the report says, the configuration does matter
NETWORKS = ["amazon0312", "roadNet-CA", "web-Google", "higgs-social_network", "soc-pokec", "soc-LiveJournal1"]
ENOUGH = 400_000  # arcs of a network that the report's claims are about: some 200 for each of at most 2,048 threads
POKEC, ROADS, HIGGS = (Graphs(name, [name]) for name in ("soc-pokec", "roadNet-CA", "higgs-social_network"))
LARGE = Graphs("the report's two largest networks", ["roadNet-CA", "soc-LiveJournal1"])
COMPUTE = "phase_compute_ms"
LITTLE = 1.5  # up to this factor, a choice "hardly matters" and two times are "tied"
MARGINAL = 1.25  # up to this factor, one is "marginally" sized, and "works well" beside another
TOO_LONG = 2
LARGEST = (1024, 2)  # the report's fastest configuration

LIVEJOURNAL_EDGES = 69e6
BYTES_AN_EDGE = 12  # source, target and weight, as the report stores them


def claims(evidence):
    order = evidence.summary["order"]
    unnamed = (evidence.summary["algorithm"] == SHARED) & order.isna()  # launches with shared memory are by target
    evidence = replace(evidence, summary=evidence.summary.assign(order=order.mask(unnamed, "target")))
    large = replace(evidence, summary=evidence.summary[evidence.summary["arcs"] >= ENOUGH])
    names = list(dict.fromkeys([*NETWORKS, *subjects(large, "")]))
    graphs = Graphs(f"the report's networks and others of {ENOUGH:,} arcs or more", names)
    for name, algorithm, place in (
        ("source-order-faster", OUTCORE, "section 2, outcore"),
        ("source-order-faster-in-core", INCORE, "section 2, incore"),
    ):
        core = "Out of core" if algorithm == OUTCORE else "In core"
        yield judge_times(
            name,
            place,
            f"{core}, edges sorted by source are about twice as fast as edges sorted by target.",
            f"Time of {algorithm} with edges sorted by target over that by source, fastest configuration of each.",
            ratios(evidence, best(algorithm, order="target"), best(algorithm, order="source"), graphs),
            sized(about_twice()),
            _own_table(_printed(evidence, algorithm, "target") / _printed(evidence, algorithm, "source")),
        )
    yield judge_times(
        "incore-faster",
        "section 2, incore",
        "Updating one distance array inside the kernel is about twice as fast as copying it outside.",
        "Time of bmf_outcore over that of bmf_incore, fastest launch of each.",
        ratios(evidence, best(OUTCORE), best(INCORE), graphs),
        sized(about_twice()),
        f"{_own_table(_printed(evidence, OUTCORE) / _printed(evidence, INCORE))} Its in-core row of web-Google repeats "
        "the out-of-core row almost digit for digit and is evidently a copy.",
    )
    yield judge_times(
        "incore-by-target-ties-outcore-by-source",
        "section 2, incore",
        "In core with edges sorted by target is as fast as out of core with edges sorted by source.",
        "Time of bmf_outcore by source over that of bmf_incore by target, fastest configuration of each.",
        ratios(evidence, best(OUTCORE, order="source"), best(INCORE, order="target"), graphs),
        within(1 / LITTLE, LITTLE),
        f"{_own_table(_printed(evidence, OUTCORE, 'source') / _printed(evidence, INCORE, 'target'))} One paragraph on, "
        "the report calls in core by target quicker than out of core.",
    )
    yield judge_times(
        "incore-by-target-still-faster",
        "section 2, incore",
        "Even with edges sorted by target, in core is faster than out of core, with or without shared memory.",
        "Time of the faster of bmf_outcore and bmf_shared over that of bmf_incore, all with edges sorted by target, "
        "fastest configuration of each.",
        ratios(evidence, best(OUTCORE, SHARED, order="target"), best(INCORE, order="target"), graphs),
        at_least(1),
        _own_table(_printed(evidence, OUTCORE, "target") / _printed(evidence, INCORE, "target")),
    )
    yield judge_times(
        "shared-memory-slowest",
        "section 2, shared memory, and conclusion",
        "A segmented scan in shared memory makes Bellman-Ford slower than either version without it.",
        "Time of bmf_shared over that of the slower of bmf_outcore and bmf_incore, fastest launch of each.",
        ratios(evidence, best(SHARED, order="target"), worst(OUTCORE, INCORE), graphs),
        at_least(1),
    )
    yield judge_times(
        "incore-over-shared",
        "section 2, incore",
        "In core is about three times as fast as with shared memory.",
        "Time of bmf_shared over that of bmf_incore, fastest launch of each.",
        ratios(evidence, best(SHARED, order="target"), best(INCORE), graphs),
        sized(about(3)),
        _own_table(_printed(evidence, SHARED) / _printed(evidence, INCORE)),
    )
    yield judge_times(
        "shared-memory-terrible-on-large",
        "section 2, shared memory",
        "On roadNet-CA and LiveJournal, shared memory takes up to 5 times as long as the other versions.",
        "Time of bmf_shared over that of the faster of bmf_outcore and bmf_incore.",
        ratios(evidence, best(SHARED, order="target"), best(OUTCORE, INCORE), LARGE),
        sized(about(5)),
    )
    yield judge_times(
        "shared-memory-good-on-pokec",
        "section 2, shared memory",
        "On Pokec, shared memory works well beside the other version out of core.",
        "Time of bmf_shared over that of bmf_outcore, both with edges sorted by target, fastest configuration of each.",
        ratios(evidence, best(SHARED, order="target"), best(OUTCORE, order="target"), POKEC),
        at_most(MARGINAL),
        _own_table((_printed(evidence, SHARED) / _printed(evidence, OUTCORE, "target"))[POKEC.names]),
    )
    yield judge_times(
        "shared-memory-by-source-too-long",
        "section 2, shared memory",
        "With edges sorted by source, shared memory would take way too long. (The report did not try.)",
        f"Time of bmf_shared with edges sorted by source over that by target, fastest configuration of each (by source "
        f"of those measured, the two smallest blocks); way too long is {TOO_LONG}× and more.",
        ratios(evidence, best(SHARED, order="source"), best(SHARED, order="target"), graphs),
        at_least(TOO_LONG),
    )
    for name, place, kind, algorithms in (
        ("configuration-hardly-matters", "section 2", "In Bellman-Ford without shared memory", UNSHARED),
        ("configuration-hardly-matters-with-a-list", "section 3", "With a list of edges to process", TO_PROCESS_EDGE),
    ):
        cells = _printed_cells(evidence, algorithms).groupby(["graph", "algorithm", "order"])
        yield judge_times(
            name,
            place,
            f"{kind}, threads per block and number of blocks hardly matter.",
            "Time of the slowest of the five configurations over that of the fastest, same variant and edge order; the "
            "largest of these ratios on each graph.",
            _spreads(evidence, graphs, algorithms),
            at_most(LITTLE),
            _own_table((cells.max() / cells.min()).groupby("graph").max()),
        )
    yield judge_times(
        "largest-block-fastest",
        "section 2, outcore and incore",
        "With edges sorted by source, (1024, 2) is slightly the fastest configuration, out of core and in core.",
        "Time of the fastest of the other four configurations over that of (1024, 2), edges sorted by source.",
        merged(outcore=_largest_block(evidence, OUTCORE, graphs), incore=_largest_block(evidence, INCORE, graphs)),
        at_least(1),
    )
    outcore, incore = (_versions(evidence, algorithm) for algorithm in TO_PROCESS_EDGE)
    computed = select.printed(evidence.published, "rejaud", "compute time")["value"]
    for name, place, core, versions, mark in (
        ("to-process-edge-faster-out-of-core", "section 3, outcore", "Out of core", outcore, 1000),
        ("to-process-edge-faster", "section 3, incore", "In core", incore, 100),
    ):
        sides = best(*BELLMAN_FORD), best(*versions)
        solves = [estimate.value for estimate in ratios(evidence, *sides, graphs).estimates]
        span = f"By whole solves: {style.factor(min(solves))} to {style.factor(max(solves))}. " if solves else ""
        yield judge_times(
            name,
            place,
            f"{core}, packing the edges to process into a list is at least {mark} times faster than Bellman-Ford, by "
            "compute time alone.",
            f"Time of the fastest Bellman-Ford over the compute kernel of {' or '.join(versions)}.",
            _compute_only(evidence, *sides, graphs),
            sized(at_least(mark)),
            f"{span}Which of the two times in a cell of the report's table is which is inferred; by that the "
            f"computation takes {computed.min():g} to {computed.max():g} ms, where the text says 0.2 to 2.",
        )
    factor = median(ratios(evidence, best(*ONE_SCAN), best(*TO_PROCESS_EDGE), graphs).estimates)
    yield judge_times(
        "to-process-edge-always-pays",
        "section 4",
        "It is always a benefit to use a to-process-edge version and not Bellman-Ford.",
        "Time of the fastest Bellman-Ford over that of the fastest to-process-edge version, whole solves.",
        ratios(evidence, best(*BELLMAN_FORD), best(*outcore, *incore), graphs),
        at_least(1),
        "With the filter as the text has it, which looks at edges once and copies what it found in one block, a solve "
        f"takes {factor} as long as with the one that looks twice, in the median."
        if factor
        else "",
    )
    yield judge_times(
        "to-process-edge-incore-marginal",
        "section 3, incore; section 4",
        "Of the to-process-edge versions, in core is only marginally faster.",
        "Time of tpe_outcore over that of tpe_incore, fastest launch of each.",
        ratios(evidence, best(TO_PROCESS_EDGE[0]), best(TO_PROCESS_EDGE[1]), graphs),
        sized(within(1, MARGINAL), at_least(1)),
    )
    yield judge_times(
        "to-process-edge-indifferent-to-order",
        "section 3, outcore and incore",
        "With a list of edges to process, the order of the edges makes no big difference.",
        "Time with edges sorted by target over that by source, fastest configuration of each.",
        merged(
            **{
                algorithm.removeprefix("sssp/"): ratios(
                    evidence, best(algorithm, order="target"), best(algorithm, order="source"), graphs
                )
                for algorithm in TO_PROCESS_EDGE
            }
        ),
        within(1 / LITTLE, LITTLE),
    )
    for name, graph, gist, slow, fast in (
        ("to-process-edge-by-source-faster-on-roads", ROADS, "less time by source", "target", "source"),
        ("to-process-edge-by-source-slower-on-higgs", HIGGS, "more time by source", "source", "target"),
    ):
        sides = [best(TO_PROCESS_EDGE[0], order=order) for order in (slow, fast)]
        times = [_printed(evidence, TO_PROCESS_EDGE[0], order, "compute time") for order in (slow, fast)]
        yield judge_times(
            name,
            "section 3, outcore",
            f"On {graph.description}, computing with a list of edges takes {gist} than by target. (The report does not "
            "find it noticeable.)",
            f"Compute time of {TO_PROCESS_EDGE[0]} with edges sorted by {slow} over that by {fast}, fastest "
            "configuration of each.",
            _compute_only(evidence, *sides, graph),
            at_least(1),
            _own_table((times[0] / times[1])[graph.names]),
        )
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


def _printed(evidence, algorithm, order=None, quantity="time"):
    """The shortest time of all configurations that the report prints for each graph."""
    printed = select.printed(evidence.published, "rejaud", quantity)
    rows = printed[(printed["algorithm"] == algorithm) & (printed["order"].eq(order) if order else True)]
    return rows.groupby("graph")["value"].min()


def _printed_cells(evidence, algorithms):
    """The cells of the report's table, by graph, algorithm, order, block and grid; its two times are added up."""
    printed = evidence.published
    rows = printed[(printed["paper"] == "rejaud") & printed["algorithm"].isin(algorithms) & printed["block"].notna()]
    return rows.groupby(["graph", "algorithm", "order", "block", "grid"])["value"].sum()


def _own_table(ratios):
    graphs = dict.fromkeys([ratios.idxmin(), ratios.idxmax()])
    ends = (f"{style.factor(ratios[graph])} on {graph}" for graph in graphs)
    return f"The report's own table gives {' to '.join(ends)}."


def _spreads(evidence, graphs, algorithms):
    """The largest ratio on each graph, once all five configurations are known for every planned variant and order."""
    estimates, reasons = [], {}
    for graph in graphs.names:
        planned = select.runs(evidence.summary, algorithms, [graph]).groupby(["algorithm", "order"]).groups
        spreads = [_spread(evidence, graph, *group) for group in planned]
        if spreads and all(spreads):
            largest = max(spreads, key=lambda spread: spread.value)
            # Above a mark once one of them is, and below it only if all are.
            low, high = (max(getattr(spread, end) for spread in spreads) for end in ("low", "high"))
            estimates.append(largest._replace(low=low, high=high))
        elif spreads:
            reasons[graph] = "not all five configurations are known"
    return Comparison(estimates, missing_reason(evidence, algorithms, graphs.description), reasons)


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


def _versions(evidence, algorithm):
    """A to-process-edge algorithm, and with the filter of the report's text where the study runs that."""
    names = [algorithm, f"{algorithm}_one_scan"]
    return [name for name in names if name == algorithm or name in set(evidence.summary["algorithm"])]


def _compute_only(evidence, slow, fast, graphs):
    """The ratios of whole solves without finding and packing the edges, as the report's comparison has them."""
    timings = evidence.timings
    if COMPUTE not in timings:
        return Comparison([], missing_reason(evidence, fast.algorithms, graphs.description), {})
    relaxing = timings.assign(solve_ms=timings[COMPUTE].fillna(timings["solve_ms"]))  # Bellman-Ford does nothing else
    times = ratios(replace(evidence, timings=relaxing), slow, fast, graphs)
    return times._replace(estimates=[estimate for estimate in times.estimates if not estimate.bound], unmeasured={})
