"""Whatever holds measurements can be one side of a comparison."""

import shutil

import pytest

from warpath.base import places
from warpath.base.errors import UserError
from warpath.results.comparisons import code, environment, ratios, sides
from warpath.runs import provenance


def runs(place):
    side = sides.read(place)
    return sorted(side.summary["launch"]), len(side.timings)


def test_records_tables_and_single_files_are_read(make, publish, record):
    folder, study = make("results", record(), record(launch="b64")), publish("study", record(), record(launch="b64"))
    expected = (["b256", "b64"], 40)
    assert runs(folder) == runs(folder / "runs") == runs(study) == runs(study / "timings.parquet") == expected
    assert runs(study / "summary.csv") == (expected[0], 0)
    assert runs(folder / "runs/rome99/bfs/level/b64.json") == (["b64"], 20)


def test_samples_alone_give_the_same_medians_as_the_summary(publish, record):
    study = publish("study", record(), record(launch="b64", slower=2))
    ends = [sides.read(study / file).summary.sort_values("launch")[ratios.ENDS] for file in (".", "timings.parquet")]
    assert ends[0].to_numpy() == pytest.approx(ends[1].to_numpy())


def test_tables_of_a_commit_are_read_from_git(publish, record, repository):
    publish("study", record())
    repository()
    publish("study", record(launch="b64"))
    assert runs("HEAD:study") == (["b256"], 20) and runs("study") == (["b64"], 20)
    assert runs("HEAD:study/summary.csv") == (["b256"], 0)
    with pytest.raises(UserError, match="HEAD:nothing: git has no tables of that name"):
        sides.read("HEAD:nothing")


def test_last_good_records_of_failed_runs_are_read(make, record, monkeypatch):
    folder = make("results", record(), record(launch="b64"))
    path = folder / "runs/rome99/bfs/level/b64.json"
    shutil.copy(path, places.previous(path))
    monkeypatch.chdir(folder.parent)
    assert runs("previous:results") == (["b64"], 20)
    assert runs("results")[0] == ["b256", "b64"]


