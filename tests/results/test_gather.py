import json

import numpy as np
import pandas as pd
import pytest
import synthetic

from warpath.results import failures, gather, limits, page, records, select


def test_a_row_per_sample_and_a_row_per_run(tmp_path):
    made = synthetic.tables(tmp_path, synthetic.record(median_ms=2), synthetic.record(launch="b64", median_ms=3))
    assert len(made.timings) == 40
    assert len(made.summary) == 2
    row = made.summary.set_index("launch").loc["b64"]
    times = [sample["solve_ms"] for sample in synthetic.record(median_ms=3)["samples"]]
    assert row.median_ms == pytest.approx(np.median(times))
    assert row.low_ms <= row.median_ms <= row.high_ms
    assert row.q1_ms == pytest.approx(np.percentile(times, 25))
    assert (row.samples, row.sources, row.block) == (20, 4, 64)
    assert row.overhead_s == pytest.approx(0.4)
    assert row.device_label == "host (CPU emulation)"
    assert row.started == "2026-11-21T09:00:00+00:00"
    assert row.teps == pytest.approx(8870 / (row.median_ms / 1000), rel=0.05)


def test_the_tables_have_the_columns_that_others_rely_on(tmp_path):
    timings = synthetic.tables(tmp_path, synthetic.record()).timings
    wanted = (
        "study problem algorithm paper graph vertices arcs launch block grid coarsening tile order device device_name "
    )
    wanted += "source repetition solve_ms wall_ms kernel_launches iterations arcs_visited status wrong_vertices error"
    assert not set(wanted.split()) - set(timings.columns)


def test_tables_survive_the_disk(tmp_path):
    made = synthetic.tables(tmp_path / "runs", *synthetic.quickstart())
    gather.write(made.timings, tmp_path / "timings.parquet")
    gather.write(made.summary, tmp_path / "summary.csv")
    timings, summary = gather.read(tmp_path / "timings.parquet", tmp_path / "summary.csv")
    assert timings["solve_ms"].to_numpy(float) == pytest.approx(made.timings["solve_ms"].to_numpy(float))
    assert summary["median_ms"].to_numpy() == pytest.approx(made.summary["median_ms"].to_numpy(float), rel=1e-8)
    assert (summary["flags"] == "").all()


def test_names_that_look_like_numbers_or_nothing_stay_names(tmp_path):
    made = synthetic.tables(tmp_path / "runs", synthetic.record("1e5"), synthetic.record("NA"), synthetic.record("007"))
    gather.write(made.timings, tmp_path / "t.parquet")
    gather.write(made.summary, tmp_path / "s.csv")
    _, summary = gather.read(tmp_path / "t.parquet", tmp_path / "s.csv")
    assert summary["graph"].tolist() == ["1e5", "NA", "007"]


def test_a_planned_run_without_a_record_is_a_row_that_says_so(tmp_path):
    made = synthetic.tables(tmp_path, synthetic.record(), missing=[("rome99", "bfs/level", "b512", "host")])
    row = made.summary.set_index("launch").loc["b512"]
    assert row.status == "missing"
    assert "not been made" in row.error
    assert row.block == 512  # from the launch that was planned
    assert (made.timings["status"] == "missing").sum() == 1


def test_a_failure_leaves_its_record_beside_and_is_found(tmp_path):
    made = synthetic.record(status="failed", error="boom")
    synthetic.write(tmp_path, made)
    path = tmp_path / "rome99/bfs/level/b256.json"
    path.rename(path.with_name("b256.failed.json"))
    _, summary = gather.gather(synthetic.study(made), tmp_path)
    assert summary.loc[0, ["status", "error"]].tolist() == ["failed", "boom"]
    assert summary.loc[0, "record"].endswith("b256.failed.json")


