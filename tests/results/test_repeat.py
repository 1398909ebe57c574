"""Printed commands repeat the same settings, whatever they contain."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from snakemake.cli import parse_config
from snakemake.utils import update_config

from warpath import cli
from warpath.base import places, settings
from warpath.results import commands, repeat


@pytest.fixture(autouse=True)
def begin(tmp_path, monkeypatch):
    """Begin a workflow with this command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(places, "RESULTS", "results")
    monkeypatch.setattr(places, "WORKFLOW_STATE", "results/workflow.json")
    monkeypatch.setattr(places, "entered", "")
    monkeypatch.setenv(settings.HANDED, '{"settings": {}}')

    def begun(*arguments, used=None, prefix="", submits=False, as_module=False):
        told = {"arguments": arguments, "submits": submits, "as_module": as_module, "home": str(tmp_path)}
        told |= {"process": os.getpid(), "machine": os.uname().nodename}
        settings.hand_over(used or settings.defaults(), prefix, **told)
        monkeypatch.setattr(places, "entered", prefix)
        repeat.remember()

    return begun


def _over(base, changes):
    base = json.loads(json.dumps(base))
    update_config(base, changes)
    return settings.check(base)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"study": "my study.yaml"},
        {"study": "it's $(touch x); {graph}.yaml", "scale": "offline"},
        {"study": "007", "device": "host"},
        {"study": "a: b.yaml", "catalogues": ["my graphs.yaml", "b.yaml"], "mirrors": ["https://x.org/ä"]},
        {"timing": {"repetitions": 9, "budget": 0.5}},
    ],
    ids=lambda changes: ", ".join(changes) or "nothing",
)
def test_workflows_and_steps_get_the_settings_that_were_used(changes):
    used = _over(settings.read(), changes)
    command = shlex.split(repeat.workflow(used, "results/runs/g.csv"))
    assert command[:7] == ["snakemake", "results/runs/g.csv", "--cores", "1", "--resources", "gpu=1", "--config"]
    assert _over(settings.read(), parse_config(command[7:])) == used
    program, *step = shlex.split(repeat.step("failures", used))
    assert (program, step[0]) == (f"{places.WORKFLOW}/bin/warpath", "failures")
    assert commands._settings(cli.PARSER.parse_args(step)) == used


def test_only_differences_from_the_file_are_named(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / places.SETTINGS).write_text("scale: offline\n")
    used = settings.defaults() | {"study": "rejaud"}
    assert repeat.workflow(used).endswith("--config study=rejaud scale=study")
    assert repeat.workflow(used, base=settings.defaults()).endswith("--config study=rejaud")
    assert repeat.step("failures", used).endswith("""--settings '{"study": "rejaud"}'""")
    assert repeat.workflow(settings.read()).endswith("--config study=quickstart")
    assert repeat.step("failures", settings.read()).endswith("/bin/warpath failures --study quickstart")


def test_passwords_in_addresses_are_not_shown(begin):
    used = settings.defaults() | {"mirrors": ["https://me:secret@x.org/graphs"]}
    begin("--config", "mirrors=https://me:secret@x.org/graphs", used=used, as_module=True)
    shown = [repeat.workflow(used, base=settings.defaults()), repeat.step("failures", used), repeat.workflow(used)]
    assert "secret" not in "".join([*shown, Path(places.WORKFLOW_STATE).read_text()]) and "x.org" in shown[0]


PROFILE = "my profiles/slurm"


@pytest.mark.parametrize(
    "options", [["--workflow-profile", PROFILE, "-j9"], [f"--workflow-profile={PROFILE}"], ["--workflow-prof", PROFILE]]
)
def test_commands_repeat_a_cluster_workflow_on_the_cluster(begin, monkeypatch, options):
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    begin(*options, submits=True)
    used = settings.defaults()
    assert repeat.workflow(used, base=used) == f"snakemake --workflow-profile '{PROFILE}' --config study=quickstart"
    assert repeat.cluster()["device"] == "cuda"
    begin()
    assert repeat.workflow(used, base=used).startswith("snakemake --cores 1")
    begin(*options, submits=True)
    Path(places.WORKFLOW_STATE).write_text("{")
    assert repeat.workflow(used, base=used).startswith("snakemake --cores 1")


@pytest.mark.parametrize("options", ["--executor slurm", "--workflow-profile none --executor slurm", "--profile mine"])
def test_without_a_profile_commands_leave_a_gap_for_it(begin, monkeypatch, capsys, options):
    used = settings.read() | {"device": "cuda"}
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    begin(*options.split(), submits=True)
    assert cli.main(["failures", "--settings", json.dumps(used)]) == 1
    *_, command, note = capsys.readouterr().out.splitlines()
    assert command.endswith("  snakemake --workflow-profile '<profile>' --config study=quickstart device=cuda")
    assert (
        note == "give the options of the last workflow that submitted its jobs in place of --workflow-profile <profile>"
    )


def test_commands_of_a_module_are_those_of_the_workflow_that_uses_it(begin, tmp_path, monkeypatch):
    monkeypatch.setattr(places, "home", None)  # which a command sets
    used = settings.defaults() | {"study": "rejaud"}
    begin("--cores", "2", "mine/all", used=used, prefix="war path/", as_module=True)
    assert repeat.workflow(used, "results/runs/g.csv") == ("snakemake 'war path/results/runs/g.csv' --cores 2 mine/all")
    program = f"{places.WORKFLOW}/bin/warpath failures"
    assert repeat.failures("war path/", used) == f"cd 'war path/' && {program}"
    assert repeat.outer()["settings"] == used
    assert commands._settings(cli.PARSER.parse_args(["failures"])) == used
    monkeypatch.chdir(places.ROOT)
    monkeypatch.setattr(places, "WORKFLOW_STATE", str(tmp_path / "results/workflow.json"))
    assert repeat.workflow(used).startswith(f"cd {tmp_path} && snakemake --cores 2")
    begin()
    assert repeat.outer() == {} and repeat.failures("", used).startswith(".venv/bin/warpath failures --")


def test_commands_name_a_results_folder_of_its_own(monkeypatch):
    monkeypatch.setattr(places, "RESULTS", "results-a100")
    assert repeat.workflow(settings.read()).startswith("env WARPATH_RESULTS=results-a100 snakemake ")
    assert repeat.step("failures", settings.read()).startswith("env WARPATH_RESULTS=results-a100 /")
    assert repeat.workflow(settings.read(), base=settings.defaults()).startswith("snakemake ")  # for any checkout


def test_a_results_folder_of_its_own_holds_everything_but_graphs():
    code = "from warpath.base import places as p; print(p.RECORDS, p.KEPT, p.REPORT, p.LOGS, p.GRAPHS, p.CACHE)"
    environment = os.environ | {"WARPATH_RESULTS": "results-a100/"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    own = [f"results-a100/{part}" for part in ("runs", "kept", "report.html", "logs")]
    assert done.stdout.split() == [*own, "resources/graphs", "results/.cache"]


def test_documents_show_commands_as_they_work_in_a_new_shell():
    pages = [places.ROOT / "README.md", *places.ROOT.glob("[a-z]*/**/*.md")]
    found = re.compile(r"[^\n`]*python -m warpath|[\w./]*\.venv/bin/warpath")
    shown = {command for page in pages for command in found.findall(page.read_text())}
    assert shown and shown <= {".venv/bin/python -m warpath", ".venv/bin/warpath"}
