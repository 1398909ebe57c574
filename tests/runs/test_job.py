"""A run ends in a record, whatever happens to the process that measures."""

import datetime
import fcntl
import hashlib
import json
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy
from small_graphs import from_edges

from warpath.base import folder, outcome, places
from warpath.devices import host
from warpath.graphs import csr
from warpath.runs import commit, experiment, job, oracle, records
from warpath.runs.measure import Spec

RECORD = Path(places.record("path", "sssp", "mine", "b64"))
BEFORE, AFTER = "0123456789ab", "ba9876543210"
GPU = Path(__file__).parents[1] / "devices" / "gpu.py"

ALGORITHM = """
import os, signal, time
import numpy as np
from warpath.algorithms import UNREACHABLE, Solution, algorithm
from warpath.devices import errors
from warpath.runs import operand

@algorithm(launches=[{"block": 64}], paper="someone2020")
def mine(device, graph, launch):
    calls = []
    %s
    right = {0: [0, 1, 2], 1: [1, 0, 1], 2: [2, 1, 0]}
    def solve(source):
        calls.append(source)
        %s
        return Solution(np.array(right[source], np.uint32), iterations=2)
    return solve
"""


@pytest.fixture
def spec(workplace):
    """A run of an algorithm whose solve does `body` before it answers, on a path of three vertices."""

    def build(body="pass", prepare="pass", weights=(1, 1), longest=2, **options):
        (workplace / "kernels/sssp").mkdir(parents=True, exist_ok=True)
        (workplace / "kernels/sssp/mine.py").write_text(ALGORITHM % (prepare, body))
        graph = from_edges("path", [0, 1], [1, 2], np.array(weights))
        csr.write(graph, places.graph("path"))
        stored = csr.read(places.graph("path"))
        answers = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]], "int32")
        oracle.write(places.oracle("path", "sssp"), stored, "sssp", [0, 1, 2], answers, longest)
        names = {"graph": "path", "problem": "sssp", "algorithm": "mine", "launch": "b64", "device": "host"}
        times = {"warmup": 0, "repetitions": 2, "budget": 20, "time_limit": 20, "started_s": 0.0}
        return Spec(**names | times | {"kernels": "kernels", "command": ""} | options)

    return build


@pytest.fixture
def run(spec):
    """Measure such a run, whatever is kept, and return its record."""

    def measured(*arguments, **options):
        shutil.rmtree(places.KEPT, ignore_errors=True)
        return job.run(spec(*arguments, **options), RECORD)

    return measured


