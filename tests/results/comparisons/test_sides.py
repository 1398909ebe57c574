"""Whatever holds measurements can be one side of a comparison."""

import subprocess

import pytest
from results import synthetic

from warpath.base import places
from warpath.base.errors import UserError
from warpath.results import page
from warpath.results.comparisons import code, pages, ratios, sides


def runs(place):
    side = sides.read(place)
    return sorted(side.summary["launch"]), len(side.timings)


def test_results_published_studies_and_tables_are_read(make, publish, record):
    folder, study = make("results", record(), record(launch="b64")), publish("study", record(), record(launch="b64"))
    expected = (["b256", "b64"], 40)
    assert runs(folder) == runs(study) == expected
    assert runs(study / "summary.csv") == (expected[0], 0)


def test_tables_of_a_commit_are_read_from_git(publish, record, repository):
    publish("study", record())
    repository()
    publish("study", record(launch="b64"))
    assert runs("HEAD:study") == (["b256"], 20) and runs("study") == (["b64"], 20)
    assert runs("HEAD:study/summary.csv") == (["b256"], 0)
    with pytest.raises(UserError, match="HEAD:nothing: git has no tables of that name"):
        sides.read("HEAD:nothing")


def test_a_damaged_record_is_named_and_left_out(make, record, capsys):
    folder = make("results", record(), record(launch="b64"))
    (folder / "runs/rome99/bfs/level/b64.json").write_text("{")
    assert dict(sides.read(folder).environment)["device name"] == [("NVIDIA H200", 1)]
    assert "b64.json: not valid JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing", None, "missing: not found; give a results folder"),
        ("notes.txt", "x", "notes.txt: no table; give a results folder"),
        ("other.csv", "a,b\n1,2\n", r"other.csv: not a table of runs \(it lacks the columns algorithm, graph, "),
        ("empty.csv", "", "empty.csv: not a table"),
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
def test_published_studies_of_today_are_read_and_their_pages_have_the_devices_and_commits_of_their_rows(study):
    side = sides.read(study)
    assert len(side.summary) > 20 and len(side.timings) > 20
    told = dict(side.environment)
    assert all(sorted(told[name]) == sorted(values) for name, values in page.environment_of_rows(side.summary))


def test_a_table_of_medians_alone_is_read():
    assert len(sides.read(places.ROOT / "docs/h200/sweep.csv").summary) > 1000


def test_what_differs_in_the_environment_is_told_and_nothing_else(make, record):
    first, second = synthetic.record(device="cuda"), record()
    first["environment"] |= {"driver": "535.1", "sm_clock_max_mhz": 1980, "uuid": "GPU-1"}
    first["environment"]["sensors_after"] = {"sm_clock_mhz": 1755}
    first["flags"] = ["throttled", "noisy"]
    second["environment"] |= {"driver": "580.2", "sm_clock_max_mhz": 1980, "commit": "abcdef012345"}
    assert pages.environment(sides.read(make("a", first)), sides.read(make("b", second))) == [
        ("commit", "0123456789ab", "abcdef012345"),
        ("driver", "535.1", "580.2"),
        ("uuid", "GPU-1", "unknown"),
        ("sm clock after a run, median mhz", "1755", "unknown"),
    ]
    assert pages.about(sides.read(make("a", first))).endswith("; flagged: 1 throttled, 1 noisy")


def test_records_say_whether_the_code_is_the_same(make, record):
    """By the hashes of its files, else by the keys; records without keys may differ in comments alone."""
    cases = {  # key and hash on each side
        "b32": (("k", "1"), ("k", "2"), code.SAME),
        "b64": (("k", "1"), ("l", "1"), code.SAME),
        "b128": (("k", "1"), ("l", "2"), code.CHANGED),
        "b256": ((None, "1"), ("l", "2"), code.UNKNOWN),
        "b512": (("k", "1"), ("k", None), code.UNKNOWN),  # git does not know these commits
    }
    places = {"a": [], "b": []}
    for launch, case in cases.items():
        for (name, records), (key, digest) in zip(places.items(), case, strict=False):
            hashes = {"level.cu": digest} if digest else {}
            records.append(record(launch=launch, kernel_sources=hashes) | ({"key": key} if key else {}))
            records[-1]["environment"]["commit"] = f"{name}bcdef012345"
    table, _ = ratios.compared(*(sides.read(make(name, *records)) for name, records in places.items()))
    assert dict(zip(table["launch"], table["code"], strict=True)) == {name: case[2] for name, case in cases.items()}


def test_git_says_for_published_tables_whether_the_code_is_the_same(repository, tmp_path, monkeypatch):
    for text in "12":  # of two commits
        for name in ("kernels/bfs/level.cu", "README.md"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        repository()
    monkeypatch.setattr(code.discovery, "KERNELS", tmp_path / "kernels")
    monkeypatch.setattr(
        code, "_files", {"bfs/level": {"bfs/level.cu"}, "bfs/scan": {"bfs/scan.cu"}, "bfs/gone": ()}.get
    )
    last, first = subprocess.check_output(["git", "log", "--format=%h"], text=True).split()
    side = sides.Side("x", None, None, [], {})

    def same(algorithm, commit):
        return code.same((algorithm, "g", "l"), side, side, {"commit": last}, {"commit": commit})

    assert [same("bfs/level", last), same("bfs/level", first), same("bfs/scan", first)] == ["same", "changed", "same"]
    options = f"--output={tmp_path}/written"  # a table may come from anybody
    for commit in (f"{first}-dirty", None, "0123456789ab", options):
        assert same("bfs/level", commit) == "unknown"
    assert same("bfs/gone", first) == "unknown" and not list(tmp_path.glob("written*"))
