"""Records against their schema, by their keys, and against what is asked for now."""

import json
from pathlib import Path

import pytest
from results import synthetic
from small_graphs import from_edges

from warpath import cli
from warpath.base import outcome, places, schemas
from warpath.graphs import csr
from warpath.results import columns, frames, gather, page
from warpath.runs import records, statuses

SCHEMA = schemas.load("record")
STATUSES = SCHEMA["properties"]["status"]["enum"]


def with_sample(**changes):
    return lambda text: json.dumps(json.loads(text) | {"samples": [{"solve_ms": 1, "wall_ms": 1} | changes]})


DAMAGE = {
    "cut short": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "not JSON": lambda text: "<html>",
    "a list": lambda text: "[1, 2]",
    "lists in lists": lambda text: "[" * 100_000,
    "mappings in mappings": lambda text: json.dumps(json.loads(text) | {"environment": nested(900)}),
    "no vertices": lambda text: text.replace('"vertices"', '"corners"'),
    "a time that is NaN": with_sample(solve_ms=float("nan")),
    "an infinite time": with_sample(wall_ms=float("inf")),
    "a time of zero": with_sample(solve_ms=0),
    "a time as text": with_sample(solve_ms="1"),
    "another graph": lambda text: text.replace('"graph": "rome99"', '"graph": "paris"'),
    "another device": lambda text: text.replace('"device": "host"', '"device": "cuda"'),
    "bytes": lambda text: text.replace("rome99", "\udcff"),
}


def nested(depth):
    return {"x": nested(depth - 1)} if depth else None


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_record_is_refused_in_one_line(tmp_path, damage):
    record = synthetic.record()
    synthetic.write(tmp_path, record)
    (run,) = synthetic.study(record).runs
    path = tmp_path / "rome99/bfs/level/b256.json"
    path.write_bytes(damage(path.read_text()).encode("utf-8", "surrogateescape"))
    with pytest.raises(records.UnusableRecord) as refused:
        records.read(path, run)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


TIMES = {"solve_ms": 1, "wall_ms": 1}
MESSAGES = {
    "lacks status": {"status": None},
    "format: found 2, but it must be 1": {"format": 2},
    'error: found ["why"], but it must be text or null': {"error": ["why"]},
    'status: found "fine", but allowed are ok, wrong, timeout': {"status": "fine"},
    "vertices: found -1, but it must be at least 0": {"vertices": -1},
    "vertices: found null, but it must be an integer": {"vertices": None},
    "environment.uuid: found 7, but it must be text or null": {"environment": {"uuid": 7}},
    "not valid JSON, cut short or damaged ('utf-8' codec": {"environment": {"a\nb": "\ud800"}},
    "samples.1: found 7, but it must be keys with values": {"samples": [TIMES, 7]},
    'samples.0.source: found "17", but it must be an integer': {"samples": [{"source": "17"} | TIMES]},
    "samples.0: lacks wall_ms": {"samples": [{"solve_ms": 1}]},
    "samples: found [], but it needs at least 1 entries": {"samples": []},
}


@pytest.mark.parametrize("message", MESSAGES)
def test_message_names_the_field_its_value_and_the_rule(tmp_path, message):
    record = synthetic.record() | MESSAGES[message]
    if message == "lacks status":
        del record["status"]
    path = tmp_path / "b256.json"
    path.write_text(json.dumps(record))
    with pytest.raises(records.DamagedRecord) as refused:
        records.read(path)
    assert str(refused.value).startswith(f"{path}: {message}")


ODD = [
    None,
    True,
    "x",
    "\ud800",
    7,
    7.0,
    -1,
    1.5,
    10**30,
    [64],
    ["\ud800"],
    {"device_name": ["\ud800"]},
    {"x": [64]},
    {"x": None},
    {"block": "x"},
    {"alpha": 0.5},
    {"alpha": "x", "mine": 10**30},
    {"status": 7},
]


