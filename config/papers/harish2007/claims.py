"""What the rows of Harish and Narayanan's claims cannot say: a crossing, and ranges."""

from warpath.results import statistics


def by_graph(evidence, row):
    """The range of the numbers behind an average."""
    ends = sorted(row["found"].estimates, key=lambda estimate: estimate.value)
    return f"By graph: {ends[0]} to {ends[-1]}." if len(ends) > 1 else ""


def where_even(evidence, row):
    """Say at how many vertices the larger graphs let expect that a growing ratio passes 1."""
    sizes = evidence.summary.groupby("graph")["vertices"].max()
    known = sorted((sizes[each.subject], each.value) for each in row["found"].estimates if not each.bound)[-2:]
    if len(known) < 2 or not known[0][1] < known[1][1] < 1:
        return ""
    vertices, values = zip(*known, strict=True)
    even = vertices[1] * values[1] ** (-1 / statistics.slope(vertices, values))
    return (
        f"The ratio grows with the graph: by the power law through the two largest, repeated SSSP is faster from about "
        f"{float(f'{even:.2g}'):,.0f} vertices on."
    )
