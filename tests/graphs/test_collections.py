"""Graphs of collections by name, downloaded from a server that serves what the real one does."""

import bz2
import gzip
import re

import pytest
import yaml
from graphs.conftest import arcs
from graphs.server import serving
from graphs.test_formats import KONECT, MTX, SUITESPARSE, tar, zipped

from warpath.base.errors import UserError
from warpath.graphs import catalogue, collections, csr, download
from warpath.graphs.prepare import prepare
from warpath.runs import plan

SNAP = "# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n1\t2\n2\t3\n"
GR = b"c roads\np sp 3 2\na 1 2 5\na 2 3 6\n"
DM = zipped({"readme.html": "<html>", "bio-DM-CX.edges": "% asym weighted\n1 2 5\n2 3 6\n"})
SPARSE = gzip.compress(tar({"roadNet-CA/roadNet-CA.mtx": MTX, **SUITESPARSE}))
FLORIDA = "www.diag.uniroma1.it/challenge9/data/USA-road-d/USA-road-d.FLA.gr.gz"
LIVEJOURNAL = "snap.stanford.edu/data/bigdata/communities/com-lj.ungraph.txt.gz"
NAMED = {  # by name: the address of its file, the content
    "suitesparse:SNAP/roadNet-CA": ("sparse.tamu.edu/MM/SNAP/roadNet-CA.tar.gz", SPARSE),
    "snap:web-Google": ("snap.stanford.edu/data/web-Google.txt.gz", gzip.compress(SNAP.encode())),
    "snap:com-lj.ungraph": (LIVEJOURNAL, gzip.compress(SNAP.replace("Directed", "Undirected").encode())),
    "networkrepository:bio-DM-CX": ("nrvis.com/download/data/bio/bio-DM-CX.zip", DM),
    "dimacs:USA-road-d.FLA": (FLORIDA, gzip.compress(GR)),
    "konect:moreno_crime": ("konect.cc/files/download.tsv.moreno_crime.tar.bz2", bz2.compress(tar(KONECT))),
}


@pytest.fixture
def server():
    with serving({f"/{address}": content for address, content in NAMED.values()}.get) as running:
        yield running


@pytest.mark.parametrize("name", NAMED)
def test_from_a_name_to_a_graph(tmp_path, server, name):
    graph_name = name.replace(":", ".").replace("/", "__")
    entry = catalogue.find(name, {})
    assert (entry.name, catalogue.find(graph_name, {})) == (graph_name, entry)
    download.fetch(entry, entry.path(tmp_path), [server.url])
    prepare(entry, entry.path(tmp_path), tmp_path / "out")
    graph = csr.read(tmp_path / "out")
    assert graph.directed == ("com-lj" not in name)
    assert set(arcs(graph)) == {(1, 2), (2, 3)} | ({(2, 1), (3, 2)} if not graph.directed else set())
    if not name.startswith("snap:"):
        assert graph.weights.tolist() == [5, 6]


def test_folders_and_suffixes_that_are_given():
    named = {
        "networkrepository:dimacs10/rgg_n_2_24_s0": "https://nrvis.com/download/data/dimacs10/rgg_n_2_24_s0.zip",
        "networkrepository:web-new": "https://nrvis.com/download/data/web/web-new.zip",
        "snap:higgs-social_network.edgelist": "https://snap.stanford.edu/data/higgs-social_network.edgelist.gz",
    }
    assert {name: collections.keys(name)["url"] for name in named} == named


WRONG = {
    "suitesparse:roadNet-CA": "not a name of a graph; expected suitesparse:SNAP/roadNet-CA",
    "snap:../x": "not a name of a graph; expected snap:web-Google",
    "snap:a b": "not a name of a graph",
    "konect:": "not a name of a graph",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_names(name):
    with pytest.raises(UserError, match=re.escape(WRONG[name])):
        catalogue.find(name, {})


def test_a_study_names_graphs_of_collections(tmp_path):
    study = {"runs": [{"graphs": ["snap:web-Google"], "algorithms": ["bfs/level"]}]}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump({"title": "x", **study}))
    entries = {}
    planned = plan.study(str(tmp_path / "s.yaml"), entries, "host", 4)
    assert {run.graph for run in planned.runs} == set(entries) == {"snap.web-Google"}
    assert {folder for run in planned.runs for folder, _ in run.downloads} == {"snap.web-Google"}


def test_an_entry_is_based_on_a_collection(tmp_path):
    (tmp_path / "c.yaml").write_text("mine: {based_on: 'suitesparse:SNAP/roadNet-CA', weights: unit}\n")
    mine = catalogue.load(tmp_path / "c.yaml")["mine"]
    assert (mine.weights, mine.format, mine.url) == ("unit", "mtx", "https://sparse.tamu.edu/MM/SNAP/roadNet-CA.tar.gz")
    assert mine.path("d") == "d/suitesparse.SNAP__roadNet-CA/roadNet-CA.tar.gz"
