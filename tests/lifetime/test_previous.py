"""Good records outlive a kernel that no longer compiles, and a graph that is prepared anew."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from results import synthetic

from warpath.base import files, places
from warpath.lifetime import previous
from warpath.results import gather, records
from warpath.runs import wrong

MISTAKES = "first_mistake x;\nsecond_mistake y;\n"


def levels(checkout):
    return sorted(checkout.folder.glob("results/runs/*/bfs/level/*.json"))


@pytest.mark.slow
def test_a_kernel_that_no_longer_compiles_keeps_the_records(finished):
    before = {path.relative_to(finished.folder): path.read_bytes() for path in levels(finished)}
    finished.append("kernels/bfs/level.cu", MISTAKES)
    failed = finished.snakemake("--keep-going", check=False)
    assert failed.returncode != 0
    rows = finished.summary().set_index("algorithm").loc["bfs/level"]
    assert set(rows["status"]) == {"ok"} and rows["median_ms"].notna().all()
    assert all("outdated" in flags.split() for flags in rows["flags"])
    assert rows["error"].str.contains("level.cu:").all()
    log = finished.read("logs/runs/tiny-path/bfs/level/b64.log")
    assert "'first_mistake'" in log.replace("‘", "'").replace("’", "'") and "second_mistake" in log
    assert not levels(finished) or all(path.name.endswith(".failed.json") for path in levels(finished))
    for path, content in before.items():
        assert (finished.folder / places.previous(path)).read_bytes() == content

    finished.restore("kernels/bfs/level.cu")
    finished.snakemake()
    flags = finished.summary()["flags"].fillna("")
    assert not flags.str.contains("outdated").any()
    assert not list(finished.folder.glob("results/runs/**/*.previous"))


@pytest.mark.slow
def test_a_graph_that_comes_out_the_same_repeats_no_run(finished):
    """Its recipe changes, its content does not: a stated count that is right."""
    before = {
        path: json.loads(path.read_text())["started"] for path in finished.folder.glob("results/runs/*/*/*/*.json")
    }
    graphs = finished.read("tiny-graphs.yaml").replace("vertices: 9}}", "vertices: 9}, expected: {vertices: 9}}")
    finished.write("tiny-graphs.yaml", graphs)
    assert finished.jobs()["prepare_graph"] == 1
    finished.snakemake()
    assert {path: json.loads(path.read_text())["started"] for path in before} == before
    assert finished.jobs() == {}
    assert not list(finished.folder.glob("results/runs/**/*.unchanged"))


def test_tables_fall_back_to_the_last_good_record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good, other = synthetic.record(launch="b64"), synthetic.record(launch="b256")
    study = synthetic.study(good, other)
    synthetic.write("results/runs", good, other | {"status": "failed", "error": "does not compile", "samples": []})
    for run in study.runs:
        os.replace(run.record, places.previous(run.record) if run.launch == "b64" else run.failure)
    _, summary = gather.gather(study, "results/runs")
    rows = summary.set_index("launch")
    assert (rows.loc["b64", "status"], rows.loc["b64", "flags"]) == ("ok", "outdated")
    assert "not made yet" in rows.loc["b64", "error"]
    assert rows.loc["b256", "status"] == "failed"
    with pytest.raises(records.MissingRecord):
        records.read(study.runs[0].record)


@pytest.mark.parametrize(
    ("status", "exact", "named"), [("wrong", True, "bfs/level (1)"), ("wrong", False, ""), ("ok", True, "")]
)
def test_wrong_answers_count_only_where_they_should_be_exact(tmp_path, status, exact, named):
    synthetic.write(tmp_path, synthetic.record(status=status, exact=exact))
    assert wrong.named([*tmp_path.rglob("*.json"), tmp_path / "absent.json"]) == named


@pytest.mark.parametrize(("forced", "kept"), [(True, False), (False, True)])
def test_a_run_that_was_forced_and_not_come_to_is_not_due_any_more(tmp_path, monkeypatch, forced, kept):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(previous, "_only_for_its_graph", lambda *_: False)
    record = places.record("path", "bfs", "level", "b64")
    files.write_json(record, {})
    dag = SimpleNamespace(
        needrun_jobs=lambda: [SimpleNamespace(output=[record])], reason=lambda _: SimpleNamespace(forced=forced)
    )
    with pytest.raises(KeyboardInterrupt), previous.keeping(SimpleNamespace(dag=dag)):
        assert Path(places.previous(record)).exists()
        raise KeyboardInterrupt
    assert Path(places.previous(record)).exists() is kept
