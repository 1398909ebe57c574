"""Graphs of public collections by name, without an entry in a catalogue: suitesparse:SNAP/roadNet-CA.

Snakemake needs names without colons and slashes: the graph itself is called suitesparse.SNAP__roadNet-CA.
"""

import re

from warpath.base.errors import UserError, did_you_mean

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
    """Return the catalogue's keys of `collection:name`, or of its name as a graph; None if it is not such a name."""
    collection, mark, graph = name.partition(":" if ":" in name else ".")
    if collection not in COLLECTIONS:
        if ":" in name:
            similar = did_you_mean(collection, COLLECTIONS)
            raise UserError(f"{name}: no collection '{collection}'.{similar} It is one of {', '.join(COLLECTIONS)}")
        return None
    graph = graph if mark == ":" else graph.replace("__", "/")
    publisher, example, kind = COLLECTIONS[collection]
    folder, _, file = graph.rpartition("/")
    if not NAME.fullmatch(graph) or (collection == "suitesparse" and not folder):
        raise UserError(f"{name}: not a name of a graph; expected {example}")
    communities = "bigdata/communities/" if file.startswith("com-") else ""
    addresses = {
        "suitesparse": f"https://sparse.tamu.edu/MM/{graph}.tar.gz",
        "snap": f"https://snap.stanford.edu/data/{communities}{file}{'' if file.endswith(SUFFIXES) else '.txt'}.gz",
        "networkrepository": f"https://nrvis.com/download/data/{folder or file.partition('-')[0]}/{file}.zip",
        "dimacs": f"http://www.diag.uniroma1.it/challenge9/data/{file.partition('.')[0]}/{file}.gr.gz",
        "konect": f"http://konect.cc/files/download.tsv.{file}.tar.bz2",
    }
    found = {"folder": f"{collection}.{graph.replace('/', '__')}", "url": addresses[collection], "source": publisher}
    return found | ({"format": kind} if kind else {})
