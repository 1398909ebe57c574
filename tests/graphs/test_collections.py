"""Graphs of collections by name, downloaded from a server that serves what the real one does."""

import bz2
import gzip

import pytest
import yaml
from graphs.conftest import arcs
from graphs.server import Server
from graphs.test_formats import KONECT, MTX, SUITESPARSE, tar, zipped

from warpath.foundation.errors import UserError
from warpath.graphs import catalogue, collections, csr, download
from warpath.graphs.prepare import prepare
from warpath.runs import plan

SNAP = "# Directed graph (each unordered pair of nodes is saved once): web-Google.txt\n1\t2\n2\t3\n"
GR = b"c roads\np sp 3 2\na 1 2 5\na 2 3 6\n"
NAMED = {  # by name: the graph's name, the path at the server, its content, the weights
    "suitesparse:SNAP/roadNet-CA": (
        "suitesparse.SNAP__roadNet-CA",
        "/sparse.tamu.edu/MM/SNAP/roadNet-CA.tar.gz",
        gzip.compress(tar({"roadNet-CA/roadNet-CA.mtx": MTX, **SUITESPARSE})),
        [5, 6],
    ),
    "snap:web-Google": (
        "snap.web-Google",
        "/snap.stanford.edu/data/web-Google.txt.gz",
        gzip.compress(SNAP.encode()),
        None,
    ),
    "snap:com-lj.ungraph": (
        "snap.com-lj.ungraph",
        "/snap.stanford.edu/data/bigdata/communities/com-lj.ungraph.txt.gz",
        gzip.compress(SNAP.encode()),
        None,
    ),
    "networkrepository:bio-DM-CX": (
        "networkrepository.bio-DM-CX",
        "/nrvis.com/download/data/bio/bio-DM-CX.zip",
        zipped({"readme.html": "<html>", "bio-DM-CX.edges": "% asym weighted\n1 2 5\n2 3 6\n"}),
        [5, 6],
    ),
    "dimacs:USA-road-d.FLA": (
        "dimacs.USA-road-d.FLA",
        "/www.diag.uniroma1.it/challenge9/data/USA-road-d/USA-road-d.FLA.gr.gz",
        gzip.compress(GR),
        [5, 6],
    ),
    "dimacs:rome99": ("dimacs.rome99", "/www.diag.uniroma1.it/challenge9/data/rome/rome99.gr", GR, [5, 6]),
    "konect:moreno_crime": (
        "konect.moreno_crime",
        "/konect.cc/files/download.tsv.moreno_crime.tar.bz2",
        bz2.compress(tar(KONECT)),
        [5, 6],
    ),
}


@pytest.fixture
def server():
    running = Server({path: content for _, path, content, _ in NAMED.values()}.get)
    yield running
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize("name", NAMED)
def test_from_a_name_to_a_graph(tmp_path, server, name):
    graph_name, _, _, weights = NAMED[name]
    entry = catalogue.find(name, {})
    assert (entry.name, catalogue.find(graph_name, {})) == (graph_name, entry)
    (file,) = entry.files
    download.fetch(entry, file, tmp_path / entry.folder / file, [server.url])
    prepare(entry, entry.inputs(tmp_path), tmp_path / "out")
    graph = csr.read(tmp_path / "out")
    assert set(arcs(graph)) == {(1, 2), (2, 3)}
    assert weights in (None, graph.weights.tolist())


WRONG = {
    "snpa:web-Google": "no collection 'snpa'. Did you mean snap",
    "suitesparse:roadNet-CA": "a matrix has a group, as in suitesparse:SNAP/roadNet-CA",
    "dimacs:USA-road-d.FLO": "no graph 'USA-road-d.FLO'. Did you mean USA-road-d.FLA",
    "snap:../x": "not a name of a graph; expected snap:web-Google",
    "snap:a b": "not a name of a graph",
    "konect:": "not a name of a graph",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_names(name):
    with pytest.raises(UserError) as caught:
        catalogue.find(name, {})
    assert WRONG[name] in str(caught.value)


def test_other_names_are_no_collections():
    assert collections.keys("web-Google") is None
    assert collections.keys("USA-road-d.FLA") is None


def test_a_study_names_graphs_of_collections(tmp_path):
    study = {"runs": [{"graphs": ["snap:web-Google"], "algorithms": ["bfs/level"]}]}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump({"title": "x", **study}))
    entries = {}
    planned = plan.study(str(tmp_path / "s.yaml"), entries, "host", 4)
    assert {run.graph for run in planned.runs} == set(entries) == {"snap.web-Google"}
    assert {run.downloads for run in planned.runs} == {"snap.web-Google"}


def test_an_entry_is_based_on_a_collection(tmp_path):
    (tmp_path / "c.yaml").write_text("mine: {based_on: 'suitesparse:SNAP/roadNet-CA', weights: unit}\n")
    mine = catalogue.load(tmp_path / "c.yaml")["mine"]
    assert (mine.weights, mine.format, mine.url) == ("unit", "mtx", "https://sparse.tamu.edu/MM/SNAP/roadNet-CA.tar.gz")
    assert mine.inputs("d") == ["d/suitesparse.SNAP__roadNet-CA/roadNet-CA.tar.gz"]
