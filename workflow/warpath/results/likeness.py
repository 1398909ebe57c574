"""How far stand-ins are from the graphs that they stand for: degrees, levels, components and clustering.

What is prepared is measured. A network that is not prepared here has the numbers that others publish
(config/networks.csv), where there are any.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.graphs import catalogue, csr, shape
from warpath.results import page
from warpath.runs import csgraph

NETWORKS = places.CONFIG / "networks.csv"
SEED = 1
WEDGES = 200_000
SWEEPS = 2
COLUMNS = {  # column: its heading in the page
    "graph": "graph",
    "from": "",
    "vertices": "vertices",
    "arcs": "arcs",
    "mean_degree": "arcs a vertex",
    "largest_out_degree": "largest out-degree",
    "largest_in_degree": "largest in-degree",
    "degree_1": "degree 1",
    "degree_2_3": "degree 2 to 3",
    "largest_component": "largest component",
    "levels": "levels, at least",
    "closed_wedges": "closed wedges",
}
SHARES = ("degree_1", "degree_2_3", "largest_component", "closed_wedges")


def table(entries, folder):
    """A row for each graph with a stand-in, measured or published, and one for its stand-in, if that is prepared."""
    published = pd.read_csv(NETWORKS).set_index("graph")
    rows = []
    for name, entry in entries.items():
        stand_in = Path(folder, name + catalogue.STAND_IN)
        if not entry.stand_in or not _is_prepared(stand_in):
            continue
        rows.append({"graph": name} | _original(name, Path(folder, name), published))
        rows.append({"graph": name, "from": "stand-in"} | measured(stand_in))
    if not rows:
        raise UserError(f"{folder} has no stand-in; make one by `.venv/bin/python -m warpath prepare NAME.stand-in`")
    return pd.DataFrame(rows).reindex(columns=list(COLUMNS))


def _original(name, folder, published):
    if _is_prepared(folder):
        return {"from": "measured"} | measured(folder)
    known = published.loc[name].to_dict() if name in published.index else {}
    if known:
        known["mean_degree"] = known["arcs"] / known["vertices"]
        known["largest_component"] /= known["vertices"]
    return {"from": "published"} | known


def _is_prepared(folder):
    return (folder / "vertices.parquet").exists()


def measured(folder):
    """Measure a prepared graph. Degrees are those of out-arcs; levels and wedges are those of the undirected graph."""
    graph, known = csr.read(folder), shape.of(folder)
    degrees = np.diff(graph.offsets)
    whole = _undirected(graph)
    component = csgraph.components(graph, "weak") if known["components"] > 1 else np.zeros(graph.vertices, np.int32)
    return {
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "mean_degree": known["mean_degree"],
        "largest_out_degree": known["largest_degree"],
        "largest_in_degree": int(np.bincount(graph.targets, minlength=graph.vertices).max()),
        "degree_1": float((degrees == 1).mean()),
        "degree_2_3": float(np.isin(degrees, (2, 3)).mean()),
        "largest_component": float(np.bincount(component).max() / graph.vertices),
        "levels": levels(whole, int(np.diff(whole.indptr).argmax())),
        "closed_wedges": closed_wedges(whole, WEDGES),
    }


def _undirected(graph):
    matrix = csgraph.matrix(graph)
    if graph.directed:
        matrix = (matrix + matrix.T).tocsr()
        matrix.sort_indices()
    return matrix


def levels(matrix, source):
    """The most levels of a few searches, each from a vertex that the one before found last: at most the diameter."""
    most = 0
    for _ in range(1 + SWEEPS):
        found, _ = csgraph.breadth_first(matrix, source)
        most, source = max(most, len(found) - 1), int(found[-1][0])
    return most


def closed_wedges(matrix, count):
    """The share of pairs of neighbours that are neighbours themselves, of `count` pairs drawn at random."""
    rng, begins = np.random.default_rng(SEED), matrix.indptr.astype(np.int64)
    degrees = np.diff(begins)
    pairs = np.cumsum(degrees * (degrees - 1) // 2)
    if not pairs[-1]:
        return 0.0
    middle = np.searchsorted(pairs, rng.integers(0, pairs[-1], count), side="right")
    first = rng.integers(0, degrees[middle])
    second = (first + rng.integers(1, degrees[middle])) % degrees[middle]
    ends = (matrix.indices[begins[middle] + place].astype(np.int64) for place in (first, second))
    return float((csr.find_arcs(begins, matrix.indices, *ends) >= 0).mean())


def write(rows, file):
    """Write the page with the table."""
    head = [list(COLUMNS.values()), ["---"] * len(COLUMNS)]
    cells = [*head, *([_cell(name, row[name]) for name in COLUMNS] for row in rows.to_dict("records"))]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in cells)
    text = page.template("stand-ins.md.j2").render(table=lines, wedges=WEDGES)
    with atomic(file) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8")


def _cell(name, value):
    if not isinstance(value, str) and not pd.notna(value):
        return ""
    if name in SHARES:
        return f"{100 * value:.3g} %"
    return value if isinstance(value, str) else f"{value:.3g}" if name == "mean_degree" else f"{value:,.0f}"
