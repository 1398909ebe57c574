"""Files that are damaged, dated wrongly or cannot be written: one clear line, nothing wrong believed, a rerun heals."""

import contextlib
import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from checkouts import LOCAL, RECORD, RECORDS, TABLE
from small_graphs import from_edges
from waits import while_running

from warpath.base import places
from warpath.base.errors import Damaged
from warpath.graphs import csr
from warpath.results import limits
from warpath.runs import oracle

DAMAGE = {
    "cut short": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "overwritten": lambda content: random.Random(1).randbytes(len(content)),
    "one bit flipped": lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:],
    "layout renamed": lambda content: content.replace(b'"layout"', b'"layouu"', 1),
    "column renamed": lambda content: content.replace(b"target", b"tarfet").replace(b"offset", b"ofgset"),
    "longest changed": lambda content: content.replace(b'"longest": ', b'"longest":1', 1),
}


def damage(path, how):
    """Damage the content and keep the dates, as a failing disk does."""
    content, dates = path.read_bytes(), path.stat()
    damaged = DAMAGE[how](content)
    assert damaged != content
    path.write_bytes(damaged)
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def refused(path, read):
    """Assert that reading puts the damaged file aside and tells the user so."""
    with pytest.raises(
        Damaged, match=rf"{path}: damaged, .*; put aside as {path.name}\.damaged, run again to replace it"
    ):
        read()
    assert not path.exists()
    assert path.with_name(f"{path.name}.damaged").exists()


EVERY_FILE = ("cut short", "empty", "overwritten", "one bit flipped")


@pytest.mark.parametrize("name", [csr.VERTICES, csr.EDGES])
@pytest.mark.parametrize("how", [*EVERY_FILE, "layout renamed", "column renamed"])
def test_a_damaged_graph_file_is_put_aside(tmp_path, name, how):
    csr.write(from_edges("path", range(40), range(1, 41)), tmp_path)
    damage(tmp_path / name, how)
    refused(tmp_path / name, lambda: csr.read(tmp_path))


@pytest.mark.parametrize("how", [*EVERY_FILE, "longest changed"])
def test_a_damaged_oracle_is_put_aside(tmp_path, how):
    graph, path = from_edges("path", range(40), range(1, 41)), tmp_path / "bfs.parquet"
    oracle.write(path, graph, "bfs", *oracle.compute(graph, "bfs", 4, seed=1))
    damage(path, how)
    refused(path, lambda: oracle.read(path))


GRAPH, ORACLE = "resources/graphs/tiny-path/edges.parquet", "resources/oracles/tiny-path/bfs.parquet"


@pytest.mark.parametrize("damaged_input", [GRAPH, pytest.param(ORACLE, marks=pytest.mark.slow)])
def test_a_rerun_heals_a_damaged_input_and_a_damaged_record(finished, damaged_input):
    """The input belongs to one graph and the record to the other, whose sound records stay."""
    folder, table = finished.folder, finished.table()
    record = RECORD.replace("tiny-path", "tiny-star")
    sound = {path: path.read_bytes() for path in folder.glob("results/runs/tiny-star/*/*/*.json")}
    del sound[folder / record]
    for name in (damaged_input, record, places.PROBE):
        damage(folder / name, "cut short")
    finished.remove(RECORD, TABLE)
    shutil.rmtree(folder / "results/kept")

    finished.snakemake(TABLE)
    summary = finished.summary().set_index(["graph", "algorithm", "launch"])
    assert damaged_input in summary.loc[("tiny-path", "bfs/level", "b64"), "error"]
    assert summary.loc[("tiny-star", "bfs/level", "b64"), "status"] == "ok"
    listed = finished.warpath("failures")
    assert listed.returncode == 1
    assert f"bfs/level b64 on tiny-path: {damaged_input}: damaged" in listed.stdout

    finished.snakemake(TABLE, places.outcome(places.PROBE))
    assert finished.table() == table
    assert {path: path.read_bytes() for path in sound} == sound
    assert limits.rates(folder / places.PROBE)


