"""Printed commands repeat the same settings, whatever they contain."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from snakemake.cli import parse_config
from snakemake.utils import update_config

from warpath.base import places, settings
from warpath.lifetime import repeat

CHANGES = [
    {},
    {"study": "my study.yaml"},
    {"study": "it's $(touch x); {graph}.yaml", "scale": "offline"},
    {"study": "007", "device": "host"},
    {"study": "a: b.yaml", "catalogues": ["my graphs.yaml", "b.yaml"], "mirrors": ["https://x.org/ä"]},
    {"timing": {"repetitions": 9, "budget": 0.5}},
]


@pytest.fixture(params=CHANGES, ids=lambda changes: ", ".join(changes) or "nothing")
def used(request):
    return _over(settings.read(), request.param)


def _over(base, changes):
    base = json.loads(json.dumps(base))
    update_config(base, changes)
    return settings.check(base)


def test_snakemake_gets_the_settings_that_were_used(used):
    command = shlex.split(repeat.workflow(used, "results/runs/g.csv"))
    assert command[:7] == ["snakemake", "results/runs/g.csv", "--cores", "1", "--resources", "gpu=1", "--config"]
    assert _over(settings.read(), parse_config(command[7:])) == used


def test_a_step_gets_the_settings_that_were_used(used):
    from warpath import cli
    from warpath.results import commands

    python, *_, step, option, value = shlex.split(repeat.step("failures", used))
    assert (python, step) == (".venv/bin/python", "failures")
    assert commands._settings(cli.parser().parse_args([step, option, value])) == used


def test_settings_from_the_file_are_left_out():
    assert repeat.workflow(settings.read()) == "snakemake --cores 1 --resources gpu=1 --config study=quickstart"
    assert repeat.step("failures", settings.read()) == ".venv/bin/python -m warpath failures --study quickstart"


def test_documents_show_commands_as_they_are_printed():
    """In the form that works in a new shell, without an activated environment."""
    pages = [places.ROOT / "README.md", *places.ROOT.glob("[a-z]*/**/*.md")]
    shown = {command for page in pages for command in re.findall(r"[^\n`]*python -m warpath", page.read_text())}
    assert shown == {".venv/bin/python -m warpath"}


def test_only_differences_from_the_file_are_named(tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text("scale: offline\n")
    monkeypatch.setattr(settings.read, "__defaults__", (tmp_path / "config.yaml",))
    used = settings.defaults() | {"study": "rejaud"}
    assert repeat.workflow(used).endswith("--config study=rejaud scale=study")
    assert repeat.workflow(used, base=settings.defaults()).endswith("--config study=rejaud")
    assert repeat.step("failures", used).endswith("""--settings '{"study": "rejaud"}'""")
    assert repeat.workflow(settings.read()).endswith("--config study=quickstart")


def test_commands_repeat_a_cluster_workflow_on_the_cluster(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    used = settings.defaults() | {"study": "rejaud"}
    repeat.remember_cluster(["snakemake", "--workflow-profile", "my profiles/slurm", "--config", "study=rejaud"], False)
    assert repeat.workflow(used, base=settings.defaults()) == (
        "snakemake --workflow-profile 'my profiles/slurm' --config study=rejaud"
    )
    repeat.remember_cluster(["snakemake", "--workflow-profile=profiles/slurm"], here=False)
    assert repeat.workflow(used, base=used) == "snakemake --workflow-profile profiles/slurm --config study=rejaud"
    repeat.remember_cluster(["snakemake", "--workflow-prof", "profiles/slurm", "--jobs", "9"], here=False)
    assert repeat.workflow(used, base=used) == "snakemake --workflow-profile profiles/slurm --config study=rejaud"
    repeat.CLUSTER.write_text("{")
    assert repeat.workflow(used, base=settings.defaults()).startswith("snakemake --cores 1")
    repeat.remember_cluster(["snakemake"], here=True)
    assert not repeat.CLUSTER.exists()


@pytest.mark.parametrize("options", ["--executor slurm", "--workflow-profile none --executor slurm", "--profile mine"])
def test_without_a_profile_commands_leave_a_gap_for_it(tmp_path, monkeypatch, capsys, options):
    from warpath import cli

    used = settings.read() | {"device": "cuda"}
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    monkeypatch.chdir(tmp_path)
    repeat.remember_cluster(["snakemake", *options.split()], here=False)
    assert repeat.workflow(used, base=used) == "snakemake --workflow-profile '<profile>' --config study=quickstart"
    assert cli.main(["failures", "--settings", json.dumps(used)]) == 1
    *_, command, note = capsys.readouterr().out.splitlines()
    assert "--cores" not in command
    assert (
        note == "give the options of the last workflow that submitted its jobs in place of --workflow-profile <profile>"
    )


def test_commands_name_a_results_folder_of_its_own(monkeypatch):
    monkeypatch.setattr(repeat.places, "RESULTS", "results-a100")
    assert repeat.workflow(settings.read()).startswith("env WARPATH_RESULTS=results-a100 snakemake ")
    assert repeat.step("failures", settings.read()).startswith("env WARPATH_RESULTS=results-a100 .venv/bin/python")
    assert repeat.workflow(settings.read(), base=settings.defaults()).startswith("snakemake ")  # for any checkout


def test_a_results_folder_of_its_own_holds_everything_but_graphs():
    code = "from warpath.base import places as p; print(p.RECORDS, p.REPORT, p.LOGS, p.GRAPHS, p.CACHE)"
    environment = os.environ | {"WARPATH_RESULTS": "results-a100/"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    own = ["results-a100/runs", "results-a100/report.html", "results-a100/logs"]
    assert done.stdout.split() == [*own, "resources/graphs", "results/.cache"]
