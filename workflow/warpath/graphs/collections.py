"""Graphs of public collections by name, without an entry in a catalogue: suitesparse:SNAP/roadNet-CA.

Snakemake needs names without colons and slashes: the graph itself is called suitesparse.SNAP__roadNet-CA.
"""

import re

from warpath.foundation.errors import UserError, did_you_mean

NAME = re.compile(r"[A-Za-z0-9_+-][A-Za-z0-9._+-]*(/[A-Za-z0-9_+-][A-Za-z0-9._+-]*)?")
ROADS = ("NY", "BAY", "COL", "FLA", "NW", "NE", "CAL", "LKS", "E", "W", "CTR", "USA")
DIMACS = ("rome99", *(f"USA-road-{kind}.{road}" for kind in "dt" for road in ROADS))
SUFFIXES = (".txt", ".csv", ".tsv", ".edgelist", ".edges")


def keys(name):
    """Return the catalogue's keys of `collection:name`, or of its name as a graph; None if it is not such a name.

    The file states the direction, wherever the collection's files do.
    """
    collection, mark, graph = name.partition(":") if ":" in name else name.partition(".")
    if not mark or collection not in RULES:
        if ":" in name:
            known = ", ".join(RULES)
            raise UserError(
                f"{name}: no collection '{collection}'.{did_you_mean(collection, RULES)} It is one of {known}"
            )
        return None
    graph = graph if ":" in name else graph.replace("__", "/")
    if not NAME.fullmatch(graph):
        raise UserError(f"{name}: not a name of a graph; expected {EXAMPLES[collection]}")
    rule = RULES[collection](graph, name)
    about = f"{graph} of {rule['source']}, by its name."
    return {"folder": f"{collection}.{graph.replace('/', '__')}", "about": about, **rule}


def _suitesparse(graph, name):
    if "/" not in graph:
        raise UserError(f"{name}: a matrix has a group, as in {EXAMPLES['suitesparse']}")
    return {"url": f"https://sparse.tamu.edu/MM/{graph}.tar.gz", "format": "mtx", "source": "SuiteSparse"}


def _snap(graph, name):
    folder = "bigdata/communities/" if graph.startswith("com-") else ""
    file = graph if graph.endswith(SUFFIXES) else f"{graph}.txt"
    return {"url": f"https://snap.stanford.edu/data/{folder}{file}.gz", "source": "SNAP"}


def _networkrepository(graph, name):
    folder, _, file = graph.rpartition("/")
    folder = folder or file.partition("-")[0]
    return {"url": f"https://nrvis.com/download/data/{folder}/{file}.zip", "source": "Network Repository"}


def _dimacs(graph, name):
    if graph not in DIMACS:
        raise UserError(
            f"{name}: DIMACS has no graph '{graph}'.{did_you_mean(graph, DIMACS)} It has {', '.join(DIMACS)}"
        )
    path = "rome/rome99.gr" if graph == "rome99" else f"{graph.partition('.')[0]}/{graph}.gr.gz"
    url = f"http://www.diag.uniroma1.it/challenge9/data/{path}"
    return {"url": url, "format": "dimacs", "source": "DIMACS 9"}


def _konect(graph, name):
    url = f"http://konect.cc/files/download.tsv.{graph}.tar.bz2"
    return {"url": url, "format": "konect", "source": "KONECT"}


RULES = {
    "suitesparse": _suitesparse,
    "snap": _snap,
    "networkrepository": _networkrepository,
    "dimacs": _dimacs,
    "konect": _konect,
}
EXAMPLES = {
    "suitesparse": "suitesparse:SNAP/roadNet-CA",
    "snap": "snap:web-Google",
    "networkrepository": "networkrepository:bio-DM-CX",
    "dimacs": "dimacs:USA-road-d.FLA",
    "konect": "konect:moreno_crime",
}
