"""Arguments of the sub-commands: defaults and errors."""

import functools
import json
import os
from pathlib import Path

import pytest
from small_graphs import from_edges

from warpath import cli
from warpath.base import outcome, places, schemas, settings
from warpath.graphs import csr
from warpath.runs import oracle

KERNEL = """
import numpy as np
from warpath.algorithms import Solution, algorithm

@algorithm(launches=[{"block": 64}])
def mine(device, graph, launch):
    def solve(source):
        return Solution(np.array([0, 1, 2], "uint32"), iterations=2)

    solve.chosen = "by heart"
    return solve
"""


@pytest.mark.parametrize(
    "record", ["x.json", "bfs/level/b64.json", "some/no_problem/level/b64.json", "a/bfs/level/b64"]
)
def test_a_wrong_path_of_a_record_is_reported_in_one_line(capsys, record):
    assert cli.main(["run", record]) == 2
    message = capsys.readouterr().err
    expected = "not the path of a record, results/runs/<graph>/<problem>/<algorithm>/<launch>.json"
    assert message == f"warpath: {record}: {expected}\n"


@pytest.fixture
def run(workplace, prepared, measured):
    """Measure a trivial algorithm on a path of three vertices by the command `run` with these options."""
    (workplace / "kernels/bfs").mkdir(parents=True)
    (workplace / "kernels/bfs/mine.py").write_text(KERNEL)
    prepared(from_edges("path", [0, 1], [1, 2]), "bfs", "--sources", "0,")
    return functools.partial(measured, "path", "bfs/mine", "b64", "--kernels", "kernels")


def test_a_run_by_hand_takes_the_defaults_of_the_schema(run):
    defaults = settings.defaults()["timing"]
    record = run("--warmup", "0")
    assert len(record["samples"]) == defaults["repetitions"]
    assert record["time_limit_s"] == defaults["time_limit"]
    assert record["chosen"] == "by heart"


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        (places.graph("path"), "prepare path"),
        (places.oracle("path", "bfs"), f"oracle {places.graph('path')} bfs --output {places.oracle('path', 'bfs')}"),
    ],
)
def test_a_run_without_its_input_says_how_to_make_it(run, tmp_path, capfd, missing, command):
    (tmp_path / missing).rename(tmp_path / "elsewhere")
    error = run(status=1)["error"]
    assert f"{missing}: no " in error and error.endswith(f"run `.venv/bin/warpath {command}` first")
    assert f"failed ({error})" in capfd.readouterr().out
    assert run("--again", "a-7", status=0)["again"] == "a-7"  # in a workflow, which goes on


def test_a_run_of_a_workflow_takes_its_settings_and_does_not_load_the_schema(run, monkeypatch):
    used = settings.check({"timing": {"warmup": 0, "repetitions": 2}})
    begun = {"process": os.getpid(), "machine": os.uname().nodename}
    monkeypatch.setenv(settings.HANDED, json.dumps({"settings": {"": used}, "workflow": begun}))
    monkeypatch.setattr(schemas, "load", lambda name: pytest.fail(f"loads {name}.schema.yaml"))
    assert len(run("--again", "first")["samples"]) == 2


def test_an_oracle_by_hand_takes_the_defaults_of_the_schema(tmp_path):
    csr.write(from_edges("cycle", range(9), [*range(1, 9), 0]), tmp_path / "cycle")
    file = tmp_path / "bfs.parquet"
    assert cli.main(["oracle", str(tmp_path / "cycle"), "bfs", "--output", str(file)]) == 0
    assert len(oracle.read(file).sources) == settings.defaults()["timing"]["sources"]


@pytest.mark.parametrize(("graph", "error"), [("path", None), ("paht", "no catalogue has a graph 'paht'")])
def test_a_step_of_a_workflow_writes_what_became_of_it(tmp_path, monkeypatch, graph, error):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(places, "home", None)
    monkeypatch.setattr(places, "entered", "")
    catalogue = {"catalogues": ["mine.yaml"], "prefix": "in here"}
    (tmp_path / "mine.yaml").write_text("path: {generator: {kind: path, vertices: 4}}")
    monkeypatch.setenv(settings.HANDED, json.dumps({"settings": {"in here/": settings.check(catalogue)}}))
    step = ["--folder", "in here/", "--outcome", "in here/x.outcome", "--again", "a-7", "prepare", graph]
    assert cli.main(step) == 0
    monkeypatch.chdir(tmp_path / "in here")
    written = outcome.read("x.outcome")
    assert written["again"] == "a-7" and (error or "") in (written["error"] or "")
    assert Path(places.prepared(graph)).exists() == (written["error"] is None) == (error is None)


def test_a_step_that_succeeds_by_hand_leaves_no_failure_beside_what_it_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = {
        places.prepared("path-64"): ["prepare", "path-64"],
        "bfs.parquet": ["oracle", places.graph("path-64"), "bfs", "--output", "bfs.parquet"],
    }
    for made, step in steps.items():
        outcome.write(places.outcome(made), "the disk is full")
        assert cli.main(step) == 0 and outcome.read(places.outcome(made)) is None
