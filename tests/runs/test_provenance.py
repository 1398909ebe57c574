"""Declared edits of a kernel that left its machine code unchanged."""

import functools
import json
import threading
from types import SimpleNamespace

import pytest

from warpath.algorithms import discovery
from warpath.base.files import sha256
from warpath.runs import provenance


@pytest.fixture
def code(tmp_path, monkeypatch):
    """Write a kernel's files, name by name; returns them with their digest."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        files = [f"{name}.cu" for name in contents]
        for file, text in zip(files, contents.values(), strict=True):
            (tmp_path / file).write_text(text)
        provenance._content.cache_clear()
        return files, provenance.digest(files)

    return write


@pytest.fixture
def table(tmp_path, monkeypatch):
    def write(*lines):
        file = tmp_path / "unchanged.tsv"
        file.write_text("\n".join("\t".join(line) for line in [("algorithm", "before", "after", "evidence"), *lines]))
        monkeypatch.setattr(provenance, "TABLE", file)
        provenance._table.cache_clear()
        provenance._leading_to.cache_clear()

    write()
    yield write
    monkeypatch.undo()
    provenance._table.cache_clear()
    provenance._leading_to.cache_clear()


def recorded(files):
    """What Snakemake writes about a run with this code."""
    hashes = [sha256(file) for file in files]
    return SimpleNamespace(
        input=[*sorted(files), "resources/graphs/a/edges.parquet"], params=["'--warmup 1'", "1", repr(hashes)]
    )


def kernel(files, metadata, algorithm="bfs/level"):
    return provenance.kernel(SimpleNamespace(id=algorithm, kernel_files=files), lambda: metadata)


def test_the_digest_is_of_content_in_order_and_not_of_paths(code):
    _, digest = code(a="one", b="two")
    assert code(c="one", d="two")[1] == digest
    assert code(a="two", b="one")[1] != digest
    assert len(digest) == 16


def test_an_undeclared_edit_gives_the_code_of_today(code, table):
    files, _ = code(a="one")
    metadata = recorded(files)
    edited, _ = code(a="one // more")
    assert kernel(edited, metadata).hashes == [sha256("a.cu")] != metadata.params[-1]


def test_a_declared_edit_gives_the_recorded_files(code, table):
    files, before = code(a="all")
    metadata, hashes = recorded(files), [sha256("a.cu")]
    split, after = code(a="half", b="other half")
    table(("bfs/level", before, after, "same cubin"))
    assert kernel(split, metadata) == (["a.cu"], hashes)
    assert kernel(split, metadata, "sssp/racy").files == split  # declared for another algorithm
    assert kernel(split, None).files == split


def test_lines_form_chains_in_one_direction(code, table):
    files, first = code(a="1")
    metadata, hashes = recorded(files), [sha256("a.cu")]
    _, second = code(a="2")
    _, third = code(a="3")
    lines = [("bfs/level", first, second, "x"), ("bfs/level", second, third, "y"), ("bfs/level", third, second, "z")]
    table(*lines)
    assert kernel(files, metadata).hashes == hashes
    newest = recorded(files)
    code(a="1")
    assert kernel(files, newest).hashes == hashes  # no line leads back


def test_a_recorded_file_that_no_longer_exists_cannot_be_an_input(code, table, tmp_path):
    old, before = code(old="1")
    metadata = recorded(old)
    renamed, after = code(new="1 ")
    table(("bfs/level", before, after, "x"))
    (tmp_path / "old.cu").unlink()
    assert kernel(renamed, metadata).files == renamed


def test_every_line_of_the_table_leads_to_the_code_of_today():
    current = {id: provenance.digest(discovery.code_files(described)) for id, described in discovery.find().items()}
    for line in provenance._table():
        useful = line["before"] in provenance._leading_to(line["algorithm"], current[line["algorithm"]])
        assert useful, f"{line}: declare the latest edit too, or delete this line if an edit changed the machine code"
        assert line["evidence"], line


LONG = "--warmup 1 --repetitions 5 --budget 20 --time-limit 240"


def measured(count=10, sources=2, wall_ms=1.0, status="ok", flags=()):
    samples = [{"wall_ms": wall_ms}] * count
    return {"status": status, "samples": samples, "flags": list(flags), "checked": {"sources": sources}}


KEPT, FEWER, TIMEOUT = provenance.KEPT, provenance.FEWER, provenance.TIMEOUT
SHORTENED = measured(4, wall_ms=5000, flags=["shortened"])
ENERGY = {"limit 240": "limit 240 --energy 2"}
ENDED = measured(0, status="timeout")
TIMINGS = {
    "fewer repetitions": (measured(), {"repetitions 5": "repetitions 2"}, KEPT),
    "more repetitions": (measured(), {"repetitions 5": "repetitions 6"}, FEWER),
    "all pairs": (measured(5, sources=0), {"repetitions 5": "repetitions 4"}, KEPT),
    "a larger budget that was not used up": (measured(), {"budget 20": "budget 90"}, KEPT),
    "a larger budget that was used up": (SHORTENED, {"budget 20": "budget 90"}, FEWER),
    "a smaller budget": (SHORTENED, {"budget 20": "budget 9"}, KEPT),
    "a budget that would have ended the run as early": (SHORTENED, {"budget 20": "budget 19.5"}, KEPT),
    "more repetitions than the budget has time for": (SHORTENED, {"repetitions 5": "repetitions 9"}, KEPT),
    "a budget that the samples exceed": (measured(4, wall_ms=9000), {"repetitions 5": "repetitions 9"}, KEPT),
    "few repetitions of a shortened run": (
        SHORTENED,
        {"repetitions 5": "repetitions 2", "budget 20": "budget 90"},
        KEPT,
    ),
    "a wrong run": (measured(status="wrong"), {"repetitions 5": "repetitions 6"}, FEWER),
    "a higher limit": (measured(), {"limit 240": "limit 999"}, KEPT),
    "a higher limit after a timeout": (ENDED, {"limit 240": "limit 999"}, TIMEOUT),
    "a lower limit after a timeout": (ENDED, {"limit 240": "limit 9", "repetitions 5": "repetitions 9"}, KEPT),
    "an unsupported launch": (measured(0, status="unsupported"), {"repetitions 5": "repetitions 9"}, KEPT),
    "energy of a run on a GPU": (measured() | {"device": "cuda"}, ENERGY, provenance.NO_ENERGY),
    "energy that was measured": (measured() | {"device": "cuda", "energy": {"joules": 9}}, ENERGY, KEPT),
    "energy of a run on a CPU": (measured() | {"device": "cpu"}, ENERGY, KEPT),
    "another warm-up": (measured(), {"warmup 1": "warmup 2"}, None),
    "no record": (None, {"repetitions 5": "repetitions 2"}, None),
}


@pytest.mark.parametrize(("record", "edits", "outcome"), TIMINGS.values(), ids=TIMINGS)
def test_other_timing_settings_repeat_what_lacks_samples(tmp_path, monkeypatch, record, edits, outcome):
    monkeypatch.setattr(provenance, "_timed", {})
    asked = LONG
    for old, new in edits.items():
        asked = asked.replace(old, new)
    path = tmp_path / "b64.json"
    if record:
        path.write_text(json.dumps(record))
    metadata = SimpleNamespace(params=[repr(LONG), "1", "'4'"])
    used = provenance.timing(str(path), asked, lambda: metadata)
    assert used == (LONG if outcome == KEPT else asked)
    assert list(provenance._timed.values()) == [outcome]


def test_timing_of_runs_that_are_done_now_is_that_of_today(monkeypatch):
    monkeypatch.setattr(provenance, "_running", threading.Event())
    job, cached = SimpleNamespace(_params="planned"), functools.cache(lambda: None)
    cached()
    provenance.end_planning([job], SimpleNamespace(_params=cached))
    assert (provenance.timing(None, "today", None), job._params) == ("today", None)
    assert cached.cache_info().currsize == 0


def test_what_other_timing_settings_repeat_is_said(monkeypatch):
    monkeypatch.setattr(provenance, "_timed", {"a": KEPT, "b": FEWER, "c": FEWER, "d": TIMEOUT, "e": None})
    assert provenance.timing_lines() == [
        "warpath: runs to be repeated: 1 that timed out under a lower time_limit, 2 that have fewer samples than now "
        "asked for; 1 records of runs with other timing settings are kept"
    ]
    monkeypatch.setattr(provenance, "_timed", {"a": None})
    assert provenance.timing_lines() == []
