"""Rejaud: the five variants of Bellman-Ford, and the times of the report's own table beside those measured here."""

import pandas as pd

from warpath.results import select, style
from warpath.results.claims import sides
from warpath.results.figures import require

TO_PROCESS_EDGE = ["sssp/tpe_outcore", "sssp/tpe_incore"]
VARIANTS = {  # and what they do
    "sssp/bmf_outcore": "Bellman-Ford, distances copied after each round",
    "sssp/bmf_shared": "Bellman-Ford, minima found in shared memory",
    "sssp/bmf_incore": "Bellman-Ford, distances changed in place",
    "sssp/tpe_outcore": "changed edges filtered first, distances copied",
    "sssp/tpe_incore": "changed edges filtered first, distances in place",
}
POINT = ["algorithm", "graph", "block", "grid", "order"]  # what identifies a time in the report's table


def then_and_now(tables):
    """A row per variant, graph, configuration and edge order: milliseconds in the report and here."""
    published = tables.published
    printed = published[(published["paper"] == "rejaud") & published["block"].notna()]
    then = printed.assign(order=printed["order"].fillna("target")).groupby(POINT)["value"].sum().rename("then_ms")
    rows = select.runs(tables.summary, VARIANTS, set(printed["graph"]))
    rows = rows.assign(
        order=rows["order"].fillna("target"),
        graph=select.subjects(rows),
        now_ms=rows["median_ms"].where(rows["status"] == select.SOUND),
    )
    phases = [name for name in ("phase_filter_ms", "phase_compute_ms") if name in rows]
    now = rows.astype({"block": float, "grid": float}).set_index(POINT)[["now_ms", "status", "stand_in_for", *phases]]
    require(now["now_ms"].dropna(), "no run of the five variants on the six networks has a right answer yet")
    return pd.concat([then, now], axis=1).reset_index()


def own_table(evidence, row):
    """The ratio of both sides by the report's own table; of a side of several algorithms the first counts."""
    slow, fast = (_printed(evidence, row[side]) for side in ("slow", "fast"))
    return _from_to((slow / fast).dropna().filter(row["graphs"].names))


def _printed(evidence, side):
    """The shortest time of all configurations that the report prints for each graph."""
    quantity = "compute time" if side.quantity == "compute" else "time"
    printed = select.printed(evidence.published, "rejaud", quantity)
    rows = printed[printed["algorithm"] == side.algorithms[0]]
    order = "target" if side.without else side.axes.get("order")
    rows = rows[rows["order"].fillna("target") == order] if order else rows
    return rows.groupby("graph")["value"].min()


def _from_to(ratios):
    graphs = dict.fromkeys([ratios.idxmin(), ratios.idxmax()])
    ends = (f"{style.factor(ratios[graph])} on {graph}" for graph in graphs)
    return f"The report's own table gives {' to '.join(ends)}."


def own_spreads(evidence, row):
    """How many times as long the slowest configuration takes as the fastest, by the report's own table."""
    printed = evidence.published
    rows = printed[(printed["paper"] == "rejaud") & printed["algorithm"].isin(row["of"]) & printed["block"].notna()]
    variant = ["graph", "algorithm", "order"]
    times = rows.groupby([*variant, "block", "grid"], dropna=False)["value"].sum().groupby(variant, dropna=False)
    return _from_to((times.max() / times.min()).groupby("graph").max())


def consistency(evidence, row):
    """How many times as much the configurations of one algorithm differ as those of the other."""
    fastest = [sides.Side((name,), {"order": "source"}, every=5) for name in row["of"]]
    first, other = (sides.ratios(evidence, side._replace(slowest=True), side, row["graphs"]) for side in fastest)
    known = {each.subject: each for each in other.estimates if not each.bound}
    pairs = [(each, known[each.subject]) for each in first.estimates if each.subject in known and not each.bound]
    return first._replace(estimates=[sides.quotient(*pair, pair[0].subject) for pair in pairs])