def test_a_damaged_record_is_named_and_left_out(make, record, capsys):
    folder = make("results", record(), record(launch="b64"))
    (folder / "runs/rome99/bfs/level/b64.json").write_text("{")
    assert runs(folder)[0] == ["b256"]
    assert "b64.json: not valid JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing", None, "missing: not found; give a results folder"),
        ("notes.txt", "x", "notes.txt: not a table or a record"),
        (
            "other.csv",
            "a,b\n1,2\n",
            r"other.csv: not a table of runs \(it lacks the columns algorithm, graph, launch\)",
        ),
        ("empty.csv", "", "empty.csv: not a table"),
        ("timings.parquet", "x", "timings.parquet: not a table"),
    ],
)
def test_what_cannot_be_compared_is_one_line(tmp_path, monkeypatch, name, content, message):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=message) as error:
        sides.read(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("study", sorted(path.parent for path in places.ROOT.glob("docs/h200/*/summary.csv")), ids=str)
def test_published_studies_of_today_are_read(study):
    side = sides.read(study)
    assert len(side.summary) > 20 and len(side.timings) > 20
    assert {"device name", "driver", "commit", "sm clock max mhz"} <= dict(side.environment).keys()


def test_a_table_of_medians_alone_is_read():
    assert len(sides.read(places.ROOT / "docs/h200/sweep.csv").summary) > 1000


def test_what_differs_in_the_environment_is_told_from_what_is_the_same(make, record):
    first, second = record(), record()
    first["environment"] |= {"driver": "535.1", "sm_clock_max_mhz": 1980, "uuid": "GPU-1"}
    first["environment"]["sensors_after"] = {"sm_clock_mhz": 1755}
    first["flags"] = ["throttled", "noisy"]
    second["environment"] |= {"driver": "580.2", "sm_clock_max_mhz": 1980, "commit": "abcdef012345"}
    differing, equal = environment.compared(sides.read(make("a", first)), sides.read(make("b", second)))
    assert differing == [
        ("uuid", "GPU-1", "unknown"),
        ("driver", "535.1", "580.2"),
        ("sm clock after a run, median mhz", "1755", "unknown"),
        ("commit", "0123456789ab", "abcdef012345"),
    ]
    assert environment.about(sides.read(make("a", first))).endswith("; flagged: 1 throttled, 1 noisy")
    assert ("sm clock max mhz", "1980") in equal and ("device name", "NVIDIA H200") in equal


def test_records_say_whether_the_code_is_the_same(make, record):
    names = [{"launch": launch} for launch in ("b64", "b128", "b256")]
    before = [record(**name, kernel_sources={"level.cu": "1"}) for name in names]
    after = [
        record(**name, kernel_sources=hashes)
        for name, hashes in zip(names, ({"level.cu": "1"}, {"level.cu": "2"}, {}), strict=True)
    ]
    after[2]["environment"]["commit"] = "abcdef012345"
    table, _ = ratios.compared(sides.read(make("a", *before)), sides.read(make("b", *after)))
    assert dict(zip(table["launch"], table["code"], strict=True)) == {
        **{"b64": code.SAME, "b128": code.CHANGED},
        "b256": code.UNKNOWN,  # git does not know these commits
    }


def test_an_edit_that_is_declared_unchanged_is_no_other_code(monkeypatch):
    row = {"algorithm": "bfs/level", "before": provenance._digest(["1"]), "after": provenance._digest(["2"])}
    monkeypatch.setattr(provenance, "_table", lambda: [row])
    provenance._leading_to.cache_clear()
    assert code._equal("bfs/level", ["1"], ["2"]) and code._equal("bfs/level", ["2"], ["1"])
    assert not code._equal("bfs/scan", ["1"], ["2"]) and not code._equal("bfs/level", ["1"], ["3"])
    provenance._leading_to.cache_clear()


def test_git_says_for_published_tables_whether_the_code_is_the_same(monkeypatch):
    monkeypatch.setattr(code, "_difference", lambda first, second: frozenset({"bfs/level.cu"}))
    side = sides.Side("x", None, None, [], {})
    same = {
        (algorithm, commit): code.same((algorithm, "g", "l"), side, side, {"commit": "1"}, {"commit": commit})
        for algorithm in ("bfs/level", "bfs/scan", "bfs/gone")
        for commit in ("1", "2", "2-dirty", None)
    }
    assert [same["bfs/level", commit] for commit in ("1", "2", "2-dirty", None)] == [
        *["same", "changed", "unknown", "unknown"]
    ]
    assert same["bfs/scan", "2"] == "same" and same["bfs/gone", "2"] == "unknown"


def test_a_commit_of_a_table_is_no_option_of_git(repository, tmp_path, monkeypatch):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels/a.cu").touch()
    repository()
    monkeypatch.setattr(code.discovery, "KERNELS", tmp_path / "kernels")
    assert code._changed(f"--output={tmp_path}/written", "HEAD") is None
    assert not list(tmp_path.glob("written*"))


def test_two_commits_differ_in_the_kernels_that_git_lists(repository, tmp_path, monkeypatch):
    (tmp_path / "kernels/bfs").mkdir(parents=True)
    (tmp_path / "kernels/bfs/level.cu").write_text("1")
    repository()
    (tmp_path / "kernels/bfs/level.cu").write_text("2")
    (tmp_path / "README.md").write_text("x")
    repository()
    monkeypatch.setattr(code.discovery, "KERNELS", tmp_path / "kernels")
    code._difference.cache_clear()
    assert code._difference("HEAD~1", "HEAD") == {"bfs/level.cu"}
    assert code._difference("HEAD~1", "nothing") is None
    code._difference.cache_clear()
