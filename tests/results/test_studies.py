import pytest

from warpath.algorithms import discovery
from warpath.base import settings
from warpath.graphs import catalogue
from warpath.results import claims, evidence, figures
from warpath.runs import plan

PAPERS = ("agarwal2015", "castro2025", "harish2007", "pathak2021", "rejaud", "singh2017")


def load(name):
    return plan.load(settings.read() | {"study": name, "device": "host", "programs": "fetch"})


@pytest.mark.parametrize("name", plan.names())
def test_study_has_runs_and_names_existing_figures_and_claims(name):
    study = load(name)
    assert study.runs and study.title and len(study.description) > 60
    figures.known(study.figures)
    claims.known(study.claims)
    assert study.figures and len({run.record for run in study.runs}) == len(study.runs)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_papers_study_has_every_graph_and_algorithm_of_which_a_number_is_printed(paper):
    study, numbers = load(paper), evidence.published().query("paper == @paper")
    assert study.paper == paper and paper in study.claims
    assert set(numbers["graph"].dropna()) <= set(study.graphs)
    assert set(numbers["algorithm"].dropna()) <= {run.id for run in study.runs}


def test_quickstart_needs_no_network():
    entries = catalogue.load(settings.GRAPHS)
    assert {entries[graph].kind for graph in load("quickstart").graphs} <= {"local", "generated"}


def test_all_includes_the_six_papers():
    everything = {run.record for run in load("all").runs}
    assert everything >= {run.record for paper in PAPERS for run in load(paper).runs}
    of_papers = {name for name, described in discovery.find().items() if described.paper in PAPERS}
    assert of_papers <= {run.id for run in load("all").runs}
    assert sorted(load("all").claims) == sorted(PAPERS) == [name for name in claims.names() if name != "frontier"]


def test_the_frontier_starts_where_the_libraries_were_timed():
    study = load("frontier")
    assert {run.sources for run in study.runs if run.graph == "grid4k"} == {(2500505,)}
    printed = {row["graph"] for row in evidence.published().query("paper == 'libraries'").to_dict("records")}
    printed -= {"rmat22", "rmat24", "urand10m6"}  # drawn anew; the very graphs are those of -cupy
    assert printed <= set(study.graphs)
    own = {"bfs/persistent", "sssp/near_far"}
    assert all(own <= {run.id for run in study.runs if run.graph == graph} for graph in printed)


def test_the_zoo_has_every_kind_in_two_sizes():
    small = [name for name in catalogue.load(settings.GRAPHS) if name.startswith("zoo-") and name.endswith("-1k")]
    assert load("zoo").graphs == sorted(name.replace("-1k", size) for name in small for size in ("-256k", "-2m"))
