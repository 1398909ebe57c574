"""A workflow's server of warm processes: commands, residents, and that all end with the workflow."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from waits import gone, within

from warpath import __version__, cli
from warpath.base import places
from warpath.warm import address, client

COMMAND = places.WORKFLOW / "bin/warpath"
PYTHON = f"""#!/bin/sh
shift 2
exec {sys.executable} -c "import sys; from warpath.warm import client
status = client.hand_over(sys.argv[1:], 'toy')
print('run here') if status is None else sys.exit(status)" "$@"
"""


class Workflow:
    """A process that stands for Snakemake, and jobs of it, in which `python` on PATH knows toy commands."""

    def __init__(self, folder, **environment):
        self.folder, self.compiled = folder, folder / "cache/client"
        self.process = subprocess.Popen(["sleep", "600"])
        python = folder / "bin/python"
        python.parent.mkdir()
        python.write_text(PYTHON)
        python.chmod(0o755)
        own = {"PATH": f"{python.parent}:{os.environ['PATH']}", address.WORKFLOW: str(self.process.pid)}
        own |= {"WARPATH_CACHE": str(folder / "cache"), "PYTHONPATH": f"{places.WORKFLOW}:{Path(__file__).parent}"}
        self.environment = os.environ | own | environment
        self.address = Path(address.folder(self.process.pid))

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [COMMAND, *arguments],
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

    def ask(self, *arguments, **environment):
        """The number of the resident that a job borrows, what it answers and how it ended."""
        status, out, error = self.job("ask", *arguments, **environment)
        assert status == 0, error
        process, rest = out.split(" ", 1)
        return int(process), rest

    def server(self):
        return int(self.job("say", "x")[1].split()[1])

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The folder in which the first job of a workflow has left the compiled client."""
    workflow = Workflow(tmp_path_factory.mktemp("compiled"))
    assert workflow.job("exit", "3")[0] == 3
    workflow.end()
    return workflow.compiled.parent


@pytest.fixture
def workflow(tmp_path, request):
    """A workflow whose jobs have the client in Python, for want of a compiler, or the compiled one."""
    is_compiled = getattr(request, "param", "python") == "compiled"
    if is_compiled:
        shutil.copytree(request.getfixturevalue("compiled"), tmp_path / "cache", symlinks=True)
    made = Workflow(tmp_path, CXX="no-such-compiler")
    yield made
    assert made.compiled.exists() == is_compiled
    made.end()
    assert within(lambda: not any(files for _, _, files in os.walk(made.address)))  # which may go at any moment


BOTH_CLIENTS = pytest.mark.parametrize("workflow", ["python", "compiled"], indirect=True)


def _written(path):
    assert within(lambda: path.exists() and path.read_text())
    return [int(word) for word in path.read_text().split()]


def _children(process):
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@BOTH_CLIENTS
def test_a_command_has_the_environment_folder_and_streams_of_its_job(workflow):
    status, out, error = workflow.job("say", "hello", TOY="ü=7")
    assert (status, error) == (0, f"hello ü=7 {workflow.folder}")
    child, server = map(int, out.split())
    again = [int(word) for word in workflow.job("say", "again")[1].split()]
    assert again[1] == server != child != again[0]


@BOTH_CLIENTS
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


def test_a_child_waits_for_the_next_command_and_is_replaced_if_it_is_killed(workflow):
    server = workflow.server()
    assert within(lambda: _children(server))
    (waiting,) = _children(server)
    assert workflow.job("say", "again")[1].split()[0] == str(waiting)
    assert within(lambda: _children(server) not in ([], [waiting]))
    (killed,) = _children(server)
    os.kill(killed, signal.SIGKILL)
    assert within(lambda: killed not in _children(server))
    assert workflow.job("exit", "3")[0] == 3


@BOTH_CLIENTS
def test_a_command_holds_no_file_of_other_jobs(workflow, tmp_path):
    alone = workflow.job("files")
    jobs = [workflow.start("sleep", str(tmp_path / str(number))) for number in range(3)]
    assert all(_written(tmp_path / str(number)) for number in range(3))
    assert workflow.job("files") == alone
    for job in jobs:
        job.kill()


@pytest.mark.parametrize("workflow", ["compiled"], indirect=True)
def test_the_compiled_client_starts_no_interpreter_where_there_is_a_server(workflow):
    workflow.job("exit", "0")
    (workflow.folder / "bin/python").write_text('#!/bin/sh\necho "$*" in "$PYTHONPATH"\nexit 1\n')
    assert workflow.job("exit", "3")[0] == 3
    without_server = {address.WORKFLOW: str(os.getpid()), "PYTHONPATH": ""}
    assert workflow.job("exit", "3", **without_server)[:2] == (1, f"-m warpath exit 3 in {places.WORKFLOW}")
    assert workflow.job("exit", "3", **{address.ISOLATION: "process"})[0] == 1