DAMAGE = {
    "cut short": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "not JSON": lambda text: "<html>",
    "a list": lambda text: "[1, 2]",
    "lists in lists": lambda text: "[" * 100_000,
    "another format": lambda text: text.replace('"format": 1', '"format": 99'),
    "no status": lambda text: text.replace('"status"', '"state"'),
    "an unknown status": lambda text: text.replace('"status": "ok"', '"status": "fine"'),
    "no samples": lambda text: json.dumps(json.loads(text) | {"samples": []}),
    "no vertices": lambda text: text.replace('"vertices"', '"corners"'),
    "a sample without a time": lambda text: text.replace('"solve_ms"', '"solved"', 1),
    "a time that is NaN": lambda text: json.dumps(
        json.loads(text) | {"samples": [{"solve_ms": float("nan"), "wall_ms": 1}]}
    ),
    "a time of nothing": lambda text: json.dumps(json.loads(text) | {"samples": [{"solve_ms": 0, "wall_ms": 1}]}),
    "a time that is text": lambda text: json.dumps(json.loads(text) | {"samples": [{"solve_ms": "1", "wall_ms": 1}]}),
    "another graph": lambda text: text.replace('"graph": "rome99"', '"graph": "paris"'),
    "another device": lambda text: text.replace('"device": "host"', '"device": "cuda"'),
    "bytes": lambda text: text.replace("rome99", "\udcff"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_record_that_cannot_be_right_is_not_believed(tmp_path, damage):
    made = synthetic.record()
    synthetic.write(tmp_path, made, synthetic.record(launch="b64"))
    path = tmp_path / "rome99/bfs/level/b256.json"
    path.write_bytes(damage(path.read_text()).encode("utf-8", "surrogateescape"))
    timings, summary = gather.gather(synthetic.study(made, synthetic.record(launch="b64")), tmp_path)
    damaged, sound = summary.iloc[0], summary.iloc[1]
    assert damaged.status == "missing"
    assert str(path) in damaged.error
    assert "\n" not in damaged.error
    assert pd.isna(damaged.median_ms)
    assert sound.status == "ok"
    assert (timings["status"] == "ok").sum() == 20


ODD = [
    None,
    True,
    "x",
    "\ud800",
    7,
    -1,
    1.5,
    10**30,
    [64],
    ["\ud800"],
    {"device_name": ["\ud800"]},
    {"x": [64]},
    {"x": None},
    {"block": "x"},
    {"status": 7},
]


def oddly_typed(status):
    """A sound record with one odd value in it, for every field that there is, and in one with a sample."""
    sound = synthetic.record(status=status) | {"samples": synthetic.record()["samples"]}
    sample = sound["samples"][0]
    for odd in ODD:
        yield sound | {"samples": [sample, odd]}
        for field in ("device_name", "uuid", "commit"):
            yield sound | {"environment": sound["environment"] | {field: odd}}
        yield from (sound | {field: odd} for field in sound if field not in ("graph", "problem", "algorithm", "launch"))
        yield from (sound | {"samples": [sample, sample | {field: odd}]} for field in sample)


@pytest.mark.parametrize("status", records.STATUSES)
def test_no_oddly_typed_record_takes_the_rest_with_it(tmp_path, status):
    made = [odd | {"graph": f"g{number}"} for number, odd in enumerate(oddly_typed(status))]
    results = tmp_path / "results"
    study = synthetic.study(*[synthetic.record(odd["graph"]) for odd in made])
    synthetic.write(results / "runs", *made)
    timings, summary = gather.gather(study, results / "runs")
    assert len(summary) == len(made)
    gather.write(timings, tmp_path / "t.parquet")
    gather.write(summary, tmp_path / "s.csv")
    timings, summary = gather.read(tmp_path / "t.parquet", tmp_path / "s.csv")
    page.write(study, {"study": "x"}, timings, summary, [], results / "figures", results / "report.html")


NULLS = {"environment": None, "flags": None, "parameters": [64], "costs": [1], "samples": [1], "error": ["why"]}


@pytest.mark.parametrize(("field", "value"), NULLS.items(), ids=NULLS)
@pytest.mark.parametrize("status", ["ok", "timeout"])
def test_a_field_of_another_type_is_damage_whatever_the_status(tmp_path, status, field, value):
    made = synthetic.tables(tmp_path, synthetic.record(status=status) | {field: value})
    assert made.summary.loc[0, "status"] == "missing"
    assert field.removesuffix("s") in made.summary.loc[0, "error"]


def test_a_sample_whose_source_is_text_is_damage(tmp_path):
    made = synthetic.record()
    made["samples"][2]["source"] = "17"
    said = synthetic.tables(tmp_path, made).summary.loc[0]
    assert said.status == "missing" and "sample 2: field 'source' is '17'" in said.error


@pytest.mark.parametrize("status", [status for status in records.STATUSES if status not in ("ok", "wrong")])
def test_every_other_ending_is_a_row_without_a_time(tmp_path, status):
    made = synthetic.record(status=status, error="why", vertices=None, arcs=None, parameters=None)
    tables = synthetic.tables(tmp_path, made)
    assert tables.summary.loc[0, "status"] == status
    assert pd.isna(tables.summary.loc[0, "median_ms"])
    assert len(tables.timings) == 1


def test_wrong_answers_are_counted_and_kept_out_of_comparisons(tmp_path):
    wrong = synthetic.record(algorithm="sssp/racy", status="wrong", median_ms=0.001)
    wrong["samples"][3]["wrong_vertices"] = 17
    right = synthetic.record(algorithm="sssp/racy", launch="b64", median_ms=5)
    base = synthetic.record(algorithm="sssp/cpu_dijkstra", launch="default", device="cpu", median_ms=10)
    tables = synthetic.tables(tmp_path, wrong, right, base)
    assert tables.summary.loc[0, "wrong_vertices"] == 17
    best = select.best(tables.summary).set_index("algorithm")
    assert best.loc["sssp/racy", "launch"] == "b64"
    speedup = select.speedups(tables.timings, tables.summary)
    assert speedup["speedup"].tolist() == pytest.approx([2], rel=0.05)


def test_what_has_no_right_answer_still_has_a_row_in_best(tmp_path):
    tables = synthetic.tables(
        tmp_path, synthetic.record(status="timeout"), synthetic.record(status="timeout", launch="b64")
    )
    assert select.best(tables.summary)["status"].tolist() == ["timeout"]


def test_phases_and_stand_ins_come_through(tmp_path):
    made = synthetic.record("roadNet-CA.stand-in", "sssp/tpe_incore", "b256-g8-source", standin_for="roadNet-CA")
    for sample in made["samples"]:
        sample["phases"] = {"filter_ms": 1.0, "compute_ms": 2.0}
    tables = synthetic.tables(tmp_path, made)
    assert tables.summary.loc[0, "phase_filter_ms"] == 1
    assert (tables.timings["phase_compute_ms"] == 2).all()
    assert select.subject(tables.summary.loc[0].to_dict()) == "roadNet-CA"
    assert len(select.of(tables.summary, ["sssp/tpe_incore"], ["roadNet-CA"])) == 1
    assert tables.summary.loc[0, "order"] == "source"


def test_choosing_nothing_keeps_the_columns(tmp_path):
    summary = synthetic.tables(tmp_path, synthetic.record()).summary
    nothing = select.of(summary, ["bfs/scan"], ["rome99"])
    assert nothing.empty and list(nothing.columns) == list(summary.columns)


def test_flags_are_kept_in_the_table(tmp_path):
    tables = synthetic.tables(tmp_path, synthetic.record(flags=["noisy", "throttled"]))
    assert tables.summary.loc[0, "flags"] == "noisy throttled"


RATES = {"copy_bytes_per_s": 4e12, "relaxations_per_s": 16e12, "environment": {"device_name": "NVIDIA H200"}}
ON_H200 = {"status": "ok", "device": "cuda", "device_name": "NVIDIA H200", "median_ms": 1.0}


def test_share_of_the_devices_limit():
    run = ON_H200 | {"vertices": 999_999, "arcs": 2_000_000, "algorithm": "of/any"}
    # bfs: 4 bytes each for 1 M offsets, 2 M targets and about 1 M distances
    assert limits.percent_of_limit(run | {"problem": "bfs"}, RATES) == pytest.approx(100 * 16e6 / 1e-3 / 4e12, rel=1e-5)
    assert limits.percent_of_limit(run | {"problem": "sssp"}, RATES) == pytest.approx(
        100 * 24e6 / 1e-3 / 4e12, rel=1e-5
    )
    small = run | {"problem": "apsp", "vertices": 1000}
    wide, narrow = (small | {"algorithm": "apsp/fw_tiled", "width": width} for width in (32, 16))
    assert limits.percent_of_limit(wide, RATES) == pytest.approx(100 * 1e9 / 1e-3 / 16e12)
    assert limits.percent_of_limit(narrow, RATES) == pytest.approx(100 * 1e9 / 1e-3 / 32e12)
    assert limits.percent_of_limit(small | {"algorithm": "apsp/batched"}, RATES) is None


@pytest.mark.parametrize(
    "change", [{"device": "cpu"}, {"device": "host"}, {"status": "wrong"}, {"device_name": "Tesla T4"}]
)
def test_no_limit_for_another_device_or_a_wrong_answer(change):
    run = ON_H200 | {"vertices": 10, "arcs": 20, "problem": "bfs", "algorithm": "bfs/level"}
    assert limits.percent_of_limit(run, RATES) > 0
    assert limits.percent_of_limit(run | change, RATES) is None
    assert limits.percent_of_limit(run, None) is None


@pytest.mark.parametrize(
    "text",
    ["[1]", "null", "", "[" * 10**5, "{}", json.dumps(RATES | {"environment": None}), '{"environment": 1}']
    + [json.dumps(RATES | {"relaxations_per_s": rate}) for rate in (0, "fast", None)],
)
def test_a_probe_that_is_none_is_said_once_and_left_out(tmp_path, text, capsys):
    file = tmp_path / "probe.json"
    file.write_text(text)
    assert limits.rates(file) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warpath: {file}: not what a probe writes")
    file.write_text(json.dumps(RATES))
    assert limits.rates(file) == RATES


def test_where_nothing_was_probed_nothing_is_said(tmp_path, capsys):
    assert limits.rates(tmp_path / "probe.json") is None
    assert capsys.readouterr().err == ""


def test_libraries_for_the_cpu_and_the_gpu_are_told_apart(tmp_path):
    """And a library's kernel launches, which nobody counts, are unknown and not zero."""
    on_cpu = synthetic.record(algorithm="sssp/peer_igraph", launch="default", device="peer", median_ms=5)
    on_gpu = synthetic.record(algorithm="sssp/peer_cugraph", launch="given-float32", device="peer_gpu", median_ms=2)
    for sample in on_gpu["samples"]:
        sample["kernel_launches"] = None
    base = synthetic.record(algorithm="sssp/cpu_dijkstra", launch="default", device="cpu", median_ms=10)
    tables = synthetic.tables(tmp_path, on_cpu, on_gpu, base)
    summary = tables.summary.set_index("algorithm")
    assert summary.loc["sssp/peer_igraph", ["device_label", "device_name"]].tolist() == ["library (CPU)", "Example CPU"]
    assert summary.loc["sssp/peer_cugraph", ["device_label", "device_name"]].tolist() == [
        "library (GPU)",
        "NVIDIA H200",
    ]
    assert pd.isna(summary.loc["sssp/peer_cugraph", "kernel_launches"])
    speedups = select.speedups(tables.timings, tables.summary).set_index("algorithm")["speedup"]
    assert speedups.to_dict() == pytest.approx({"sssp/peer_igraph": 2, "sssp/peer_cugraph": 5}, rel=0.05)


def test_a_run_whose_graph_could_not_be_had_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "logs/download/g/g.txt.log"
    log.parent.mkdir(parents=True)
    log.write_text("warpath: g: no address gave the file\n")
    (run,) = synthetic.study(synthetic.record(graph="g")).runs
    assert failures.why_absent(run) == "this run has not been made (graph g: g: no address gave the file)"
