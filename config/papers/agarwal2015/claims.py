"""What the rows of Agarwal and Dutta's claims cannot say: their graphs, and where launches alone were compared."""

from warpath.results import select
from warpath.results.claims.sides import best, ratios
from warpath.results.claims.verdict import median
from warpath.results.evidence import Graphs
from warpath.results.papers.agarwal2015 import BASIC, DENSE, EARLY_EXIT, GENERAL, LARGE_ROUNDS, TWO_FLAGS, launches


def groups(evidence):
    sparse = list(select.printed(evidence.published, "agarwal2015")["graph"].unique())
    others = [*GENERAL, *DENSE, *LARGE_ROUNDS]
    return {
        "sparse": Graphs("the Gnutella networks", sparse),
        "others": Graphs("general and dense graphs", others),
        "every": Graphs("sparse, general and dense graphs", [*sparse, *others]),
    }


def printed(evidence, row):
    rows = select.printed(evidence.published, "agarwal2015")
    times = rows.pivot(index=["graph", "device"], columns="algorithm", values="value")
    then = times[BASIC] / times[TWO_FLAGS]
    return f"{then.min():.1f}× to {then.max():.1f}×"


def launches_alone(evidence, row):
    """Say where a round's kernel costs no more than its launch, so that numbers of launches are compared."""
    table = launches(evidence.summary)
    names = [graph for graph in table["graph"] if graph.removesuffix(" (stand-in)") in row["graphs"].names]
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


def against_early_exit(evidence, row):
    early = median(ratios(evidence, best(EARLY_EXIT), best(BASIC), row["graphs"]).estimates)
    return f"Against a serial version that stops early, sssp/bellman_ford is {early} as fast." if early else ""
