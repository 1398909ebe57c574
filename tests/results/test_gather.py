"""From records to rows: one per sample, and one per run."""

import numpy as np
import pandas as pd
import pytest
import synthetic

from warpath.results import gather, select


def test_row_per_sample_and_row_per_run():
    second = synthetic.record(launch="b64", median_ms=3) | {"chosen": "buckets, delta 8"}
    second["preparing"] = {"ms": 5.0}
    tables = synthetic.tables(synthetic.record(median_ms=2), second)
    assert len(tables.timings) == 40
    assert len(tables.summary) == 2
    row = tables.summary.set_index("launch").loc["b64"]
    times = [sample["solve_ms"] for sample in synthetic.record(median_ms=3)["samples"]]
    assert row.median_ms == pytest.approx(np.median(times))
    assert (row.prepare_ms, row.first_ms) == (5, 5 + row.median_ms)
    assert row.q1_ms == pytest.approx(np.percentile(times, 25))
    assert (row.samples, row.sources, row.block) == (20, 4, 64)
    assert row.overhead_s == pytest.approx(0.4)
    assert row.device_label == "host (CPU emulation)"
    assert tables.summary["chosen"].fillna("").tolist() == ["", "buckets, delta 8"]
    assert row.started == "2026-11-21T09:00:00+00:00"
    by_source = [np.median(times[source::4]) for source in range(4)]
    assert row.teps == pytest.approx(8870 / (np.mean(by_source) / 1000))  # the harmonic mean over sources


def test_what_is_part_of_the_answer_counts_once_in_a_first_search():
    record = synthetic.record(median_ms=2) | {"preparing": {"ms": 5.0}, "again_ms": 5.0}
    (row,) = synthetic.tables(record).summary.itertuples()
    assert (row.prepare_ms, row.first_ms) == (5, row.median_ms) and row.median_ms > 5
    earlier = synthetic.tables(synthetic.record(median_ms=2) | {"prepare_ms": 5.0}).summary
    assert earlier["median_ms"].item() == row.median_ms and earlier["first_ms"].isna().all()


def test_processes_of_a_run_share_a_row():
    parts = [synthetic.record(median_ms=ms, process=process) for process, ms in enumerate((1.0, 2.0), start=1)]
    parts[1]["flags"] = ["noisy"]
    tables = synthetic.tables(*parts)
    (row,) = tables.summary.itertuples()
    assert (row.status, row.processes, row.samples, row.sources, row.flags) == ("ok", 2, 40, 4, "noisy")
    assert row.interval == "range over 2 processes" and row.low_ms < 1 < row.median_ms < 2 < row.high_ms
    assert row.percent_between_processes > 90
    assert tables.timings["process"].value_counts().to_dict() == {1: 20, 2: 20}
    run = tables.summary.iloc[0]
    assert [len(process) for process in select.processes(tables.timings, run)] == [4, 4]
    assert {len(times) for times in select.samples(tables.timings, run).values()} == {10}
    ratio, low, high = select.ratio(tables.timings, run, run)  # one process may be another half
    assert ratio == 1 and low < 0.6 and high > 1.7
    failed = synthetic.record(process=3, status="failed", error="oh")
    (row,) = synthetic.tables(*parts, failed).summary.itertuples()
    assert (row.status, row.error) == ("failed", "oh") and row.record.endswith("b256.p3.json")
    assert np.isnan(row.median_ms)


def test_run_without_a_usable_record_is_a_row_with_the_reason_and_no_time(tmp_path):
    records = [synthetic.record(), synthetic.record(launch="b64")]
    synthetic.write(tmp_path, *records)
    path = tmp_path / "rome99/bfs/level/b256.json"
    path.write_text(path.read_text()[:100])
    planned = synthetic.study(*records, missing=[("rome99", "bfs/level", "b512", "host")])
    timings, summary = gather.gather(planned, tmp_path)
    assert summary["status"].tolist() == ["missing", "ok", "missing"]
    assert summary["error"].iloc[0].startswith(f"{path}: not valid JSON")
    assert summary["error"].iloc[2] == "not run yet" and summary["block"].iloc[2] == 512  # from the planned launch
    assert summary["median_ms"].notna().tolist() == [False, True, False]
    assert timings["status"].value_counts().to_dict() == {"ok": 20, "missing": 2}


