import csv

import pytest

from warpath.algorithms import discovery
from warpath.base import settings
from warpath.graphs import catalogue
from warpath.results import claims, figures, published
from warpath.runs import plan

STUDIES = sorted(file.stem for file in plan.STUDIES.glob("*.yaml"))
PAPERS = {  # graphs and algorithms that the study of each paper must have
    "harish2007": (
        "random-10m-d6 scale-free-10m random-100k-d400 USA-road-d.NY USA-road-d.W random-1k-d6",
        "bfs/frontier bfs/cpu_queue sssp/racy sssp/cpu_dijkstra apsp/repeated_sssp apsp/fw_vertex apsp/fw_pair",
    ),
    "singh2017": ("singh-5 singh-10 singh-22 singh-64", "bfs/frontier_struct bfs/cpu_queue"),
    "agarwal2015": (
        "p2p-Gnutella08 p2p-Gnutella05 p2p-Gnutella04 p2p-Gnutella25 p2p-Gnutella30 p2p-Gnutella31",
        "sssp/bellman_ford sssp/two_flags",
    ),
    "rejaud": (
        "roadNet-CA soc-LiveJournal1 amazon0312 higgs-social_network web-Google soc-pokec",
        "sssp/bmf_outcore sssp/bmf_shared sssp/bmf_incore sssp/tpe_outcore sssp/tpe_incore",
    ),
    "pathak2021": (
        "dense-2700 bio-human-gene1 soc-Slashdot0902 as-skitter rgg_n_2_24_s0 facebook_combined bio-HS-CX "
        "soc-sign-bitcoinotc dense-7500",
        "bfs/level bfs/queue bfs/scan sssp/racy sssp/two_kernel sssp/coarsened apsp/fw_blocked apsp/fw_pair "
        "apsp/repeated_sssp",
    ),
}


def load(name):
    return plan.load(settings.read() | {"study": name, "device": "host"})


@pytest.mark.parametrize("name", STUDIES)
def test_study_has_runs_and_names_existing_figures_and_claims(name):
    study = load(name)
    assert study.runs and study.title and len(study.description) > 60
    figures.known(study.figures)
    claims.known(study.claims)
    assert study.figures and len({run.record for run in study.runs}) == len(study.runs)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_papers_study_has_its_graphs_and_algorithms(paper):
    study = load(paper)
    graphs, names = (set(words.split()) for words in PAPERS[paper])
    assert study.paper == paper and paper in study.claims
    assert graphs <= set(study.graphs) and names <= {run.id for run in study.runs}


def test_rejauds_launches_are_complete():
    study = load("rejaud")
    launches = {(run.algorithm, run.launch) for run in study.runs}
    reported = {
        launch for launch in launches if launch[0] in ("bmf_outcore", "bmf_incore", "tpe_outcore", "tpe_incore")
    }
    by_target = {launch for launch in launches if launch[0] == "bmf_shared" and "source" not in launch[1]}
    others = {
        (name, f"{size}-{order}")
        for name in ("tpe_outcore_one_scan", "tpe_incore_one_scan")
        for size in ("b256-g8", "b512-g4")
        for order in ("source", "target")
    }
    others |= {("bmf_shared", "b256-g8-source"), ("bmf_shared", "b512-g4-source")}
    assert (len(reported), len(by_target)) == (4 * 10, 5)
    assert launches == reported | by_target | others
    assert len(study.runs) == len(launches) * len(study.graphs)  # each on every graph


def test_sources_sizes_and_factors_are_those_of_the_papers():
    assert {run.sources for run in load("singh2017").runs} == {(0,)}
    factors = {run.launch.split("-c")[1] for run in load("pathak2021").runs if run.algorithm == "coarsened"}
    assert factors == {"1", "2", "4", "8", "16"}
    all_pairs = {run.graph for run in load("harish2007").runs if run.id == "apsp/repeated_sssp"}
    assert all_pairs >= {"random-30k-d6", "random-100k-d6"}


def test_quickstart_needs_no_network():
    entries = catalogue.load(settings.GRAPHS)
    assert {entries[graph].kind for graph in load("quickstart").graphs} <= {"local", "generated"}


def test_all_includes_the_five_papers():
    everything = {run.record for run in load("all").runs}
    assert everything >= {run.record for paper in PAPERS for run in load(paper).runs}
    of_papers = {name for name, described in discovery.find().items() if described.paper in PAPERS}
    assert of_papers <= {run.id for run in load("all").runs}
    assert set(load("all").claims) == set(PAPERS) == {*claims.names()} - {"frontier"}


def test_the_frontier_starts_where_the_libraries_were_timed():
    study = load("frontier")
    assert {run.sources for run in study.runs if run.graph == "grid4k"} == {(2500505,)}
    printed = {row["graph"] for row in published.read().query("paper == 'libraries'").to_dict("records")}
    printed -= {"rmat22", "rmat24", "urand10m6"}  # drawn anew; the very graphs are those of -cupy
    assert printed <= set(study.graphs)
    own = {"bfs/persistent", "sssp/near_far"}
    assert all(own <= {run.id for run in study.runs if run.graph == graph} for graph in printed)


def test_the_frontier_has_no_graph_that_was_drawn_anew(shared):
    sources = {}
    for row in csv.DictReader((shared / "peers" / "checksums.csv").open()):
        sources.setdefault(row["graph"], set()).add(int(row["source"]))
    study, labels = load("frontier"), {"ny": 1, "fla": 1}  # of the first vertex
    for graph, expected in sources.items():
        names = {graph, f"{graph}-cupy"} & set(study.graphs)
        (chosen,) = {run.sources for run in study.runs if run.graph in names}
        assert {source - labels.get(graph, 0) for source in chosen} == expected, graph


def test_the_zoo_has_every_kind_in_two_sizes():
    kinds = {size: {graph[4 : -len(size) - 1] for graph in load("zoo").graphs if graph.endswith(f"-{size}")}
             for size in ("256k", "2m")}  # fmt: skip
    in_catalogue = {
        name[4:-3] for name in catalogue.load(settings.GRAPHS) if name.startswith("zoo-") and name.endswith("-1k")
    }
    assert kinds["256k"] == kinds["2m"] == in_catalogue
    assert len(load("zoo").graphs) == 2 * len(in_catalogue)
