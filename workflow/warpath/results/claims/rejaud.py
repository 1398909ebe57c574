"""What Rejaud concluded on a card that the report does not name."""

from warpath.results import select, style
from warpath.results.evidence import absent, at_least, at_most, compare, counted, fastest, gains, timed

OUT, SHARED, IN = "sssp/bmf_outcore", "sssp/bmf_shared", "sssp/bmf_incore"
BELLMAN_FORD = [OUT, SHARED, IN]
TO_PROCESS = ["sssp/tpe_outcore", "sssp/tpe_incore"]
GRAPHS = ["amazon0312", "roadNet-CA", "web-Google", "higgs-social_network", "soc-pokec", "soc-LiveJournal1"]
WHERE = "the report's networks"

LIVEJOURNAL_EDGES = 69e6
BYTES_AN_EDGE = 12  # source, target and weight, as the report stores them
BANDWIDTH = 900e9  # bytes a second, of a Tesla V100: a generous guess for a card that has no name


def claims(evidence):
    yield timed(
        _about(
            "source-order-faster",
            "section 2, outcore",
            "Out of core, edges sorted by source are about twice as fast as edges sorted by target.",
            "bmf_outcore by target over by source, fastest configuration of each; holds from 1.5.",
        ),
        _orders(evidence),
        at_least(1.5),
        absent(evidence, [OUT], WHERE),
    )
    yield timed(
        _about(
            "incore-faster",
            "section 2, incore",
            "Updating one distance array in the kernel is faster, about twice, than copying outside of it.",
            "Fastest bmf_outcore over fastest bmf_incore; holds above 1.",
        ),
        gains(evidence, [OUT], [IN], GRAPHS),
        at_least(1),
        absent(evidence, [OUT, IN], WHERE),
    )
    yield timed(
        _about(
            "shared-memory-slowest",
            "section 2, shared memory, and conclusion",
            "A segmented scan in shared memory makes Bellman-Ford slower than either version without.",
            "bmf_shared over the slower of bmf_outcore and bmf_incore, fastest launch of each; holds above 1.",
        ),
        _shared_over_slowest(evidence),
        at_least(1),
        absent(evidence, BELLMAN_FORD, WHERE),
    )
    yield timed(
        _about(
            "configuration-hardly-matters",
            "sections 2 and 3",
            "It hardly matters how many threads a block and how many blocks are launched.",
            "Slowest over fastest of the five configurations, the same variant and order, the worst of these on each "
            "graph; holds up to 1.25.",
        ),
        _spreads(evidence),
        at_most(1.25),
        absent(evidence, BELLMAN_FORD, WHERE),
    )
    yield timed(
        _about(
            "to-process-edge-faster",
            "section 3",
            "Packing the edges to process into a list makes it 100 to 1000 times faster than Bellman-Ford.",
            "Fastest Bellman-Ford over fastest to-process-edge version, whole solves; holds from 100.",
        ),
        gains(evidence, BELLMAN_FORD, TO_PROCESS, GRAPHS),
        at_least(100),
        absent(evidence, [OUT, *TO_PROCESS], WHERE),
        _computing_only(evidence),
    )
    yield _plausible(evidence)


def _about(name, place, gist, how):
    return {"paper": "rejaud", "name": name, "place": place, "gist": gist, "how": how}


def _orders(evidence):
    found = (
        compare(
            evidence,
            fastest(evidence, [OUT], graph, order="target"),
            fastest(evidence, [OUT], graph, order="source"),
        )
        for graph in GRAPHS
    )
    return [one for one in found if one]


def _shared_over_slowest(evidence):
    found = []
    for graph in GRAPHS:
        others = [row for row in (fastest(evidence, [name], graph) for name in (OUT, IN)) if row]
        shared = fastest(evidence, [SHARED], graph)
        if shared and others:
            found.append(compare(evidence, shared, max(others, key=lambda row: row["median_ms"])))
    return found


def _spreads(evidence):
    """The worst ratio of configurations on each graph, with the interval of that ratio."""
    found = []
    for graph in GRAPHS:
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
    for graph in GRAPHS:
        plain, packed = fastest(evidence, BELLMAN_FORD, graph), fastest(evidence, TO_PROCESS, graph)
        if plain and packed and packed["phase_compute_ms"] > 0:
            ratios.append(plain["median_ms"] / packed["phase_compute_ms"])
    if not ratios:
        return ""
    low, high = style.factor(min(ratios)), style.factor(max(ratios))
    return f"By the computing kernel alone, as the report has it: {low} to {high}."


def _plausible(evidence):
    """Arithmetic on the printed times; no run is needed."""
    printed = evidence.published
    printed = printed[
        (printed["paper"] == "rejaud")
        & (printed["graph"] == "soc-LiveJournal1")
        & printed["algorithm"].isin(TO_PROCESS)
    ]
    sums = printed.groupby(["algorithm", "block", "order"])["value"].sum()
    least, most = sums.min(), sums.max()
    rates = [LIVEJOURNAL_EDGES * BYTES_AN_EDGE / (time / 1e3) for time in (most, least)]
    here = (evidence.rates or {}).get("copy_bytes_per_s")
    return counted(
        _about(
            "printed-times-possible",
            "table of all data points",
            f"The printed to-process-edge times on LiveJournal's 69 million edges, {least:.2f} to {most:.2f} ms to "
            "filter and compute, are those of a whole solve.",
            "What reading each edge (12 bytes) once in that time would take, against the 900 GB/s of a Tesla V100; the "
            "report does not name its card.",
        ),
        f"{rates[0] / 1e9:,.0f} to {rates[1] / 1e9:,.0f} GB/s",
        {"LiveJournal": rates[0] <= BANDWIDTH},
        "",
        "A solve reads the graph in every round, and with at most 8 blocks at most 8 multiprocessors are at work: the "
        "graph cannot have been read even once. The printed times can only be those of a part, such as the last round."
        + (f" The device of this study copies {here / 1e9:,.0f} GB/s with all of its multiprocessors." if here else ""),
    )
