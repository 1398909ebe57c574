"""The templates in docs/papers.md are meant to be copied: each has to work as it stands."""

import re

import pytest
import synthetic

from warpath.base import places, settings
from warpath.results import claims, evidence, figures
from warpath.results.evidence import Evidence
from warpath.runs import plan

PAGE = (places.ROOT / "docs/papers.md").read_text()
GRAPHS = ["USA-road-d.NY", "soc-Slashdot0902"]


def _templates(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def measured():
    """Tables in which my_sssp takes a third of the time of two_kernel."""
    times = {"sssp/my_sssp": 1, "sssp/two_kernel": 3, "sssp/cpu_dijkstra": 30}
    records = [
        synthetic.record(graph, algorithm, device="cpu" if "/cpu_" in algorithm else "cuda", median_ms=time)
        for graph in GRAPHS
        for algorithm, time in times.items()
    ]
    return synthetic.tables(*records)


@pytest.mark.parametrize("folder", ["config/papers/mine2024", "papers/mine2024"])
def test_the_folder_is_found_by_its_name_or_its_path_and_its_claims_are_judged(measured, tmp_path, monkeypatch, folder):
    (beside := tmp_path / folder).mkdir(parents=True)
    (beside / "study.yaml").write_text(_templates("yaml")[0].replace("sssp/my_sssp, ", ""))
    (beside / "claims.yaml").write_text(_templates("yaml")[1])
    (beside / "numbers.csv").write_text("paper,quantity,value\nmine2024,time,1\n")
    monkeypatch.chdir(tmp_path)
    name = f"{folder}/" if folder.startswith("papers") else "mine2024"
    study = plan.load(settings.read() | {"study": name, "device": "host"})
    printed = set(evidence.published(study.claims)["paper"])
    assert study.name == "mine2024" and study.graphs == GRAPHS and "mine2024" in printed
    (claim,) = claims.judge(study.claims, Evidence(measured.timings, measured.summary, measured.published))
    assert (claim.paper, claim.name, claim.verdict) == ("mine2024", "twice-as-fast", claims.HOLDS)


def test_the_figure_is_drawn_and_has_a_caption(measured, tmp_path, monkeypatch):
    (code,) = _templates("python")
    (tmp_path / "mine2024_speed.py").write_text(code)
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    assert all(figures.title_and_caption("mine2024_speed"))
    module = {}
    exec(compile(code, "docs/papers.md", "exec"), module)
    picture = module["draw"](measured)
    assert picture.figure and picture.reading and set(picture.data["graph"]) == set(GRAPHS)
