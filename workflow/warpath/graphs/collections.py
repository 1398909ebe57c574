"""Graphs of public collections by name, without an entry in a catalogue: suitesparse:SNAP/roadNet-CA.

Snakemake needs names without colons and slashes: the graph itself is called suitesparse.SNAP__roadNet-CA.
"""

import csv
import difflib
import functools
import re
from pathlib import Path

from warpath.base.errors import UserError, did_you_mean

KNOWN = Path(__file__).with_suffix(".tsv")
NAME = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+-]*)?")


COLLECTIONS = {  # the publisher, an example, and the format of files where it does not show
    "suitesparse": ("SuiteSparse", "suitesparse:SNAP/roadNet-CA", "mtx"),
    "snap": ("SNAP", "snap:web-Google", None),
    "networkrepository": ("Network Repository", "networkrepository:bio-DM-CX", None),
    "dimacs": ("DIMACS 9", "dimacs:USA-road-d.FLA", "dimacs"),
    "konect": ("KONECT", "konect:moreno_crime", "konect"),
}
SUFFIXES = (".txt", ".csv", ".tsv", ".edgelist", ".edges")


def keys(name):
    """Return the catalogue's keys of `collection:name`, or of its name as a graph; None if it is not such a name.

    The direction is the one that the collection states, else the file's.
    """
    collection, graph = _parts(name)
    if collection not in COLLECTIONS:
        if ":" in name:
            similar = did_you_mean(collection, COLLECTIONS)
            raise UserError(f"{name}: no collection '{collection}'.{similar} It is one of {', '.join(COLLECTIONS)}")
        return None
    publisher, example, kind = COLLECTIONS[collection]
    if not NAME.fullmatch(graph):
        raise UserError(f"{name}: not a name of a graph; expected {example}")
    listed = _listed(collection, graph)
    if not listed and graph.lower() in (other.lower() for other in _known(collection)):
        raise UserError(f"{name}: no such graph, because names have upper and lower case.{near(name)}")
    keys = {
        "folder": f"{collection}.{graph.replace('/', '__')}",
        "url": _address(collection, listed.get("name", graph), name),
        "source": publisher,
    }
    keys |= {"format": kind} if kind else {}
    return keys | ({"directed": listed["direction"] == "directed"} if listed.get("direction") else {})


def near(name):
    """Suggest graphs of a collection that are called similarly; empty for a name that is listed or of none."""
    collection, graph = _parts(name)
    if collection not in COLLECTIONS or _listed(collection, graph):
        return ""
    lower = {}
    for row in _known(collection).values():
        for alias in {row["name"], Path(row["name"]).name, row["page"]} - {""}:
            lower.setdefault(alias.lower(), f"{collection}:{row['name']}")
    similar = difflib.get_close_matches(graph.lower(), lower, 3, 0.6)
    suggested = list(dict.fromkeys(lower[alias] for alias in similar))
    return f" Did you mean {' or '.join(suggested)}?" if suggested else ""


def _parts(name):
    """The collection and the name in it, of `snap:web-Google` or of the graph snap.web-Google."""
    collection, _, graph = name.partition(":" if ":" in name else ".")
    return collection, graph if ":" in name else graph.replace("__", "/")


@functools.cache
def _known(collection):
    """The rows of the list of graphs about one collection, by name."""
    with open(KNOWN, newline="") as lines:
        rows = csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t")
        return {row["name"]: row for row in rows if row["collection"] == collection}


def _listed(collection, graph):
    """The row of a graph by its name, also without folder or suffix, or by its page; empty if none or several fit."""
    known = _known(collection)
    short = [row for name, row in known.items() if graph in (Path(name).name, name.partition(".")[0], row["page"])]
    return known.get(graph) or (short[0] if len(short) == 1 and collection != "suitesparse" else {})


def _address(collection, graph, name):
    folder, _, file = graph.rpartition("/")
    if collection == "suitesparse":
        if not folder:
            raise UserError(f"{name}: a matrix has a group, as in suitesparse:SNAP/roadNet-CA.{near(name)}")
        return f"https://sparse.tamu.edu/MM/{graph}.tar.gz"
    if collection == "snap":
        communities = "bigdata/communities/" if graph.startswith("com-") else ""
        return f"https://snap.stanford.edu/data/{communities}{graph}{'' if graph.endswith(SUFFIXES) else '.txt'}.gz"
    if collection == "networkrepository":
        return f"https://nrvis.com/download/data/{folder or file.partition('-')[0]}/{file}.zip"
    if collection == "konect":
        return f"http://konect.cc/files/download.tsv.{graph}.tar.bz2"
    if graph not in _known("dimacs"):
        raise UserError(f"{name}: DIMACS has no graph '{graph}'.{near(name)} It has {', '.join(_known('dimacs'))}")
    path = "rome/rome99.gr" if graph == "rome99" else f"{graph.partition('.')[0]}/{graph}.gr.gz"
    return f"http://www.diag.uniroma1.it/challenge9/data/{path}"