class Counting(host.Device):
    """A device that draws 100 W, with a counter that is renewed every 20 ms."""

    def joules(self):
        return 100 * (time.perf_counter() // 0.02) * 0.02


def test_energy_is_measured_between_two_changes_of_the_counter(monkeypatch):
    monkeypatch.setattr(experiment, "READ_EVERY", 0.005)
    solved = []
    measured = experiment.energy(Counting(), solved.append, [1, 2, 3], 0.1)
    assert measured["joules"] / measured["seconds"] == pytest.approx(100, rel=0.2)
    assert measured["seconds"] >= 0.1 and 0 < measured["solves"] < len(solved) and measured["solves"] % 3 == 0


def test_energy_is_asked_for_after_the_samples_and_not_there_on_a_cpu(run, monkeypatch):
    assert "energy" not in run()
    assert run(energy=1)["energy"] is None
    monkeypatch.setattr(host.Device, "joules", Counting.joules)
    record = run(energy=0.05)
    assert record["energy"]["solves"] % 3 == 0 and len(record["samples"]) == 6
    slow = run("time.sleep(0.1)", energy=0.05)["costs"]
    assert 0.05 < slow["energy_s"] < slow["total_s"] - slow["measure_s"]  # the samples are not in it
    assert "energy" in run("time.sleep(0.02)", energy=0.05) and run("time.sleep(0.02)", energy=99)["energy"] is None


class Pinned(np.ndarray):
    """What the host device returns for pinned arrays in the next test."""


@pytest.mark.parametrize(("placement", "pinned"), [("device", False), ("host", True)])
def test_arcs_are_pinned_on_the_host_if_the_run_asks_for_it(run, monkeypatch, placement, pinned):
    monkeypatch.setattr(host.Device, "pin", lambda self, array: self.put(array).view(Pinned))
    arcs = "graph.targets, graph.weights, graph.arc_tails, graph.transpose.targets, graph.edge_list('target')"
    prepare = (
        f"assert [type(each).__name__ == 'Pinned' for each in (graph.offsets, {arcs})] == {[False] + [pinned] * 5}"
    )
    record = run(prepare=prepare, placement=placement)
    assert (record["status"], record["placement"], record["error"]) == ("ok", placement, None)
    assert ("arcs_on_host" in record["flags"]) == pinned


def test_a_right_answer_is_ok_and_every_repetition_is_kept(run):
    record = run()
    assert record["status"] == "ok"
    assert [(sample["source"], sample["repetition"]) for sample in record["samples"]] == [
        (source, repetition) for repetition in range(2) for source in range(3)
    ]
    assert record == json.loads(RECORD.read_text())
    assert record["parameters"] == {"block": 64}
    assert record["time_limit_s"] == 20
    assert record["stand_in_for"] is None
    assert record["environment"]["device_name"]
    assert record["costs"]["total_s"] > record["costs"]["measure_s"] >= 0
    assert 1e3 * record["costs"]["prepare_s"] > record["preparing"]["ms"] > 0
    assert list(record["kernel_sources"]) == ["kernels/sssp/mine.py"]
    environment = record["environment"]
    assert environment["python"] == platform.python_version()
    assert environment["packages"] == {"numpy": np.__version__, "scipy": scipy.__version__}
    assert environment["compiler"].startswith("g++ ") and environment["cpu"]


COUNTING = """
extern "C" void search(long long* calls, unsigned long long spins) {
    ++*calls;
    for (volatile unsigned long long i = 0; i < spins; ++i) {}
}
"""


@pytest.mark.parametrize(("spins", "often"), [(0, True), (1 << 23, False)])
def test_a_short_baseline_is_called_many_times_for_a_sample_which_says_so(run, tmp_path, spins, often):
    (tmp_path / "kernels" / "sssp").mkdir(parents=True)
    (tmp_path / "kernels" / "sssp" / "mine.cpp").write_text(COUNTING)
    prepare = "(search,) = device.kernels(__file__, 'search')\n    made = np.zeros(1, 'int64')"
    prepare += "\n    operand.MOST_NARROW_ARCS = -1  # the next preparing is of a graph with more"
    record = run(f"search(made, {spins}); print('calls', made[0])", prepare, device="cpu", warmup=1)
    assert record["status"] == "ok"
    for sample in record["samples"]:
        assert (sample["calls"] > 10_000) == often and sample["kernel_launches"] == 1
        assert sample["calls"] * sample["wall_ms"] > 1
    assert sum(sample["calls"] * sample["wall_ms"] for sample in record["samples"]) == pytest.approx(
        1000 * record["costs"]["measure_s"]
    )


def test_a_record_does_not_contain_edits_made_during_the_run(run, tmp_path, monkeypatch):
    edited = tmp_path / "edited"

    def git():
        command = ["echo", "# branch.oid", (AFTER if edited.exists() else BEFORE) + 28 * "0"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(commit, "ask", git)
    body = f"open(__file__, 'a').write('# an edit'); open({str(edited)!r}, 'w')"
    record = run(body)
    assert record["environment"]["commit"] == BEFORE
    assert list(record["kernel_sources"].values()) == [
        hashlib.sha256((ALGORITHM % ("pass", body)).encode()).hexdigest()
    ]


@pytest.fixture
def repository(tmp_path):
    """A folder with one file in one commit, and a function that runs git there."""
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "file").write_text("as it was")
    someone = ["-c", "user.name=someone", "-c", "user.email=someone@example.org"]

    def git(*words):
        return subprocess.run(["git", *someone, *words], cwd=folder, capture_output=True, text=True, check=True).stdout

    (folder / "docs").mkdir()
    (folder / "docs" / "README.md").write_text("as it was")
    git("init")
    git("add", "file", "docs")
    return folder, git


def test_the_commit_is_recorded_and_marked_if_files_differ(repository):
    folder, git = repository
    assert commit.answer(commit.ask(folder)) is None  # there is none yet
    git("commit", "-m", "the first")
    expected = git("rev-parse", "HEAD")[:12]
    (folder / "other").write_text("untracked")
    assert commit.answer(commit.ask(folder)) == expected
    (folder / "docs" / "README.md").write_text("edited")
    assert commit.answer(commit.ask(folder)) == expected
    (folder / "kernels" / "bfs").mkdir(parents=True)
    (folder / "kernels" / "bfs" / "mine.cu").write_text("untracked")
    assert commit.answer(commit.ask(folder / "kernels")) == f"{expected}-dirty"
    (folder / "kernels" / "bfs" / "mine.cu").unlink()
    (folder / "file").write_text("edited")
    assert commit.answer(commit.ask(folder)) == f"{expected}-dirty"
    assert commit.answer(commit.ask(folder.parent)) is None


def test_finding_the_commit_neither_takes_nor_awaits_gits_lock(repository):
    folder, git = repository
    git("commit", "-m", "the first")
    os.utime(folder / "file", (1, 1))  # so that git would like to refresh its index, as it does under the lock
    index = (folder / ".git/index").read_bytes()
    answer = commit.answer(commit.ask(folder))
    assert (folder / ".git/index").read_bytes() == index
    lock = folder / ".git/index.lock"
    lock.write_text("held by a commit")
    assert commit.answer(commit.ask(folder)) == answer == git("rev-parse", "HEAD")[:12]
    assert lock.read_text() == "held by a commit"


def test_a_gpu_that_was_slowed_down_at_the_end_of_any_solve_flags_the_run(run, monkeypatch):
    reasons = iter([set(), {"software_power_cap"}, set()])
    with monkeypatch.context() as patch:
        patch.setattr(host.Device, "slowed", lambda _: next(reasons, set()))
        record = run()
    assert "throttled" in record["flags"]
    assert record["environment"]["slowed_by"] == ["software_power_cap"]
    assert "throttled" not in run()["flags"]


@pytest.fixture
def peer(spec):
    """Run the same algorithm as a peer of this library, whose answer takes a while to convert."""

    def run(library):
        plain, file = spec(f"import {library}", device="peer"), Path("kernels/sssp/mine.py")
        answer = "np.array(right[source], np.uint32)"
        text = file.read_text().replace("paper=", f"device='peer', library='{library}', paper=")
        file.write_text(text.replace(answer, f"lambda: time.sleep(0.2) or {answer}"))
        return job.run(plain, RECORD)

    return run


def test_converting_a_librarys_answer_is_not_timed_and_its_version_is_recorded(peer):
    record = peer("scipy")
    assert (record["status"], record["device"]) == ("ok", "peer")
    assert record["costs"]["check_s"] >= 0.2 * len(record["samples"])  # it is a cost of checking
    assert record["environment"]["packages"]["scipy"] == scipy.__version__
    assert "compiler" not in record["environment"]
    assert record["environment"]["threads"] >= 1


def test_an_absent_library_is_reported(peer):
    assert peer("no_such_library")["error"] == "sssp/mine: no_such_library is not installed (make peers installs it)"


def test_a_warm_up_longer_than_the_budget_becomes_the_sample(run, tmp_path):
    count = tmp_path / "count"
    record = run(f"open({str(count)!r}, 'a').write('x'); __import__('time').sleep(0.2)", warmup=1, budget=0.05)
    assert (record["status"], record["flags"], len(record["samples"])) == ("ok", ["shortened"], 1)
    assert count.read_text() == "x" and record["costs"]["measure_s"] > 0.2


ENDINGS = [
    ({"body": "raise errors.UnsupportedLaunch('too much of everything')"}, "unsupported", "too much of everything"),
    ({"body": "raise errors.OutOfMemory('no room')"}, "out_of_memory", "no room"),
    ({"body": "raise MemoryError"}, "out_of_memory", "out of memory"),
    ({"body": "raise ValueError('no idea')"}, "failed", "ValueError: no idea"),
    ({"body": "raise errors.KernelFault('illegal address')"}, "failed", "illegal address"),
    (
        {"body": "__import__('faulthandler').disable(); os.kill(os.getpid(), signal.SIGSEGV)"},
        "failed",
        "the measuring process was ended by SIGSEGV",
    ),
    ({"body": "os._exit(3)"}, "failed", "was ended from within, with status 3, as by a call of exit"),
    ({"body": "raise SystemExit"}, "failed", "SystemExit"),
    ({"prepare": "time.sleep(60)", "time_limit": 1}, "failed", "loading, compiling and preparing took longer than 1 s"),
    ({"weights": (0.5, 1.0)}, "unsupported", "fractional weights"),
    ({"longest": 2**31 - 1}, "unsupported", "graph path can have distances of 2147483647"),
]


@pytest.mark.parametrize(("options", "status", "error"), ENDINGS)
def test_every_ending_has_a_status_an_error_and_a_record(run, options, status, error):
    record = run(**options)
    assert record["status"] == status and error in record["error"]
    assert "leased" in record or "body" not in options
    assert json.loads(RECORD.read_text()) == record
    assert records.kept(record["key"]).exists() == (status != "failed")


def test_a_log_has_no_control_characters_and_the_first_and_last_of_very_much(run, capfd):
    first = r"os.write(1, '\x1b[2J\u202e\u2066\x07first\n'.encode())"
    record = run(prepare=f"{first}; os.write(1, b'-' * 3_000_000 + bytes([255])); os.write(2, b'last')", repetitions=1)
    log = capfd.readouterr().err
    assert record["status"] == "ok"
    assert log.startswith(r"\x1b[2J\u202e\u2066\x07first" + "\n--")
    assert log.endswith(r"--\xfflast") and "letters are left out here]" in log and len(log) < 520_000


def test_what_an_algorithm_leaves_running_ends_with_the_run(run):
    left = "subprocess.Popen(['sleep', '600'], start_new_session=True)"
    record = run(prepare=f"import subprocess; open('left', 'w').write(str({left}.pid))")
    assert record["status"] == "ok"
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("left").read_text()), 0)