@pytest.mark.parametrize("days", [3, pytest.param(-3000, marks=pytest.mark.slow)])
def test_files_with_wrong_dates_neither_hide_an_edit_nor_repeat_a_run(finished, days):
    """As if the clock had been wrong when all of them were made."""
    date = time.time() + days * 86400
    for path in finished.folder.rglob("*"):
        if ".snakemake" not in path.parts and path.is_file():
            os.utime(path, (date, date))
    assert not finished.jobs(TABLE)

    finished.remove(RECORD, TABLE)
    finished.snakemake(TABLE)
    assert not finished.jobs(TABLE)

    finished.append("kernels/bfs/level.cu", "int an_edit;\n")
    os.utime(finished.folder / "kernels/bfs/level.cu", (date - 86400, date - 86400))
    assert finished.jobs(TABLE)["measure_run"] == 4


@pytest.fixture
def set_clock(checkout):
    """A function that sets the clock of what runs in the checkout this many days off, at any moment."""
    library, clock = checkout.folder / "clock.so", checkout.folder / "clock"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(["g++", "-x", "c", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
    checkout.environment |= {"LD_PRELOAD": str(library), "CLOCK": str(clock)}
    return lambda days: clock.write_text(str(days * 86400))


@pytest.mark.slow
@pytest.mark.parametrize("days", [-3, 3])
def test_a_clock_that_is_set_during_a_workflow_costs_at_most_the_current_run(checkout, set_clock, days, finished_study):
    """Set back, Snakemake refuses an output that is older than its input; set forward, nothing is lost."""
    workflow = checkout.start(TABLE, *LOCAL)
    while_running(workflow, lambda: list(checkout.folder.glob(RECORDS)))
    set_clock(days)
    output, _ = workflow.communicate()
    assert (workflow.returncode == 0) == (days > 0), output
    assert ("older modification time" in output) == (days < 0)
    kept = {path: path.read_text() for path in checkout.folder.glob("results/kept/*.json")}
    assert len(kept) >= 5  # of 6

    assert ("Nothing to be done" in checkout.snakemake(TABLE).stdout) == (days > 0)
    assert checkout.table() == finished_study.table()
    assert all(path.read_text() == text for path, text in kept.items())
    set_clock(0)
    assert not checkout.jobs(TABLE)
    checkout.append("kernels/bfs/level.cu", "int an_edit;\n")
    assert checkout.jobs(TABLE)["measure_run"] == 4


@contextlib.contextmanager
def mounted(folder, *options):
    """Mount a file system at `folder`, which takes root."""
    folder.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.skip(f"needs root, to mount a file system: {result.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def full_disk(folder, size):
    """A small disk at `folder`, full until the block deletes the file that is yielded."""
    with mounted(folder, "-t", "tmpfs", "-o", f"size={size}", "none"):
        with contextlib.suppress(OSError), open(folder / "balloon", "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        yield folder / "balloon"


@pytest.mark.slow
@pytest.mark.parametrize("full", ["results/runs", "resources/graphs"])
def test_a_full_disk_is_named_and_leaves_no_half_written_file(finished, full):
    folder, table = finished.folder / full, finished.table()
    shutil.rmtree(folder)
    shutil.rmtree(finished.folder / "results/runs", ignore_errors=True)
    finished.remove(TABLE)
    with full_disk(folder, "1m") as balloon:
        failed = finished.snakemake(TABLE, check=False)
        assert failed.returncode != 0
        assert any("No space left on device" in line for line in failed.stdout.splitlines() if "warpath: " in line)
        assert [path.name for path in folder.rglob("*") if path.is_file()] == ["balloon"]
        balloon.unlink()
        finished.snakemake(TABLE)
        assert finished.table() == table


@pytest.mark.slow
def test_a_disk_that_is_too_full_for_a_log_costs_no_record(finished):
    table = finished.table()
    finished.remove(RECORD, TABLE)
    with full_disk(finished.folder / "logs", "64k"):
        assert finished.snakemake(RECORD, check=False).returncode == 0
    assert "measure_run" not in finished.jobs(TABLE)
    finished.snakemake(TABLE)
    assert finished.table() == table


@pytest.mark.slow
def test_results_that_cannot_be_written_are_one_line(finished):
    folder = finished.folder / "results/runs"
    finished.remove(RECORD, TABLE)
    with mounted(folder, "--bind", "-o", "ro", str(folder)):
        failed = finished.snakemake(TABLE, check=False)
        assert failed.returncode != 0
        assert "Read-only file system" in failed.stdout
    finished.snakemake(TABLE)
