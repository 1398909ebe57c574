"""Records against their schema, by their keys, and against what is asked for now."""

import json
import random
from pathlib import Path

import pytest
from results import synthetic
from small_graphs import from_edges

from warpath import cli
from warpath.base import outcome, places, schemas
from warpath.results import columns, frames, gather, page
from warpath.runs import records, statuses

SCHEMA = schemas.load("record")
STATUSES = SCHEMA["properties"]["status"]["enum"]


def nested(depth):
    return {"x": nested(depth - 1)} if depth else None


def changed(**fields):
    return lambda text: json.dumps(json.loads(text) | fields)


def with_sample(*samples, **changes):
    return changed(samples=[*samples, {"solve_ms": 1, "wall_ms": 1} | changes])


BROKEN = "not valid JSON, cut short or damaged"
DAMAGE = {
    "cut short": (lambda text: text[: len(text) // 2], BROKEN),
    "empty": (lambda text: "", BROKEN),
    "a list": (lambda text: "[1, 2]", 'found [1, 2], but it is not of type "object"'),
    "lists in lists": (lambda text: "[" * 100_000, BROKEN),
    "mappings in mappings": (changed(environment=nested(900)), "Recursion limit reached"),
    "bytes": (lambda text: text.replace("rome99", "\udcff"), f"{BROKEN} ('utf-8' codec"),
    "half a character": (changed(environment={"a\nb": "\ud800"}), f"{BROKEN} ('utf-8' codec"),
    "a time that is NaN": (with_sample(solve_ms=float("nan")), BROKEN),
    "an infinite time": (with_sample(wall_ms=float("inf")), BROKEN),
    "a time of zero": (with_sample(solve_ms=0), "samples.0.solve_ms: found 0, but it is less than or equal to the min"),
    "no time": (changed(samples=[{"solve_ms": 1}]), "samples.0: lacks wall_ms"),
    "no samples": (changed(samples=[]), "samples: found [], but it has less than 1 item"),
    "no status": (lambda text: text.replace('"status"', '"state"'), "lacks status"),
    "another format": (changed(format=2), "format: found 2, but 1 was expected"),
    "a negative number": (changed(vertices=-1), "vertices: found -1, but it is less than the minimum of 0"),
    "another graph": (changed(graph="paris"), "is about graph 'paris', not 'rome99'; delete it to run again"),
    "another process": (changed(process=2), "is about process 2, not 1; delete it to run again"),
    "another device": (changed(device="cuda"), "is about device 'cuda', not 'host'; delete it to run again"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_record_is_refused_in_one_line_that_names_what_is_wrong(tmp_path, damage, message):
    record = synthetic.record()
    synthetic.write(tmp_path, record)
    (run,) = synthetic.study(record).runs
    path = tmp_path / "rome99/bfs/level/b256.json"
    path.write_bytes(damage(path.read_text()).encode("utf-8", "surrogateescape"))
    with pytest.raises(records.UnusableRecord) as refused:
        records.read(path, run)
    assert str(refused.value).startswith(f"{path}: {message}")
    assert "\n" not in str(refused.value)


ODD = [None, True, 7, 7.0, -1, 1.5, 10**30, "x", "\ud800", [64], ["\ud800"]]
ODD += [{"device_name": ["\ud800"]}, {"x": [64]}, {"x": None}, {"block": "x"}, {"alpha": 0.5}, {"status": 7}]
ODD += [{"alpha": "x", "mine": 10**30}]


def odd_records():
    """Valid records with one odd value each, in every field, in the environment and in a sample; of any status."""
    valid = synthetic.record()
    sample = valid["samples"][0]
    for odd in ODD:
        yield {"samples": [sample, odd]}
        for field in ("device_name", "uuid", "commit"):
            yield {"environment": valid["environment"] | {field: odd}}
        yield from ({field: odd} for field in valid if field not in ("graph", "problem", "algorithm", "launch"))
        yield from ({"samples": [sample, sample | {field: odd}]} for field in sample)


def test_every_status_has_its_words():
    assert {*statuses.STATUSES} == {*STATUSES, statuses.MISSING}
    assert {*statuses.UNSOUND} == {*statuses.STATUSES} - {statuses.SOUND}


def test_odd_records_leave_the_other_runs_alone(tmp_path):
    draw, valid = random.Random(1), synthetic.record()
    odd = [
        valid | {"graph": f"g{number}", "status": draw.choice(STATUSES)} | changes
        for number, changes in enumerate(odd_records())
    ]
    results = tmp_path / "results"
    study = synthetic.study(*[synthetic.record(record["graph"]) for record in odd])
    synthetic.write(results / "runs", *odd)
    timings, summary = gather.gather(study, results / "runs")
    assert len(summary) == len(odd)
    frames.write(timings, tmp_path / "t.parquet")
    frames.write(summary, tmp_path / "s.csv")
    timings, summary = frames.read(tmp_path / "t.parquet", tmp_path / "s.csv")
    page.write(study, {"study": "x"}, timings, summary, [], results / "figures", results / "report.html")


ASKED = {"warmup": 1, "repetitions": 5, "budget": 20, "time_limit": 240, "energy": 0}


def measured(count=10, sources=2, wall_ms=1.0, **fields):
    """What decides whether a record has all that is asked for."""
    samples = [{"wall_ms": wall_ms}] * count
    limits = {"device": "host", "budget_s": 20, "time_limit_s": 240}
    return {"status": "ok", "samples": samples, "flags": [], "checked": {"sources": sources}} | limits | fields


SHORTENED = measured(4, wall_ms=5000, flags=["shortened"])
ENDED = measured(0, status="timeout")
LACKING = {
    "fewer repetitions": (measured(), {"repetitions": 2}, ""),
    "more repetitions": (measured(), {"repetitions": 6}, "repetitions"),
    "all pairs": (measured(5, sources=0), {"repetitions": 4}, ""),
    "a larger budget that was not used up": (measured(), {"budget": 90}, ""),
    "a larger budget that was used up": (SHORTENED, {"budget": 90}, "repetitions"),
    "a smaller budget": (SHORTENED, {"budget": 9}, ""),
    "more repetitions than the budget has time for": (SHORTENED, {"repetitions": 9}, ""),
    "a budget that the samples exceed": (measured(4, wall_ms=9000), {"repetitions": 9}, ""),
    "few repetitions of a shortened run": (SHORTENED, {"repetitions": 2, "budget": 90}, ""),
    "a wrong run": (measured(status="wrong"), {"repetitions": 6}, "repetitions"),
    "a higher limit": (measured(), {"time_limit": 999}, ""),
    "a higher limit after a timeout": (ENDED, {"time_limit": 999}, "time limit"),
    "a lower limit after a timeout": (ENDED, {"time_limit": 9, "repetitions": 9}, ""),
    "an unsupported launch": (measured(0, status="unsupported"), {"repetitions": 9}, ""),
    "energy of a run on a GPU": (measured(device="cuda"), {"energy": 2}, "energy"),
    "energy that was measured": (measured(device="cuda", energy={"joules": 9}), {"energy": 2}, ""),
    "energy of a run on a CPU": (measured(device="cpu"), {"energy": 2}, ""),
}


@pytest.mark.parametrize(("record", "changes", "what"), LACKING.values(), ids=LACKING)
def test_a_record_lacks_what_a_new_measurement_would_give_it(record, changes, what):
    assert records.lacks(record, ASKED | changes) == what


def test_a_run_is_due_again_after_a_failure_or_for_what_its_record_lacks(tmp_path):
    record = synthetic.record(again="again-7")
    (run,) = synthetic.study(record).runs

    def again(*changed, **asked):
        synthetic.write(tmp_path / places.RECORDS, *changed)
        return records.again(run, lambda path: tmp_path / path, ASKED | asked)

    assert again() == outcome.FIRST
    assert again(record) == again(repetitions=2) == "again-7"
    assert again(synthetic.record()) == outcome.FIRST  # of an earlier version
    assert len({"again-7", again(record, repetitions=9), again(repetitions=8)}) == 3
    assert again(record | {"status": "failed"}) not in (outcome.FIRST, "again-7")
    (tmp_path / run.record).write_text("[")
    assert again() not in (outcome.FIRST, "again-7")


def test_records_are_forgotten_with_those_that_are_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = [("rome99", "bfs/level", "b64"), ("rome99", "bfs/queue", "b64"), ("rome", "bfs/level", "b64")]
    for number, names in enumerate(found):
        run = synthetic.study(synthetic.record(*names)).runs[0]
        records.keep(run.record, synthetic.record(*names, key=f"k{number}"))
    assert cli.main(["forget", "rome99", "bfs/level"]) == 0
    left = {path.stem for path in Path(places.KEPT).iterdir()}, len(list(Path(places.RECORDS).rglob("*.json")))
    assert left == ({"k1", "k2"}, 2) and "bfs/level on rome99: 1 record removed" in capsys.readouterr().out
    assert cli.main(["forget", "rome99"]) == 0
    assert [path.stem for path in Path(places.KEPT).iterdir()] == ["k2"]
    assert cli.main(["forget", "rome99"]) == 2
    assert "rome99: no record in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("algorithm", "launch", "device"),
    [
        ("sssp/tpe_incore", "b256-g8-source", "host"),
        ("bfs/cpu_queue", "default", "cpu"),
        ("bfs/peer_scipy", "default", "peer"),
    ],
)
def test_fresh_record_conforms_and_every_field_is_described(prepared, measured, algorithm, launch, device):
    prepared(from_edges("path", [0, 1, 2], [1, 2, 3]), algorithm.partition("/")[0], "--sources", "0,")
    record = measured("path", algorithm, launch, "--device", device)
    assert record["status"] == "ok"
    records.read(places.record("path", *algorithm.split("/"), launch))
    assert not undescribed(record)
    assert not undescribed(record["samples"][0], "samples")
    assert not undescribed(record["costs"], "costs")
    assert not undescribed(record["environment"], "environment")
    for name in ("worker", "sensors_before", "sensors_after"):
        assert not undescribed(record["environment"].get(name, {}), "environment", name)


def undescribed(values, *path):
    return values.keys() - columns.field(*path)["properties"].keys()
