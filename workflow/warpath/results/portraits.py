"""A page for each graph of published studies: what it is like, and what is fastest on it in each study."""

import io
import re
from pathlib import Path

import matplotlib as mpl
import pandas as pd

from warpath.base import places, settings
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.base.places import SUMMARY, TIMINGS
from warpath.graphs import catalogue, csr, shape
from warpath.results import frames, page, portrait, publish, shapes, style

FOLDER, INDEX = "graphs", "README.md"
# Text as text, and lines to a tenth of a pixel: a third of the size.
SMALL = {"svg.fonttype": "none"}
GEOMETRY = re.compile(r' (d|x|y|transform)="[^"]*"')


def write(folder):
    """Write pages and an index into <folder>/graphs; return the names of the graphs, and of those without a picture.

    A graph that is prepared here is drawn; of any other an earlier picture stays.
    """
    folder = Path(folder)
    studies = {file.parent.name: _read(file.parent) for file in sorted(folder.glob(f"*/{Path(SUMMARY).name}"))}
    if not studies:
        raise UserError(f"{folder}: holds no published study")
    entries = catalogue.load(*settings.catalogues(settings.read()))
    graphs = _graphs(studies)
    for graph in graphs:
        graph["about"] = entries[graph["name"]].about if graph["name"] in entries else ""
        graph["picture"] = _picture(graph["name"], folder / FOLDER)
        graph["reading"] = page.reading(graph["picture"]) if graph["picture"] else ""
        if drawn := re.search(r"in ([\d,]+) levels", graph["reading"]):
            graph["levels"] = drawn[1]  # the tables may know no more than the rounds of SSSP
        _render("graph.md.j2", folder / FOLDER / f"{graph['name']}.md", graph=graph)
    _render("graphs.md.j2", folder / FOLDER / INDEX, graphs=graphs)
    return [graph["name"] for graph in graphs], [graph["name"] for graph in graphs if not graph["picture"]]


def _read(folder):
    return frames.read(folder / Path(TIMINGS).name, folder / Path(SUMMARY).name)


def _graphs(studies):
    """What the tables of the studies know of each graph, by size; each with the winners in every study."""
    tables = {study: shapes.of(summary) for study, (_, summary) in studies.items()}
    known = pd.concat(tables.values()).sort_values("levels").drop_duplicates("graph")  # levels may be unknown in some
    winners = [shapes.winners(summary, timings).assign(study=study) for study, (timings, summary) in studies.items()]
    fastest = dict(list(pd.concat(winners).groupby("graph")))
    rows = known.sort_values(["arcs", "graph"]).to_dict("records")
    return [_about(row, fastest.get(row["graph"])) for row in rows if row["arcs"] > 0]


def _about(row, fastest):
    fastest = [] if fastest is None else fastest.sort_values(["problem", "winner_ms"]).to_dict("records")
    words = {name: style.count(row[name]) for name in ("vertices", "arcs")}
    levels = f"{row['levels']:,.0f}" if row["levels"] > 0 else ""
    of_problem = {problem: _best(problem, fastest) for problem in ("bfs", "sssp", "apsp")}
    return words | {
        "name": row["graph"],
        "stand_in_for": row["stand_in_for"],
        "degree": f"{row['degree']:.3g}",
        "levels": levels,
        "kind": shapes.KINDS[row["kind"]].partition(":")[0] if row["kind"] in (shapes.LONG, shapes.SHORT) else "",
        "fastest": list(map(_in_words, fastest)),
        "best": of_problem,
    }


def _best(problem, fastest):
    """The fastest algorithm of a problem over all studies, with its time."""
    found = next((row for row in fastest if row["problem"] == problem), None)
    return f"{style.short_name(found['winner'])} {style.duration(found['winner_ms'])}" if found else ""


def _in_words(row):
    has_next = isinstance(row["next"], str)
    tie = "≈ " if row["tie"] else ""
    return {
        **{"problem": row["problem"], "study": row["study"], "winner": row["winner"], "launch": row["launch"]},
        "device": style.DEVICES[row["device"]],
        "time": style.duration(row["winner_ms"]),
        "next": f"{row['next']}, {tie}{style.factor(row['margin'])}" if has_next else "",
    }


def _picture(name, folder):
    """The drawn portrait, of now or of earlier; None without one."""
    file = folder / f"{name}.svg"
    prepared = places.graph(name)
    if not all(Path(path).exists() for path in places.graph_files(name)):
        return file if file.exists() else None
    import matplotlib.pyplot as plt

    style.apply()
    drawn = portrait.portray(name, csr.read(prepared), shape.of(prepared), [])
    about = {"Title": f"The graph {name}", "Description": drawn.reading, "Date": None}
    text = io.StringIO()
    with mpl.rc_context(SMALL):
        drawn.figure.savefig(text, format="svg", metadata=about, bbox_inches="tight", pad_inches=0.2)
    plt.close(drawn.figure)
    with atomic(file) as temporary:
        temporary.write_text(GEOMETRY.sub(_shortened, text.getvalue()), encoding="utf-8")
    return file


def _shortened(attribute):
    return re.sub(r"(\.\d)\d+", r"\1", attribute[0])


def _render(template, path, **content):
    with atomic(path) as temporary:
        text = page.template(template, cell=publish.cell).render(content)
        temporary.write_text(text, encoding="utf-8")
