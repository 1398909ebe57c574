"""A workflow's server of warm processes: commands, residents, and that all end with the workflow."""

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from warpath.base import compiler
from warpath.warm import address, compiled, resident, store

TOY = Path(__file__).with_name("toy.py")
CLIENT = (
    "import sys; from warpath.warm import client\n"
    f"status = client.hand_over(sys.argv[1:], [sys.executable, {str(TOY)!r}])\n"
    "print('run here') if status is None else sys.exit(status)"
)


class Workflow:
    """A process that stands for Snakemake, and jobs of it."""

    def __init__(self, folder, client=(sys.executable, "-c", CLIENT), **environment):
        self.folder, self.client = folder, client
        self.process = subprocess.Popen(["sleep", "120"])
        self.environment = os.environ | {address.WORKFLOW: str(self.process.pid)} | environment
        self.address = Path(address.folder(self.process.pid))

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [*self.client, *arguments],
            cwd=self.folder,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def job(self, *arguments, **environment):
        job = self.start(*arguments, **environment)
        out, error = job.communicate(timeout=60)
        return job.returncode, out.strip(), error.strip()

    def end(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait()


@pytest.fixture(scope="module")
def compiled_client(tmp_path_factory):
    """The compiled client, which becomes the one in Python where it must."""
    folder = tmp_path_factory.mktemp("bin")
    interpreter = folder / "interpreter"
    script = f'#!/bin/sh\nshift 2\nexec {sys.executable} -c "$CLIENT" "$@"\n'
    (folder / "script").write_text(script)
    (folder / "script").chmod(0o755)
    interpreter.symlink_to(folder / "script")
    (folder / "python").symlink_to(compiler.program("client", compiled.SOURCE))
    return [str(folder / "python"), "-m", "warpath"]


@pytest.fixture(params=["python", "compiled"])
def workflow(tmp_path, request, monkeypatch):
    monkeypatch.setenv("CLIENT", CLIENT)
    client = {"client": request.getfixturevalue("compiled_client")} if request.param == "compiled" else {}
    made = Workflow(tmp_path, **client)
    yield made
    made.end()
    assert _within(5, lambda: _is_gone_or_empty(made.address))


def _is_gone_or_empty(folder):
    try:
        return not any(folder.iterdir())
    except FileNotFoundError:
        return True


def _within(seconds, true):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def _gone(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _written(path):
    assert _within(20, lambda: path.exists() and path.read_text())
    return [int(word) for word in path.read_text().split()]


def test_a_command_has_the_environment_folder_and_streams_of_its_job(workflow):
    status, out, error = workflow.job("say", "hello", TOY="7")
    assert (status, error) == (0, f"hello 7 {workflow.folder}")
    child, server = map(int, out.split())
    again = [int(word) for word in workflow.job("say", "again")[1].split()]
    assert again[1] == server != child != again[0]


@pytest.mark.parametrize(
    ("arguments", "status", "error"),
    [
        (["exit", "3"], 3, ""),
        (["quit", "no such graph"], 1, "no such graph"),
        (["raise"], 1, "RuntimeError: toy"),
        (["die"], 137, ""),
    ],
)
def test_a_command_ends_as_it_would_by_itself_and_the_next_one_is_well(workflow, arguments, status, error):
    ending = workflow.job(*arguments)
    assert ending[0] == status and ending[2].endswith(error)
    assert workflow.job("exit", "0")[0] == 0


def _children(process):
    """The numbers of its children that live."""
    living = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, started_by = path.read_text().rpartition(")")[2].split()[:2]
            if started_by == str(process) and state != "Z":
                living.append(int(path.parent.name))
    return living


def test_a_child_waits_for_the_next_command_and_is_replaced_if_it_is_killed(workflow):
    server = int(workflow.job("say", "hello")[1].split()[1])
    assert _within(5, lambda: _children(server))
    waiting = _children(server)[0]
    assert workflow.job("say", "again")[1].split()[0] == str(waiting)
    assert _within(5, lambda: _children(server))
    killed = _children(server)[0]
    os.kill(killed, signal.SIGKILL)
    assert _within(5, lambda: killed not in _children(server))
    assert workflow.job("exit", "3")[0] == 3


def test_the_compiled_client_starts_no_interpreter_where_there_is_a_server(tmp_path, compiled_client):
    workflow = Workflow(tmp_path, compiled_client)
    try:
        workflow.job("exit", "0", CLIENT=CLIENT)
        assert workflow.job("exit", "3", CLIENT="no Python")[0] == 3
        assert workflow.job("exit", "3", CLIENT="no Python", **{address.ISOLATION: "process"})[0] == 1
    finally:
        workflow.end()


def test_the_socket_is_in_a_folder_that_only_its_owner_may_enter(workflow):
    workflow.job("exit", "0")
    for folder in (workflow.address, workflow.address.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    workflow.end()
    assert _within(5, lambda: not workflow.address.exists())


def test_without_a_workflow_or_where_processes_are_asked_for_the_command_runs_here(workflow):
    assert workflow.job("say", "x", **{address.ISOLATION: "process"})[1] == "run here"
    assert workflow.job("say", "x", **{address.WORKFLOW: ""})[1] == "run here"


def test_a_folder_that_others_may_enter_is_not_used(workflow):
    workflow.address.chmod(0o755)
    status, out, error = workflow.job("say", "x")
    assert (status, out) == (0, "run here")
    assert "must be a folder of yours" in error
    workflow.address.chmod(0o700)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_the_workflow(workflow, tmp_path, number):
    workflow.start("sleep", str(tmp_path / "sleeping"))
    resident = int(workflow.job("ask", "x")[1].split()[0])
    server = int(workflow.job("say", "x")[1].split()[1])
    begun = [*_written(tmp_path / "sleeping"), resident, server]
    workflow.end(number)
    assert _within(5, lambda: all(map(_gone, begun)))


@pytest.mark.slow
def test_nothing_outlives_the_server_and_jobs_go_on_without_it(workflow, tmp_path):
    job = workflow.start("sleep", str(tmp_path / "sleeping"))
    resident = int(workflow.job("ask", "x")[1].split()[0])
    command, grandchild = _written(tmp_path / "sleeping")
    server = int(workflow.job("say", "x")[1].split()[1])
    os.kill(server, signal.SIGKILL)
    assert job.stdout.readline().strip() == "run here"
    assert _within(5, lambda: all(map(_gone, [command, resident, server])))
    os.kill(grandchild, signal.SIGKILL)  # of a kind that no command of ours starts: it was not tied to its parent
    assert workflow.job("exit", "5")[0] == 5, "a new server has taken the place"


def test_a_job_that_is_killed_takes_its_command_along(workflow, tmp_path):
    job = workflow.start("sleep", str(tmp_path / "sleeping"))
    begun = _written(tmp_path / "sleeping")
    job.kill()
    assert _within(5, lambda: all(map(_gone, begun)))
    assert workflow.job("exit", "0")[0] == 0


def test_what_a_killed_server_left_is_removed_by_the_next_one(workflow, tmp_path):
    stale = Path(f"{workflow.address.parent}/{2**22 - 1}-1")
    stale.mkdir(exist_ok=True)
    workflow.job("exit", "0")
    assert not stale.exists() and workflow.address.exists()


def test_many_jobs_at_once_share_one_server(workflow):
    jobs = [workflow.start("say", "x") for _ in range(12)]
    assert len({job.communicate(timeout=60)[0].split()[1] for job in jobs}) == 1


def _asked(workflow, *arguments):
    status, out, error = workflow.job("ask", *arguments)
    assert status == 0, error
    process, *rest = out.split(" ", 1)
    return int(process), rest[0]


def test_a_resident_stays_while_it_is_sound(workflow):
    first, answer = _asked(workflow, "x")
    assert answer == "[1] None"
    assert _asked(workflow, "x") == (first, "[2] None")
    assert _asked(workflow, "retire") == (first, "[3] 0")
    second, answer = _asked(workflow, "x")
    assert second != first and answer == "[1] None"
    assert _asked(workflow, "die") == (second, f"[] {-signal.SIGSEGV}")
    assert _asked(workflow, "x")[1] == "[1] None"


def test_a_resident_that_hangs_is_killed_and_replaced(workflow, tmp_path):
    first, ending = workflow.job("hang", str(tmp_path / "it"))[1].split()
    assert ending == str(-signal.SIGKILL)
    assert _asked(workflow, "x")[0] != int(first)


def test_a_borrower_that_is_killed_takes_the_resident_along(workflow, tmp_path):
    job = workflow.start("ask", "sleep", str(tmp_path / "it"))
    (process,) = _written(tmp_path / "it")
    job.kill()
    assert _within(5, lambda: _gone(process))
    assert _asked(workflow, "x")[1] == "[1] None"


def test_borrowers_at_the_same_time_have_residents_of_their_own(workflow, tmp_path):
    jobs = [workflow.start("ask", "sleep", str(tmp_path / f"{number}")) for number in range(3)]
    assert len({_written(tmp_path / f"{number}")[0] for number in range(3)}) == 3
    for job in jobs:
        job.kill()


@pytest.mark.parametrize("ending", ["serves", "dies"])
def test_borrowers_wait_for_a_resident_where_their_number_is_limited(workflow, tmp_path, ending):
    one = {resident.MOST: "1"}
    first = workflow.start("ask", str(tmp_path / "go on"), str(tmp_path / "it"), **one)
    (process,) = _written(tmp_path / "it")
    leaving, second = (workflow.start("ask", "x", str(tmp_path / name), **one) for name in ("none", "second"))
    time.sleep(0.2)
    assert not (tmp_path / "second").exists()
    leaving.kill()
    time.sleep(0.1)
    (tmp_path / "go on").touch() if ending == "serves" else os.kill(process, signal.SIGKILL)
    first_out, second_out = (job.communicate(timeout=20)[0].split(" ", 1) for job in (first, second))
    if ending == "serves":
        assert first_out == [str(process), "[1] None\n"]
        assert second_out == [str(process), "[2] None waited\n"]
    else:
        assert second_out[0] != str(process) and second_out[1] == "[1] None waited\n"
    assert not (tmp_path / "none").exists()


def test_residents_are_told_apart_by_what_they_read_of_the_environment(workflow):
    first, _ = _asked(workflow, "x")
    status, out, _ = workflow.job("ask", "x", CUDA_VISIBLE_DEVICES="1")
    assert status == 0 and int(out.split()[0]) != first
    assert _asked(workflow, "x")[0] == first


def test_an_idle_resident_of_another_folder_gives_its_memory_up(workflow, tmp_path):
    first, _ = _asked(workflow, "x")
    (tmp_path / "module").mkdir()
    workflow.folder = tmp_path / "module"
    second, answer = _asked(workflow, "x")
    assert answer == "[1] None" and _within(5, lambda: _gone(first))
    assert _asked(workflow, "x") == (second, "[2] None")
    workflow.folder = tmp_path
    assert _asked(workflow, "x")[1] == "[1] None"


def test_processes_share_memory_that_nobody_can_write_to(workflow):
    assert workflow.job("share", "one", "first")[1] == "first first ab 0 1"
    assert workflow.job("share", "one", "second")[1] == "first first ab 0 0"
    assert workflow.job("share", "two", "second")[1] == "second second ab 0 1"
    a_page_of_each_buffer_and_of_the_index = "3"
    assert workflow.job("overwrite", "one")[1].split() == [a_page_of_each_buffer_and_of_the_index, "refused", "refused"]
    assert workflow.job("share", "one", "third")[1] == "first first ab 0 0"


def test_memory_that_could_still_be_written_to_is_not_shared(workflow):
    for _ in range(2):
        assert workflow.job("share", "one", "held")[1] == "held held ab 0 1"


def test_the_least_recently_used_go_first_and_what_is_too_large_is_not_shared():
    kept = store.Store(100)
    link = type("Link", (), {"send": lambda self, message, files=(): sizes.append(message["size"])})()
    sizes = []
    for name, size in (("a", 40), ("b", 40), ("large", 101)):
        kept.put(name, size, os.memfd_create(name))
    kept.take("a", link)
    kept.put("c", 40, os.memfd_create("c"))
    for name in ("a", "b", "c", "large"):
        kept.take(name, link)
    kept.close()
    assert sizes == [40, 40, None, 40, None]


def test_by_hand_there_is_no_resident():
    environment = {name: value for name, value in os.environ.items() if name != address.WORKFLOW}
    code = "import toy; toy.run(['alone'])"
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=TOY.parent, env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout.strip() == "None"


def test_the_server_has_one_thread_when_it_forks_whatever_it_has_imported(tmp_path):
    from warpath.warm import start as warm

    workflow = Workflow(tmp_path, TOY_MODULES=" ".join(warm.MODULES))
    try:
        workflow.job("exit", "0")
        assert _within(60, lambda: warm.MODULES[-1] in workflow.job("modules")[1].split())
        assert workflow.job("threads")[1] == "1"
        imported = workflow.job("modules")[1].split()
        assert "cupy" not in imported, "it must not touch a GPU"
    finally:
        workflow.end()


@pytest.fixture
def as_a_workflow(tmp_path, monkeypatch):
    """Jobs of this process itself, in a base folder of its own."""
    monkeypatch.setattr(address, "base", lambda: str(tmp_path / "base"))
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    return tmp_path / "base"


def test_jobs_find_the_compiled_client_as_python(as_a_workflow):
    compiled.install()
    found = Path(shutil.which("python"))
    assert found.is_relative_to(as_a_workflow) and found.resolve().name.startswith("client")
    assert subprocess.check_output(["python", "-c", "import sys; print(sys.prefix)"], text=True).strip() == sys.prefix


def test_a_python_in_a_folder_of_somebody_else_is_never_found(as_a_workflow):
    as_a_workflow.mkdir(mode=0o777)
    as_a_workflow.chmod(0o777)
    path = os.environ["PATH"]
    compiled.install()
    assert os.environ["PATH"] == path


def test_a_workflow_that_starts_no_server_leaves_nothing_in_the_folder_of_sockets():
    script = "from warpath.warm import address, compiled; compiled.install(); print(compiled.os.environ['PATH'])"
    found = subprocess.check_output([sys.executable, "-c", script], text=True).split(os.pathsep)[0]
    assert found.startswith(address.base()) and not Path(found).parent.exists()


def test_where_no_worker_is_wanted_jobs_do_without_the_compiled_client(as_a_workflow, monkeypatch):
    monkeypatch.setenv(address.ISOLATION, "process")
    compiled.install()
    assert not as_a_workflow.exists()


def test_without_a_compiler_jobs_do_without_the_compiled_client(as_a_workflow, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    path = os.environ["PATH"]
    compiled.install()
    assert os.environ["PATH"] == path
