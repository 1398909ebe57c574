"""Snakemake is used by its manual, so that the workflow runs with other versions than the pinned one."""

import re
import subprocess
import sys
import tokenize

import dry_runs
import pytest

from warpath.base import places

# What a Snakefile reads of `workflow`: names in the manual, then names that are not there, each with the reason.
DOCUMENTED = {"basedir", "snakefile"}
UNDOCUMENTED = {
    "is_main_process": "the main process alone prints what is left out and hands over its settings",
    "remote_exec": "a job on another machine has the cores that it is given",
    "local_exec": "a job on this machine has no Snakemake of its own that needs memory",
    "resource_settings.cores": "None without --cores, where workflow.cores ends the workflow",
    "resource_settings.nodes": "whether jobs are submitted",
}


def reads(file):
    """Each use of `workflow` in a Snakefile, with the token behind it."""
    with open(file) as lines:
        tokens = [token.string for token in tokenize.generate_tokens(lines.readline) if token.string.strip()]
    for start, token in enumerate(tokens):
        if token == "workflow" and tokens[start - 1] not in (".", "from", "import"):
            end = start + 1
            while tokens[end] == ".":
                end += 2
            yield "".join(tokens[start + 2 : end]), tokens[end]


def test_nothing_is_assigned_to_snakemake_and_what_is_read_is_listed():
    files = [places.ROOT / "Snakefile", places.WORKFLOW / "Snakefile", *(places.WORKFLOW / "rules").glob("*.smk")]
    used = [use for file in files for use in reads(file)]
    assert {name for name, _ in used} == DOCUMENTED | UNDOCUMENTED.keys()
    assert [use for use in used if re.fullmatch(r"[^=!<>]?=", use[1])] == []
    assert not any("setattr" in file.read_text() for file in files)
    assert len(UNDOCUMENTED) <= 8


def test_no_module_of_the_package_imports_snakemake():
    for file in (places.WORKFLOW / "warpath").rglob("*.py"):
        assert not re.search(r"^\s*(import|from) snakemake", file.read_text(), re.MULTILINE), file


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("earlier", [1, 2])
def test_the_quick_start_runs_with_earlier_versions(checkout, tmp_path, earlier):
    pinned = re.search(r"^snakemake==(\d+)\.(\d+)", (places.ROOT / "requirements/run.txt").read_text(), re.MULTILINE)
    version = f"{pinned[1]}.{int(pinned[2]) - earlier}"
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path, f"snakemake=={version}.*"]
    installed = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    if installed.returncode:
        pytest.skip(f"Snakemake {version} cannot be installed: {installed.stderr.strip().splitlines()[-1]}")
    checkout.environment["PYTHONPATH"] = str(tmp_path)
    settings = "timing={sources: 1, repetitions: 1, warmup: 0}"
    done = checkout.snakemake("--config", "study=quickstart", settings)
    assert f"Snakemake version: {version}" in done.stdout
    assert set(checkout.summary()["status"]) == {"ok"}
    assert "Nothing to be done" in checkout.snakemake("--config", "study=quickstart", settings).stdout


IN_FLIGHT = """
import sys
sys.path.insert(0, "workflow")
from warpath.devices import driver
driver.gpus = lambda: {}
include: "workflow/Snakefile"
print("asked:", sorted(set((run_gpus(run), run_threads(run)) for run in STUDY.runs if run.device == "cuda")))
"""


@pytest.mark.parametrize(
    ("gpus", "cores", "study", "asked"),
    [
        (1, 8, "quickstart", [(0, 3), (1, 1)]),  # two that begin beside the one that is measured
        (1, 2, "quickstart", [(1, 1)]),
        (2, 8, "quickstart", [(1, 1)]),
        (1, 8, "harish2007", [(1, 1)]),  # graphs that may need all of the GPU's memory
    ],
)
def test_runs_begin_beside_the_one_on_the_only_gpu_where_graphs_are_small(checkout, gpus, cores, study, asked):
    checkout.write("own.smk", IN_FLIGHT.format(gpus))
    given = ["--snakefile", "own.smk", "--dry-run", "--cores", str(cores), "--config", f"study={study}"]
    environment = checkout.environment | {"WARPATH_DEVICE": "cuda", "WARPATH_THREADS": "8"}
    status, output = dry_runs.run(given, checkout.folder, environment)
    assert status == 0 and f"asked: {asked}" in output, output
