"""Files that are damaged, dated wrongly or cannot be written: one clear line, nothing believed, and a rerun heals."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

TABLE = "results/summary.csv"
GRAPH = "resources/graphs/tiny-path/{}.parquet"
ORACLE = "resources/oracles/tiny-path/bfs.parquet"
RECORD = "results/runs/tiny-path/bfs/level/b64.json"
DAMAGE = {
    "layout unsaid": lambda content: content.replace(b'"layout"', b'"layouu"', 1),
    "target misnamed": lambda content: content.replace(b"target", b"tarfet"),
    "longest changed": lambda content: content.replace(b'"longest": ', b'"longest":1', 1),
    "cut short": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "overwritten": lambda content: random.Random(1).randbytes(len(content)),
    "flipped": lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:],
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory, kernel_cache):
    """A checkout in which the tiny study has been done, and what its table says."""
    import checkouts

    made = checkouts.make(tmp_path_factory.mktemp("finished") / "checkout", WARPATH_CACHE=str(kernel_cache))
    made.snakemake(TABLE)
    return made, made.table()


@pytest.fixture
def done(finished, tmp_path):
    """A copy of it, dates included."""
    import checkouts

    original, _ = finished
    shutil.copytree(original.folder, tmp_path / "copy")
    copy = checkouts.Checkout(tmp_path / "copy", WARPATH_CACHE=original.environment["WARPATH_CACHE"])
    yield copy
    copy.end()


def lines(result):
    return [line for line in result.stdout.splitlines() if line.startswith("warpath: ")]


def damage(checkout, name, how):
    path = checkout.folder / name
    path.write_bytes(how(path.read_bytes()))


def again(checkout):
    """One run is to be made once more, and the table with it."""
    for name in (RECORD, TABLE):
        (checkout.folder / name).unlink()


@pytest.mark.parametrize(
    "name, how",
    [
        (GRAPH.format("vertices"), "cut short"),
        (GRAPH.format("vertices"), "overwritten"),
        (GRAPH.format("edges"), "empty"),
        (GRAPH.format("edges"), "flipped"),
        (GRAPH.format("vertices"), "layout unsaid"),
        (GRAPH.format("edges"), "target misnamed"),
        (ORACLE, "longest changed"),
        (ORACLE, "cut short"),
        (ORACLE, "overwritten"),
    ],
)
def test_a_damaged_input_is_put_aside_by_whoever_reads_it_and_made_anew(done, name, how, finished):
    dates = (done.folder / name).stat()
    damage(done, name, DAMAGE[how])
    os.utime(done.folder / name, ns=(dates.st_atime_ns, dates.st_mtime_ns))  # as a disk would: without a trace
    again(done)
    failed = done.snakemake(TABLE, check=False)
    assert failed.returncode != 0
    assert f"{name}: damaged" in failed.stdout
    assert "put aside as" in failed.stdout
    assert not (done.folder / RECORD).exists()
    assert (done.folder / f"{name}.damaged").exists()
    done.snakemake(TABLE)
    assert done.table() == finished[1]


@pytest.mark.parametrize("how", ["cut short", "overwritten"])
def test_a_damaged_record_is_put_aside_and_that_run_alone_is_made_again(done, how, finished):
    others = {path: path.read_bytes() for path in done.folder.glob("results/runs/*/*/*/*.json")}
    del others[done.folder / RECORD]
    damage(done, RECORD, DAMAGE[how])
    failed = done.snakemake(TABLE, check=False)
    assert failed.returncode != 0
    assert f"warpath: {RECORD}: not valid JSON" in failed.stdout
    said = done.warpath("failures")
    assert said.returncode == 1
    assert "bfs/level b64 on tiny-path: results/runs/tiny-path/bfs/level/b64.failed.json: not valid JSON" in said.stdout
    assert done.jobs(TABLE)["measure_run"] == 1
    done.snakemake(TABLE)
    assert done.table() == finished[1]
    assert all(path.read_bytes() == content for path, content in others.items())
    said = done.warpath("failures").stdout.splitlines()[0]
    assert said.startswith("figure time_by_algorithm: missing or out of date  (.snakemake/log/")  # nobody asked for it


@pytest.mark.parametrize("field", ["status", "samples"])
def test_a_record_with_missing_fields_is_not_believed(done, field, finished):
    record = json.loads(done.read(RECORD))
    del record[field]
    done.write(RECORD, json.dumps(record))
    failed = done.snakemake(TABLE, check=False)
    assert failed.returncode != 0
    assert f"warpath: {RECORD}: field '{field}' is missing" in failed.stdout
    done.snakemake(TABLE)
    assert done.table() == finished[1]


def test_damaged_compiled_code_is_built_again(done, finished, tmp_path):
    done.environment["WARPATH_CACHE"] = str(tmp_path / "cache")
    again(done)
    done.snakemake(TABLE)
    built = [path for path in (tmp_path / "cache").iterdir() if path.suffix == ".so"]
    assert built
    for path in built:
        path.write_bytes(DAMAGE["overwritten"](path.read_bytes()))
    again(done)
    done.snakemake(TABLE)
    assert done.table() == finished[1]


@pytest.mark.parametrize("days", [-3000, 3])
def test_files_that_are_all_dated_wrongly_neither_hide_an_edit_nor_repeat_a_run(done, days, finished):
    """As if the clock had been wrong when each was made."""
    date = time.time() + days * 86400
    for path in done.folder.rglob("*"):
        if ".snakemake" not in path.parts and path.is_file():
            os.utime(path, (date, date))
    assert "Nothing to be done" in done.snakemake(TABLE).stdout

    again(done)
    done.snakemake(TABLE)
    assert "Nothing to be done" in done.snakemake(TABLE).stdout

    with open(done.folder / "kernels/bfs/level.cu", "a") as file:
        file.write("// an edit\n")
    os.utime(done.folder / "kernels/bfs/level.cu", (date - 86400, date - 86400))
    assert done.jobs(TABLE)["measure_run"] == 4
    done.snakemake(TABLE)
    assert done.table() == finished[1]


@pytest.fixture
def set_clock(checkout):
    """Sets the clock of what runs in the checkout, now and at any later moment."""
    library, clock = checkout.folder / "clock.so", checkout.folder / "clock"
    source = Path(__file__).with_name("clock.c")
    subprocess.run(["g++", "-x", "c", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
    checkout.environment |= {"LD_PRELOAD": str(library), "CLOCK": str(clock)}
    return lambda days: clock.write_text(str(days * 86400))


@pytest.mark.parametrize("days", [-3, 3])
def test_a_clock_that_is_set_during_a_workflow_costs_the_run_in_flight_at_most(checkout, set_clock, days, finished):
    """Snakemake gives up what is dated before its own input; set forward, nothing is lost."""
    workflow = checkout.start(TABLE, "--cores", "1", "--resources", "gpu=1")
    while not list(checkout.folder.glob("results/runs/*/*/*/*.json")):
        assert workflow.poll() is None, workflow.communicate()[0]
        time.sleep(0.02)
    set_clock(days)
    output, _ = workflow.communicate()
    assert (workflow.returncode == 0) == (days > 0), output
    assert ("older modification time" in output) == (days < 0)
    assert len(list(checkout.folder.glob("results/runs/*/*/*/*.json"))) >= 5  # of 6

    assert ("Nothing to be done" in checkout.snakemake(TABLE).stdout) == (days > 0)
    assert checkout.table() == finished[1]
    set_clock(0)
    assert "Nothing to be done" in checkout.snakemake(TABLE).stdout
    with open(checkout.folder / "kernels/bfs/level.cu", "a") as file:
        file.write("// an edit\n")
    assert checkout.jobs(TABLE)["measure_run"] == 4


@contextlib.contextmanager
def mounted(folder, *options):
    """Root may mount; whoever may not cannot have this tested."""
    folder.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.skip(f"needs root, to mount a file system: {result.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("full", ["results", "resources"])
def test_a_full_disk_is_said_and_what_was_half_written_is_not_believed(checkout, full, finished):
    folder = checkout.folder / full / ("runs" if full == "results" else "graphs")
    with mounted(folder, "-t", "tmpfs", "-o", "size=1m", "none"):
        balloon = folder / "balloon"
        with contextlib.suppress(OSError), open(balloon, "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        failed = checkout.snakemake(TABLE, check=False)
        assert failed.returncode != 0
        assert any("No space left on device" in line for line in failed.stdout.splitlines() if "warpath: " in line)
        assert [path.name for path in folder.rglob("*") if path.is_file()] == ["balloon"]
        balloon.unlink()
        checkout.snakemake(TABLE)
        assert checkout.table() == finished[1]


def test_a_disk_that_is_too_full_for_a_log_costs_no_record(done, finished):
    again(done)
    with mounted(done.folder / "logs", "-t", "tmpfs", "-o", "size=64k", "none"):
        with contextlib.suppress(OSError), open(done.folder / "logs/balloon", "wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        assert done.snakemake(RECORD, check=False).returncode == 0
    assert "measure_run" not in done.jobs(TABLE)
    done.snakemake(TABLE)
    assert done.table() == finished[1]


def test_results_that_cannot_be_written_are_one_line(done):
    again(done)
    folder = done.folder / "results/runs"
    with mounted(folder, "--bind", "-o", "ro", str(folder)):
        failed = done.snakemake(TABLE, check=False)
        assert failed.returncode != 0
        assert "Read-only file system" in failed.stdout
    done.snakemake(TABLE)
