"""What the rows of Harish and Narayanan's claims cannot say: power laws, and ranges."""

from warpath.results import select, statistics
from warpath.results.papers.harish2007 import by_degree


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


def exponents(evidence, row):
    """The exponents of power laws through time over degree."""
    table = select.sound(by_degree(evidence.summary))
    slopes = [
        f"{statistics.slope(rows['degree'], rows['median_ms']):.2f} ({algorithm})"
        for algorithm, rows in table[table["device"] != "cpu"].groupby("algorithm", sort=False)
        if len(rows) > 1
    ]
    return f"In proportion it is not: the exponent of a power law is {', '.join(slopes)}." if slopes else ""