def test_one_wrong_vertex_is_wrong(run):
    record = run("right[1][2] = 1 + (len(calls) == 5)")
    assert [sample["wrong_vertices"] for sample in record["samples"]] == [0, 0, 0, 0, 1, 0]
    assert (record["status"], record["error"]) == ("wrong", "1 wrong vertices in all samples together")
    assert record["judge"] == "scipy"


@pytest.mark.parametrize(
    ("options", "ending", "samples"),
    [
        ({"longest": 2**31 - 2}, ("ok", None, []), 6),  # the longest distance that fits
        (
            {"body": "if len(calls) == 5: os.kill(os.getpid(), signal.SIGKILL)"},
            ("failed", "the measuring process was ended by SIGKILL", []),
            4,
        ),
        ({"body": "while len(calls) == 3: pass", "time_limit": 1}, ("timeout", "not finished after 1 s", []), 2),
        ({"body": "time.sleep(0.05)", "budget": 0.02}, ("ok", None, ["shortened"]), 1),
    ],
)
def test_samples_that_were_taken_before_the_end_are_kept(run, options, ending, samples):
    record = run(**options)
    assert (record["status"], record["error"], record["flags"]) == ending
    assert len(record["samples"]) == samples


@pytest.mark.gpu
def test_a_kernel_that_never_ends_leaves_the_gpu_free(spec, tmp_path):
    """Each run has a process of its own, as in the workflow: a fork of a process with a CUDA context cannot use it."""

    def run(name, *arguments, **options):
        record = tmp_path / name
        chosen = spec(*arguments, device="cuda", time_limit=20, **options)
        process = multiprocessing.get_context("spawn").Process(target=job.run, args=(chosen, record))
        process.start()
        process.join()
        return json.loads(record.read_text())

    spin = f"len(calls) == 3 and device.kernels(Path({str(GPU)!r}), 'spin')[0][1, 1](1 << 62); device.synchronize()"
    record = run("endless.json", spin, prepare="from pathlib import Path")
    assert (record["status"], record["error"], len(record["samples"])) == ("timeout", "not finished after 20 s", 2)
    assert run("next.json")["status"] == "ok"


