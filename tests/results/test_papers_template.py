"""The templates in docs/papers.md are meant to be copied: each has to work as it stands."""

import re
from types import ModuleType

import pytest
import synthetic
import yaml

from warpath.base import places, schemas
from warpath.results import claims, figures
from warpath.results.evidence import Evidence

PAGE = (places.ROOT / "docs/papers.md").read_text()
GRAPHS = ["USA-road-d.NY", "soc-Slashdot0902"]


def _templates(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def _module(code):
    module = ModuleType("mine2024")
    exec(compile(code, "docs/papers.md", "exec"), module.__dict__)
    return module


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


def test_the_study_has_valid_keys():
    study = yaml.safe_load(_templates("yaml")[0])
    assert schemas.check(study, "study", "docs/papers.md")["runs"][0]["graphs"] == GRAPHS


def test_the_claims_are_judged(measured, tmp_path, monkeypatch):
    table = tmp_path / "config/papers/mine2024/claims.yaml"
    table.parent.mkdir(parents=True)
    table.write_text(_templates("yaml")[1])
    monkeypatch.chdir(tmp_path)
    (claim,) = claims.judge(["mine2024"], Evidence(measured.timings, measured.summary, measured.published))
    assert (claim.name, claim.verdict) == ("twice-as-fast", claims.HOLDS)


def test_the_figure_is_drawn_and_has_a_caption(measured, tmp_path, monkeypatch):
    (code,) = _templates("python")
    (tmp_path / "mine2024_speed.py").write_text(code)
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    assert all(figures.title_and_caption("mine2024_speed"))
    picture = _module(code).draw(measured)
    assert picture.figure and picture.reading and set(picture.data["graph"]) == set(GRAPHS)
