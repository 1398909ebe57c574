"""Graphs of collections by name, downloaded from a server that serves what the real one does."""

import bz2
import gzip
import re
from dataclasses import replace

import pytest
import yaml
from graphs.conftest import arcs
from graphs.server import serving
from graphs.test_formats import KONECT, MTX, SUITESPARSE, tar, zipped

from warpath.base import settings
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
    "snap:com-lj.ungraph": (LIVEJOURNAL, gzip.compress(SNAP.encode())),
    "networkrepository:bio-DM-CX": ("nrvis.com/download/data/bio/bio-DM-CX.zip", DM),
    "dimacs:USA-road-d.FLA": (FLORIDA, gzip.compress(GR)),
    "dimacs:rome99": ("www.diag.uniroma1.it/challenge9/data/rome/rome99.gr", GR),
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
    (file,) = entry.files
    download.fetch(entry, file, tmp_path / entry.folder / file, [server.url])
    prepare(entry, entry.inputs(tmp_path), tmp_path / "out")
    graph = csr.read(tmp_path / "out")
    assert graph.directed == ("com-lj" not in name)
    assert set(arcs(graph)) == {(1, 2), (2, 3)} | ({(2, 1), (3, 2)} if not graph.directed else set())
    if not name.startswith("snap:"):
        assert graph.weights.tolist() == [5, 6]


def test_names_without_folder_or_suffix_and_names_of_pages():
    named = {
        "networkrepository:rgg_n_2_24_s0": "https://nrvis.com/download/data/dimacs10/rgg_n_2_24_s0.zip",
        "networkrepository:web-new": "https://nrvis.com/download/data/web/web-new.zip",
        "snap:higgs-social_network": "https://snap.stanford.edu/data/higgs-social_network.edgelist.gz",
        "snap:soc-Pokec": "https://snap.stanford.edu/data/soc-pokec-relationships.txt.gz",
        "snap:com-Orkut": "https://snap.stanford.edu/data/bigdata/communities/com-orkut.ungraph.txt.gz",
    }
    assert {name: collections.keys(name)["url"] for name in named} == named


def test_the_collection_states_the_direction():
    """As in our catalogue, where the same file is there."""
    ours = catalogue.load(settings.GRAPHS).values()
    for name in ("ca-GrQc", "facebook_combined", "email-Eu-core", "roadNet-CA", "wiki-Vote", "web-Google"):
        (entry,) = [entry for entry in ours if entry.name == name]
        assert collections.keys(f"snap:{name}")["directed"] == entry.directed
    assert "directed" not in collections.keys("snap:new") | collections.keys("konect:enron")


def test_every_listed_name_has_an_address():
    rows = [line.split("\t") for line in collections.KNOWN.read_text().splitlines() if not line.startswith("#")][1:]
    assert len(rows) < 250
    assert {direction for _, _, direction, _ in rows} == {"", "directed", "undirected"}
    urls = [collections.keys(f"{collection}:{name}")["url"] for collection, name, _, _ in rows]
    assert len(urls) == len(set(urls)) and {row[0] for row in rows} == set(collections.COLLECTIONS)


NEAR = {
    "snap:web-Gogle": "Did you mean snap:web-Google",
    "konect:moreno_crimes": "Did you mean konect:moreno_crime",
    "suitesparse:SNAP/roadNet-AC": "Did you mean suitesparse:.* or suitesparse:SNAP/roadNet-CA",
    "networkrepository:bio-DM-CXX": "Did you mean networkrepository:bio/bio-DM-CX",
    "snap:higgs-twitter": "Did you mean snap:higgs-",
    "snap:nothing-like-it-at-all": None,
}


@pytest.mark.parametrize("name", NEAR)
def test_a_name_that_the_server_does_not_have_lists_near_matches(tmp_path, server, name):
    entry = catalogue.find(name, {})
    nowhere = replace(entry, origins=(replace(entry.origins[0], url=server.url + "/g"),))
    with pytest.raises(UserError, match=NEAR[name] or "404 Not Found$"):
        download.fetch(nowhere, entry.files[0], tmp_path / "g")


def test_no_near_match_of_a_name_that_is_listed_or_of_other_graphs():
    names = "snap.web-Google", "dimacs.rome99", "web-Gogle", "mine.web-Gogle"
    assert {collections.near(name) for name in names} == {""}
    assert {collections.keys(name) for name in names[2:]} == {None}


WRONG = {
    "snap:web-google": "names have upper and lower case. Did you mean snap:web-Google",
    "suitesparse:roadnet-CA": "a matrix has a group, as in suitesparse:SNAP/roadNet-CA. Did you mean suitesparse:SNAP/",
    "snpa:web-Google": "no collection 'snpa'. Did you mean snap",
    "suitesparse:roadNet-CA": "a matrix has a group, as in suitesparse:SNAP/roadNet-CA",
    "dimacs:USA-road-d.FLO": "no graph 'USA-road-d.FLO'. Did you mean dimacs:USA-road-d.",
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
    assert mine.inputs("d") == ["d/suitesparse.SNAP__roadNet-CA/roadNet-CA.tar.gz"]