def odd_records(status):
    """Valid records with one odd value each: in every field, in one of the environment and in one of a sample."""
    valid = synthetic.record(status=status) | {"samples": synthetic.record()["samples"]}
    sample = valid["samples"][0]
    for odd in ODD:
        yield valid | {"samples": [sample, odd]}
        for field in ("device_name", "uuid", "commit"):
            yield valid | {"environment": valid["environment"] | {field: odd}}
        yield from (valid | {field: odd} for field in valid if field not in ("graph", "problem", "algorithm", "launch"))
        yield from (valid | {"samples": [sample, sample | {field: odd}]} for field in sample)


def test_every_status_has_its_words():
    assert {*statuses.STATUSES} == {*STATUSES, statuses.MISSING}
    assert {*statuses.UNSOUND} == {*statuses.STATUSES} - {statuses.SOUND}


def test_odd_records_leave_the_other_runs_alone(tmp_path):
    odd = [record for status in STATUSES for record in odd_records(status)]
    odd = [record | {"graph": f"g{number}"} for number, record in enumerate(odd)]
    results = tmp_path / "results"
    study = synthetic.study(*[synthetic.record(record["graph"]) for record in odd])
    synthetic.write(results / "runs", *odd)
    timings, summary = gather.gather(study, results / "runs")
    assert len(summary) == len(odd)
    frames.write(timings, tmp_path / "t.parquet")
    frames.write(summary, tmp_path / "s.csv")
    timings, summary = frames.read(tmp_path / "t.parquet", tmp_path / "s.csv")
    page.write(study, {"study": "x"}, timings, summary, [], results / "figures", results / "report.html")


WRONG_TYPES = {"environment": None, "flags": None, "parameters": [64], "costs": [1], "samples": [1], "error": ["why"]}


@pytest.mark.parametrize(("field", "value"), WRONG_TYPES.items(), ids=WRONG_TYPES)
@pytest.mark.parametrize("status", ["ok", "timeout"])
def test_field_of_another_type_is_damage_whatever_the_status(tmp_path, status, field, value):
    tables = synthetic.tables(tmp_path, synthetic.record(status=status) | {field: value})
    assert tables.summary.loc[0, "status"] == "missing"
    assert field.removesuffix("s") in tables.summary.loc[0, "error"]


def test_record_of_an_earlier_version_is_brought_up_to_date(tmp_path):
    earlier = synthetic.record("g", standin_for="h", status="timeout", error="not finished after 1e+06 s")
    del earlier["stand_in_for"]
    synthetic.write(tmp_path, earlier)
    record = records.read(tmp_path / "g/bfs/level/b256.json")
    assert (record["stand_in_for"], record["time_limit_s"]) == ("h", 1e6)
    assert "standin_for" not in record
    own = synthetic.record(time_limit_s=7, status="timeout", error="not finished after 20 s")
    assert records.upgrade(own)["time_limit_s"] == 7


@pytest.mark.parametrize(
    ("status", "error", "seconds"),
    [
        ("timeout", "not finished after 0.5 s", 0.5),
        ("timeout", "not finished after many s", None),
        ("timeout", None, None),
        ("failed", "not finished after 20 s", None),
    ],
)
def test_time_limit_is_read_from_the_message_of_a_timeout_alone(status, error, seconds):
    assert records.time_limit(status, error) == seconds


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
def test_fresh_record_conforms_and_every_field_is_described(
    tmp_path, kernel_cache, monkeypatch, algorithm, launch, device
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_CACHE", str(kernel_cache))
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    problem, path = algorithm.partition("/")[0], f"results/runs/path/{algorithm}/{launch}.json"
    csr.write(from_edges("path", [0, 1, 2], [1, 2, 3]), places.graph("path"))
    answers = places.oracle("path", problem)
    assert cli.main(["oracle", places.graph("path"), problem, "--sources", "0,", "--output", answers]) == 0
    assert cli.main(["run", path, "--device", device]) == 0
    record = json.loads(Path(path).read_text())
    assert record["status"] == "ok"
    records.read(path)
    assert not undescribed(record)
    assert not undescribed(record["samples"][0], "samples")
    assert not undescribed(record["costs"], "costs")
    assert not undescribed(record["environment"], "environment")
    for name in ("worker", "sensors_before", "sensors_after"):
        assert not undescribed(record["environment"].get(name, {}), "environment", name)


def undescribed(values, *path):
    return values.keys() - columns.field(*path)["properties"].keys()
