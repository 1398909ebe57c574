import json
from dataclasses import replace

import pandas as pd
import pytest
import synthetic

from warpath import cli
from warpath.results import publish, style
from warpath.runs import plan

SETTINGS = ["--settings", json.dumps({"study": "quickstart"})]
HOSTILE = "went | wrong <script>alert(1)</script> [here](x)"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """The results of a workflow that ended: three sound runs, a wrong one and one whose message is up to no good."""
    made = [
        *[synthetic.record(launch=launch) for launch in ("b64", "b256")],
        synthetic.record(algorithm="bfs/cpu_queue", launch="default", device="cpu"),
        synthetic.record(algorithm="sssp/racy", status="wrong"),
        synthetic.record(algorithm="sssp/two_kernel", status="out_of_memory", error=HOSTILE),
    ]
    made[0]["environment"] |= {"device_name": HOSTILE, HOSTILE: 1}
    for sample in made[3]["samples"]:
        sample["wrong_vertices"] = 3353 // 2
    synthetic.write(tmp_path / "results/runs", *made)
    study = synthetic.study(*made, name="quickstart", figures=["speedup"], claims=["pathak2021"])
    study = replace(study, skipped=(("bfs/peer_igraph", "igraph is not installed"),))
    monkeypatch.setattr(plan, "load", lambda config, entries=None: study)
    monkeypatch.chdir(tmp_path)
    cli.main(["gather", *SETTINGS])
    cli.main(["figure", "speedup"])
    return tmp_path


def test_a_study_becomes_a_folder_that_says_it_all(results, capsys):
    (results / "mine").mkdir()
    (results / "mine/of_before.svg").write_text("<svg/>")
    assert cli.main(["publish", "mine", *SETTINGS]) == 0
    files = sorted(path.name for path in (results / "mine").iterdir())
    assert files == ["README.md", "claims.csv", "speedup.svg", "summary.csv", "timings.parquet"]
    said = (results / "mine/README.md").read_text()
    assert "5 runs: 3 ok, 1 wrong answer, 1 out of memory" in said
    assert "Left out: bfs/peer\\_igraph, because igraph is not installed." in said
    assert "| wrong answer | sssp/racy | rome99 | 1 | 50 to 50 % of the vertices |" in said
    assert "snakemake --cores 1 --resources gpu=1 --config study=quickstart\n" in said
    assert "](speedup.svg)" in said and "**holds**" in said
    assert len(pd.read_csv(results / "mine/summary.csv")) == 5
    assert len(pd.read_csv(results / "mine/claims.csv")) > 5


def test_what_others_wrote_stays_text(results):
    cli.main(["publish", "mine", *SETTINGS])
    lines = [line for line in (results / "mine/README.md").read_text().splitlines() if "went" in line]
    # Pipes of the line on devices, of a run's end, of a value and of a name in the environment.
    assert [line.replace(r"\|", "").count("|") for line in lines] == [0, 6, 3, 3]
    for line in lines:
        assert r"\<script\>" in line and r"\[here\]" in line


def test_tables_of_another_study_are_refused_in_one_line(results, capsys, monkeypatch):
    other = synthetic.study(synthetic.record(), name="rejaud")
    monkeypatch.setattr(plan, "load", lambda config, entries=None: other)
    assert cli.main(["publish", "mine", *SETTINGS]) == 2
    said = capsys.readouterr().err.strip()
    assert said.endswith("holds the runs of quickstart, not of rejaud; choose with --study")
    assert not (results / "mine").exists()


def test_before_the_workflow_there_is_nothing_to_publish(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(plan, "load", lambda config, entries=None: synthetic.study(synthetic.record()))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["publish", "mine", *SETTINGS]) == 2
    assert "run the workflow first" in capsys.readouterr().err


def test_runs_that_were_never_made_are_a_line_an_algorithm():
    rows = [("missing", "bfs/queue", graph, f"not run yet ({graph})") for graph in ("b", "a", "a")]
    rows += [("timeout", "bfs/scan", graph, "not finished after 9 s") for graph in ("a", "b")]
    assert publish._endings(pd.DataFrame(rows, columns=["status", "algorithm", "graph", "error"])) == [
        (style.STATUSES["missing"], "bfs/queue", "a, b", 3, "no usable records"),
        (style.STATUSES["timeout"], "bfs/scan", "a", 1, "not finished after 9 s"),
        (style.STATUSES["timeout"], "bfs/scan", "b", 1, "not finished after 9 s"),
    ]
