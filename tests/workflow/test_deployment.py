"""What other tools install for jobs, and what they show of the repository, agrees with pins and settings."""

import ast
import os
import re
import runpy
import subprocess
import sys

import pytest
import yaml

from warpath.base import places, schemas

ROOT = places.ROOT
ENVIRONMENT = runpy.run_path(str(ROOT / "requirements/environment.py"))

# Modules by their package, where that has another name; None for what a machine may lack.
PACKAGES = {
    **{"yaml": "pyyaml", "jsonschema_rs": "jsonschema-rs", "pynvml": "nvidia-ml-py"},
    **{"cupy": "cupy-cuda12x", "cupy_backends": "cupy-cuda12x"},
    **dict.fromkeys(["networkx", "igraph", "networkit", "graphblas", "pylibcugraph", "rmm"]),
}


def environment():
    """The pinned packages of the conda environment."""
    return dict(pin.split("==") for pin in yaml.safe_load(ENVIRONMENT["FILE"].read_text())["dependencies"][-1]["pip"])


def imported(file):
    """The packages that a file imports, by the names that they are installed by."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    modules = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"warpath"}
    return {PACKAGES.get(name, name) for name in modules} - {None}


def test_the_conda_environment_is_made_from_the_pins():
    assert ENVIRONMENT["FILE"].read_text() == ENVIRONMENT["text"](), "run requirements/environment.py"


def test_the_conda_environment_is_enough_for_every_job():
    files = [file for folder in ("workflow/warpath", "kernels") for file in (ROOT / folder).rglob("*.py")]
    needed = {package for file in files for package in imported(file)}
    assert needed - environment().keys() == set()


def test_the_container_has_the_same_packages():
    installed = re.findall(r"-[cr] (\S+)", (ROOT / "workflow/envs/warpath.def").read_text().partition("%post")[2])
    assert installed == ["constraints.txt", "run.txt", "cupy-cuda12.txt"]
    pins = ENVIRONMENT["pins"]
    assert environment().items() <= {**pins("constraints.txt"), **pins("run.txt"), **pins("cupy-cuda12.txt")}.items()


def test_every_rule_with_a_command_names_the_environment():
    text = "".join(file.read_text() for file in (ROOT / "workflow/rules").glob("*.smk"))
    assert text.count("    shell:\n") == text.count("    conda:\n        ENVIRONMENT\n") == 11


def test_the_catalogue_of_workflows_finds_what_it_looks_for():
    shown = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert shown["software-stack-deployment"] == {"conda": True, "apptainer": False, "apptainer+conda": False}
    assert (ROOT / "workflow/Snakefile").exists()
    explained = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "config/README.md").read_text(), re.MULTILINE))
    assert explained == set(schemas.load("config")["properties"])


@pytest.mark.parametrize(
    ("minor", "include", "asked"),
    [
        (15, "", "is too new: NumPy and SciPy have no wheels for it; use 3.14 or older (PYTHON=python3.13 make run)\n"),
        (14, "/nowhere", "lacks its headers, and immutables (needed by Snakemake) has no wheel for it; apt install"),
        (14, "", None),
        (13, "/nowhere", None),
    ],
)
def test_set_up_tells_what_is_missing_before_pip_would_compile(tmp_path, minor, include, asked):
    (tmp_path / "Python.h").touch()
    pretended = f"sys.version_info = (3, {minor}, 0); sysconfig.get_path = lambda name: '{include or tmp_path}'; exec"
    interpreter = tmp_path / "python"
    code = f'[ "$1" = -c ] && exec {sys.executable} -c "import sys, sysconfig; {pretended}(sys.argv[1])" "$2"'
    interpreter.write_text(f'#!/bin/sh\n{code}\n[ "$1" = --version ] && echo Python 3.{minor}.0\n')
    interpreter.chmod(0o755)
    script = ["sh", str(ROOT / "requirements/install.sh"), str(interpreter), "run"]
    environment = os.environ | {"CXX": "no-compiler"}  # what is asked for next
    said = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stderr
    assert said.startswith(f"warpath: Python 3.{minor}.0 {asked}" if asked else "warpath: no-compiler not found"), said
    assert said.count("\n") == 1


def test_a_home_that_cannot_be_created_is_one_line_instead_of_a_traceback():
    given = {"PATH": os.environ["PATH"], "HOME": "/proc/nowhere"}
    command = ["make", "-o", ".venv/run", "run"]
    made = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    said = [line for line in made.stderr.splitlines() if not line.startswith("make: ***")]
    assert made.returncode and len(said) == 1 and "set XDG_CACHE_HOME" in said[0] and "/proc/nowhere/.cache" in said[0]
    assert "snakemake" not in made.stdout