def test_an_emulated_run_solves_from_every_source_and_repeats_none_for_long(run, monkeypatch):
    monkeypatch.setattr(experiment, "EMULATED", 0.02)
    record = run("time.sleep(0.015)")
    assert (record["status"], record["flags"]) == ("ok", ["shortened"])
    assert [sample["source"] for sample in record["samples"]] == [0, 1, 2]


@pytest.fixture
def first(run):
    """A record that was measured, and then removed from where the workflow looks for it."""
    record = run()
    RECORD.unlink()
    return record


def test_a_kept_record_takes_the_place_of_a_measurement_and_says_what_is_true_here(spec, first, capsys):
    own = {"command": "warpath run", "again": "a-2"}
    assert job.run(spec(**own), RECORD) == json.loads(RECORD.read_text()) == first | own
    assert json.loads(records.kept(first["key"]).read_text()) == first
    assert "`warpath forget path sssp/mine` has it measured again" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "is_kept"),
    [
        ({"repetitions": 1, "budget": 9, "time_limit": 9}, True),
        ({"body": "pass  # as before"}, True),
        ({"repetitions": 3}, False),
        ({"body": "calls"}, False),
        ({"warmup": 1}, False),
        ({"weights": (1, 2)}, False),
    ],
)
def test_what_a_kept_record_does_not_hold_is_measured(spec, first, options, is_kept):
    assert (job.run(spec(**options), RECORD)["started"] == first["started"]) == is_kept