@pytest.mark.parametrize("status", ["timeout", "out_of_memory", "unsupported", "failed"])
def test_run_that_did_not_finish_is_a_row_without_a_time(status):
    record = synthetic.record(status=status, error="why", vertices=None, arcs=None, parameters=None)
    tables = synthetic.tables(record)
    assert tables.summary.loc[0, ["status", "error", "block"]].tolist() == [status, "why", 256]
    assert pd.isna(tables.summary.loc[0, "median_ms"]) and len(tables.timings) == 1
    assert select.best(tables.summary)["status"].tolist() == [status]


def test_wrong_answers_are_counted_and_not_compared():
    wrong = synthetic.record(algorithm="sssp/racy", status="wrong", median_ms=0.001)
    wrong["samples"][3]["wrong_vertices"] = 17
    right = synthetic.record(algorithm="sssp/racy", launch="b64", median_ms=5)
    noisy, slow = synthetic.runs("rome99 sssp/cpu_dijkstra=10 sssp/cpu_bellman_ford=80", flags=["noisy"])
    tables = synthetic.tables(wrong, right, noisy, slow)
    assert tables.summary.loc[0, "wrong_vertices"] == 17
    best = select.best(tables.summary).set_index("algorithm")
    assert best.loc["sssp/racy", "launch"] == "b64"
    (speedup,) = select.speedups(tables.timings, tables.summary).to_dict("records")
    assert (speedup["baseline"], speedup["flags"]) == ("sssp/cpu_dijkstra", "noisy")  # of either side
    assert speedup["speedup"] == pytest.approx(2)
    assert speedup["speedup_low"] <= speedup["speedup"] <= speedup["speedup_high"]


def test_samples_are_those_of_the_run_with_its_status_in_the_table_that_is_asked():
    tables = synthetic.tables(synthetic.record(launch="b64"), synthetic.record(launch="b128", status="wrong"))
    right, wrong = tables.summary.to_dict("records")
    for timings in (tables.timings, tables.timings.assign(solve_ms=1.0)):
        for run in (right, wrong):
            rows = timings[timings["launch"] == run["launch"]]
            expected = {source: times.tolist() for source, times in rows.groupby("source")["solve_ms"]}
            found = select.samples(timings, run)
            assert {source: times.tolist() for source, times in found.items()} == expected
        assert select.samples(timings, wrong | {"status": "ok"}) == {}


def test_phases_and_stand_ins_are_columns():
    record = synthetic.record("roadNet-CA.stand-in", "sssp/tpe_incore", "b256-g8-source")
    tables = synthetic.tables(record)
    assert tables.summary.loc[0, "phase_filter_ms"] == pytest.approx(tables.summary.loc[0, "median_ms"] / 4)
    assert tables.timings["phase_compute_ms"].tolist() == pytest.approx((tables.timings["solve_ms"] / 2).tolist())
    assert select.subject(tables.summary.loc[0].to_dict()) == "roadNet-CA"
    assert len(select.runs(tables.summary, ["sssp/tpe_incore"], ["roadNet-CA"])) == 1
    nothing = select.runs(tables.summary, ["bfs/scan"], ["rome99"])
    assert nothing.empty and list(nothing.columns) == list(tables.summary.columns)


def test_libraries_on_the_cpu_and_on_the_gpu_are_told_apart():
    """Kernel launches of a library are not counted: they are unknown, not zero."""
    on_cpu = synthetic.record(algorithm="sssp/peer_igraph", launch="default", device="peer")
    on_gpu = synthetic.record(algorithm="sssp/peer_cugraph", launch="given-float32", device="peer_gpu")
    for sample in on_gpu["samples"]:
        sample["kernel_launches"] = None
    summary = synthetic.tables(on_cpu, on_gpu).summary[["device_label", "device_name", "kernel_launches"]]
    assert summary.iloc[0].tolist() == ["library (CPU)", "Example CPU", 40]
    assert summary.iloc[1].tolist()[:2] == ["library (GPU)", "NVIDIA H200"] and pd.isna(summary.iloc[1, 2])