@BOTH_CLIENTS
def test_the_socket_is_in_a_folder_that_only_its_owner_may_enter_or_it_is_not_used(workflow):
    workflow.job("exit", "0")
    for folder in (workflow.address, workflow.address.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    workflow.address.chmod(0o755)
    status, out, error = workflow.job("say", "x")
    assert (status, out) == (0, "run here")
    assert "must be a folder of yours" in error


def test_nothing_outlives_the_workflow(workflow, tmp_path):
    workflow.start("sleep", str(tmp_path / "sleeping"))
    begun = [*_written(tmp_path / "sleeping"), workflow.ask("x")[0], workflow.server()]
    workflow.end()
    assert all(map(gone, begun))
    assert within(lambda: not workflow.address.exists())


@BOTH_CLIENTS
@pytest.mark.slow
def test_nothing_outlives_the_server_and_jobs_go_on_without_it(workflow, tmp_path):
    job = workflow.start("sleep", str(tmp_path / "sleeping"))
    resident, server = workflow.ask("x")[0], workflow.server()
    command, grandchild = _written(tmp_path / "sleeping")
    os.kill(server, signal.SIGKILL)
    assert job.stdout.readline().strip() == "run here"
    assert all(map(gone, [command, resident, server]))
    os.kill(grandchild, signal.SIGKILL)  # of a kind that no command of ours starts: it was not tied to its parent
    assert workflow.job("exit", "5")[0] == 5, "a new server has taken the place"


@BOTH_CLIENTS
@pytest.mark.parametrize("command", [["sleep"], ["ask", "sleep"]], ids=["command", "resident"])
def test_a_job_that_is_killed_takes_along_what_it_waits_for(workflow, tmp_path, command):
    job = workflow.start(*command, str(tmp_path / "sleeping"))
    begun = _written(tmp_path / "sleeping")
    job.kill()
    assert all(map(gone, begun))
    assert workflow.ask("x")[1] == "[1] None"


def test_what_a_killed_server_left_is_removed_by_the_next_one(workflow):
    stale = Path(f"{workflow.address.parent}/{2**22 - 1}-1")
    stale.mkdir(exist_ok=True)
    workflow.job("exit", "0")
    assert not stale.exists() and workflow.address.exists()


def test_many_jobs_at_once_share_one_server(workflow):
    jobs = [workflow.start("say", "x") for _ in range(12)]
    assert len({job.communicate(timeout=60)[0].split()[1] for job in jobs}) == 1


def test_a_resident_stays_while_it_is_sound(workflow):
    first, answer = workflow.ask("x")
    assert answer == "[1] None"
    assert workflow.ask("x") == (first, "[2] None")
    assert workflow.ask("retire") == (first, "[3] 0")
    second, answer = workflow.ask("x")
    assert second != first and answer == "[1] None"
    assert workflow.ask("die") == (second, f"[] {-signal.SIGSEGV}")
    hanging, ending = workflow.ask("hang")
    assert ending == f"[] {-signal.SIGKILL}"
    last, answer = workflow.ask("x")
    assert last != hanging and answer == "[1] None"


def test_borrowers_at_the_same_time_have_residents_of_their_own(workflow, tmp_path):
    jobs = [workflow.start("ask", "sleep", str(tmp_path / f"{number}")) for number in range(3)]
    assert len({_written(tmp_path / f"{number}")[0] for number in range(3)}) == 3
    for job in jobs:
        job.kill()


def test_borrowers_apart_never_have_the_same_resident(workflow):
    first, _ = workflow.ask("x", os.devnull, "1")
    second, answer = workflow.ask("x", os.devnull, "2")
    assert second != first and answer == "[1] None"
    assert workflow.ask("x", os.devnull, "2") == (second, "[2] None")


def test_residents_are_told_apart_by_what_they_read_of_the_environment_and_not_by_folder(workflow, tmp_path):
    first, _ = workflow.ask("x")
    (tmp_path / "module").mkdir()
    workflow.folder = tmp_path / "module"
    assert workflow.ask("x") == (first, "[2] None")
    second, answer = workflow.ask("x", CUDA_VISIBLE_DEVICES="1")
    assert second != first and answer == "[1] None"
    assert gone(first), "it would keep memory of a GPU that nobody else can have"


def test_without_a_server_nothing_is_borrowed():
    with client.borrowed("toy:serve") as lent:
        assert lent is None


def test_the_server_has_one_thread_when_it_forks_whatever_it_has_imported(workflow):
    workflow.job("exit", "0", TOY_MODULES=" ".join(cli.AHEAD))
    assert within(lambda: cli.AHEAD[-1] in workflow.job("server")[1].split())
    threads, *imported = workflow.job("server")[1].split()
    assert threads == "1"
    assert "cupy" not in imported, "it must not touch a GPU"


@pytest.mark.parametrize("called", ["directly", "by a link in .venv/bin", "with the Python on PATH"])
def test_the_command_works_by_hand_and_in_a_checkout_with_blanks(tmp_path, called):
    checkout = tmp_path / "a check out"
    shutil.copytree(COMMAND.parent, checkout / "workflow/bin")
    (checkout / "workflow/warpath").symlink_to(places.WORKFLOW / "warpath")
    (checkout / ".venv/bin").mkdir(parents=True)
    (checkout / ".venv/bin/warpath").symlink_to("../../workflow/bin/warpath")
    own = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": ""}
    if called != "with the Python on PATH":
        own["PATH"] = os.environ["PATH"]
        (checkout / ".venv/bin/python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (checkout / ".venv/bin/python").chmod(0o755)
    command = checkout / (".venv/bin/warpath" if "link" in called else "workflow/bin/warpath")
    script = subprocess.run([command, "--version"], env=os.environ | own, capture_output=True, text=True, check=False)
    assert (script.returncode, script.stdout) == (0, f"{__version__}\n"), script.stderr
