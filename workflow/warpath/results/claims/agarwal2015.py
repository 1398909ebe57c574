"""What Agarwal and Dutta concluded on a GeForce GTS 450 and a Tesla C2075."""

from warpath.results import select
from warpath.results.claims._sides import best, merged, ratios
from warpath.results.claims._verdict import judge_times, median
from warpath.results.evidence import Graphs, about, at_least, sized
from warpath.results.papers.agarwal2015 import (
    BASIC,
    DENSE,
    EARLY_EXIT,
    GENERAL,
    LARGE_ROUNDS,
    SERIAL,
    TWO_FLAGS,
    launches,
)

VERSIONS = (BASIC, TWO_FLAGS)
CONSIDERABLE = 2


def claims(evidence):
    printed = select.printed(evidence.published, "agarwal2015")
    times = printed.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    sparse = Graphs("the Gnutella networks", list(printed["graph"].unique()))
    others = Graphs("general and dense graphs", [*GENERAL, *DENSE, *LARGE_ROUNDS])
    yield judge_times(
        "two-flags-faster",
        "abstract; section 5, tables 1 and 2",
        "Relaxing only the edges whose tail changed, tracked by two flags, is up to twice as fast (abstract), 2 to 6 "
        "times at every size (tables).",
        "Time of sssp/bellman_ford over that of sssp/two_flags on the Gnutella networks, fastest launch of each.",
        ratios(evidence, best(BASIC), best(TWO_FLAGS), sparse),
        sized(about(2, 6)),
        f"{_launches(evidence, sparse)} The paper's own tables give {then.min():.1f}× to {then.max():.1f}×.".strip(),
    )
    yield judge_times(
        "two-flags-faster-with-many-edges",
        "section 5; section 5.1",
        "Two flags give a good speed-up where there are many edges, on general and on dense graphs.",
        f"The same on graphs of the kinds that the paper does not name: general ({', '.join(GENERAL)}) and dense "
        f"({', '.join([*DENSE, *LARGE_ROUNDS])}).",
        ratios(evidence, best(BASIC), best(TWO_FLAGS), others),
        at_least(1.05),
        _launches(evidence, others),
    )
    every = Graphs("sparse, general and dense graphs", [*sparse.names, *others.names])
    early = median(ratios(evidence, best(EARLY_EXIT), best(BASIC), every).estimates)
    yield judge_times(
        "speedup-over-serial",
        "section 6",
        "Both versions are considerably faster than a serial Bellman-Ford.",
        f"Time of {SERIAL}, which does V rounds as the paper's algorithm 1 does, over that of each version, fastest "
        f"launch of each; considerably is {CONSIDERABLE}× and more.",
        merged(**{name.removeprefix("sssp/"): ratios(evidence, best(SERIAL), best(name), every) for name in VERSIONS}),
        sized(at_least(CONSIDERABLE)),
        f"Against a serial version that stops early, sssp/bellman_ford is {early} as fast." if early else "",
    )


def _launches(evidence, graphs):
    """Say where a round's kernel costs no more than its launch, so that numbers of launches are compared."""
    table = launches(evidence.summary)
    names = [graph for graph in table["graph"] if graph.removesuffix(" (stand-in)") in graphs.names]
    table = table[table["graph"].isin(names)]
    alone = table[table["launches_alone"]]
    if alone.empty:
        return ""
    costs = alone[["basic_us", "two_flags_us"]]
    least, most = costs.min(axis=None), costs.max(axis=None)
    return (
        f"On {len(alone)} of {len(table)} graphs launches were compared, one a round against two, and not relaxations: "
        f"there a round's kernel takes no longer than its launch ({least:.1f} to {most:.1f} µs on both sides)."
    )
