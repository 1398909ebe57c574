"""What the rows of Rejaud's claims cannot say: what the report's own table gives, and how consistent times are."""

from warpath.results import select, style
from warpath.results.claims import sides


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