WRONG = '"wrong_vertices": 0', '"wrong_vertices": 5'


@pytest.mark.parametrize(
    "damage",
    [
        lambda text, record: text[:100],
        lambda text, record: text.replace(*WRONG),
        lambda text, record: text.replace(record["graph_sha256"], "0" * 64),
        lambda text, record: text.replace('"algorithm": "mine"', '"algorithm": "yours"'),
    ],
)
def test_a_kept_record_that_is_damaged_or_says_something_else_than_its_key_is_measured_anew(spec, first, damage):
    kept = records.kept(first["key"])
    kept.write_text(damage(kept.read_text(), first))
    record = job.run(spec(), RECORD)
    assert record["started"] > first["started"] and json.loads(kept.read_text()) == record


@pytest.mark.parametrize(
    ("made", "step"),
    [(places.prepared("path"), "graph path"), (places.oracle("path", "sssp"), "sssp answers for path")],
)
def test_a_run_has_the_error_of_a_step_before_it(run, made, step):
    outcome.write(places.outcome(made), "the disk is full")
    record = run("raise ValueError")
    assert (record["status"], record["error"], record["samples"]) == ("failed", f"{step}: the disk is full", [])
    outcome.write(places.outcome(made), None)
    assert run()["status"] == "ok"


def test_the_key_that_was_planned_holds_until_the_code_is_edited(spec):
    plan = replace(spec(), key="planned")
    assert job.run(plan, RECORD)["key"] == job.run(spec(), RECORD)["key"]  # by hand
    os.utime("kernels/sssp/mine.py", (1, 1))
    folder.own(os.getpid())
    planned = job.run(plan, RECORD)["key"]
    os.utime("kernels/sssp/mine.py")
    assert planned != job.run(plan, RECORD)["key"] == job.run(spec(), RECORD)["key"]


def test_an_oracle_of_another_graph_is_refused(spec):
    other = from_edges("other", [0, 1], [1, 2], np.array([1, 7]))
    plan = spec()
    csr.write(other, places.graph("path"))
    record = job.run(plan, RECORD)
    assert record["status"] == "failed" and "computed for another graph" in record["error"]


HOLD_UNTIL = """
import os, time
from warpath.runs import lease
locks = lease.machine()
print("held", flush=True)
while not os.path.exists("prepared"):
    time.sleep(0.01)
time.sleep(0.5)
"""


def test_a_record_has_the_time_of_its_lease(run, tmp_path):
    command = [sys.executable, "-c", HOLD_UNTIL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path) as holder:
        holder.stdout.readline()
        record = run(prepare=f"open({str(tmp_path / 'prepared')!r}, 'w')")
    started, leased, finished = (
        datetime.datetime.fromisoformat(record[moment]) for moment in ("started", "leased", "finished")
    )
    assert record["costs"]["lease_s"] > 0.4
    assert (leased - started).total_seconds() > record["costs"]["lease_s"] - 0.01
    assert leased <= finished


DROP_AND_TAKE = """
        import fcntl
        held = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
        for file in held:
            if os.path.exists(file) and os.readlink(file).endswith("warpath-machine.lock"):
                os.close(int(os.path.basename(file)))
        fcntl.flock(os.open("%s/warpath-machine.lock", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
"""


def test_a_lease_outlives_every_file_that_the_measuring_process_closes(run, tmp_path):
    record = run(DROP_AND_TAKE.strip() % tmp_path)
    assert (record["status"], record["error"].split(":")[0]) == ("failed", "BlockingIOError")
    with open(tmp_path / "warpath-machine.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_clocks_are_compared_from_where_the_run_began_anew_with_more_memory():
    messages = [{"kind": "ready", "at": 0}, {"kind": "again", "at": 8}, {"kind": "ready", "at": 10}]
    messages += [{"kind": "costs", "at": 30, "solving_s": 20}, {"kind": "ready", "at": 31}]
    assert job._doubt_of_clock(messages) is None
    messages[3]["solving_s"] = 2
    assert job._doubt_of_clock(messages).startswith(
        "solving took 2 s by the clock of the process that measured, and 20 s"
    )
