"""The workflow in another one, and in another folder."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import checkouts
import pandas as pd
import pytest

from warpath.base import folder, places

OUTER = """
configfile: "config/config.yaml"

rule mine:
    input: "a b/results/summary.csv"
    output: "mine.csv"
    shell: "cp {input:q} {output:q}"

module warpath:
    snakefile: "../checkout/workflow/Snakefile"
    config: config["warpath"]
    prefix: "a b"

use rule * from warpath as w_*

onerror:
    warpath.onerror()
"""
CONFIG = "samples: 3\nwarpath: {prefix: a b, study: tiny.yaml, device: host, catalogues: [tiny-graphs.yaml]}\n"
RUNS = "runs: [{graphs: [own, rome99], algorithms: [bfs/level], launches: {block: 64}}]\n"
STUDY = f"title: A tiny study\ninclude: [more.yaml]\n{RUNS}"


@pytest.fixture
def outer(checkout):
    """A folder beside the checkout whose Snakefile uses the checkout's."""
    place = checkout.folder.parent / "outer"
    (place / "config").mkdir(parents=True)
    using = checkouts.Checkout(place)
    using.write("Snakefile", OUTER)
    using.write("config/config.yaml", CONFIG)
    using.write("tiny.yaml", STUDY)
    using.write("more.yaml", f"title: More\n{RUNS}")
    using.write("tiny-graphs.yaml", "own: {path: own.txt}\n")
    using.write("own.txt", "1 2\n2 3\n")
    yield using
    using.end()


def test_a_module_owns_the_folder_writes_results_and_ends_what_it_started(checkout, outer):
    """Even where it has a prefix with a blank, bundled and own graphs, and a study in two files."""
    kernel = checkout.read("kernels/bfs/level.cu")
    checkout.write("kernels/bfs/level.cu", "this is not CUDA\n" + kernel)
    assert outer.jobs()["mine"] == 1  # the first rule of the outer workflow is still the default target
    assert not (outer.folder / folder.OWNER).exists()

    failed = outer.snakemake("w_all", "--keep-going", check=False)
    assert failed.returncode != 0
    assert outer.read(folder.OWNER).startswith("process "), failed.stdout
    assert list(pd.read_csv(outer.folder / "a b/results/summary.csv")["status"]) == ["failed", "failed"]
    assert (outer.folder / "a b/results/report.html").exists()
    assert not (outer.folder / "results").exists()
    assert outer.ended()

    listing = re.search(r"What failed and how to do it again: (.*)", failed.stdout)[1]
    active = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    told = subprocess.run(
        listing, shell=True, cwd=outer.folder, env=active, capture_output=True, text=True, check=False
    )
    listed = told.stdout
    assert "bfs/level b64 on own: kernels/bfs/level.cu" in listed.replace(f"{checkout.folder}/", "")
    assert f"cd {outer.folder} && snakemake w_all --keep-going --cores 1" in listed

    checkout.write("kernels/bfs/level.cu", kernel)
    outer.remove("own.txt")  # a prepared graph does not need it
    jobs = {"measure_run": 2, "gather_results": 1, "write_report": 1, "check_results": 1, "all": 1}
    assert outer.jobs("w_all") == {f"w_{rule}": count for rule, count in jobs.items()}


MODULE = 'module warpath:\n    snakefile: "../checkout/workflow/Snakefile"\n'


def test_a_module_by_its_own_name_has_the_settings_of_its_repository(outer):
    outer.write("Snakefile", f"{MODULE}\nuse rule * from warpath\n")
    outer.write("config/config.yaml", "samples: 3\n")
    assert "study: tiny" in outer.dry_run()[1]
    outer.write("Snakefile", f"{MODULE}    config: {{'samples': 3}}\n\nuse rule * from warpath\n")
    assert "unknown key 'samples'" in outer.dry_run()[1]


@pytest.mark.slow
def test_a_failure_of_the_outer_workflow_leaves_the_module_alone(outer):
    outer.write("Snakefile", OUTER.replace('    input: "a b/results/summary.csv"\n', "").replace("cp", "false"))
    failed = outer.snakemake(check=False)
    assert failed.returncode != 0
    assert "measured" not in failed.stdout and "What failed" not in failed.stdout
    assert not (outer.folder / "a b/results").exists()


@pytest.mark.slow
def test_what_a_killed_workflow_started_for_a_module_ends(checkout, outer):
    """Its kernel, which never ends, and its warm workers."""
    for name in ("endless.cu", "endless.py"):
        checkout.write(f"kernels/bfs/{name}", (checkouts.PLANTED / name).read_text())
    outer.write("tiny.yaml", "title: Endless\nruns: [{graphs: [own], algorithms: [bfs/endless]}]\n")
    running = outer.start("w_all", "--cores", "1", "--resources", "gpu=1")
    output = ""
    while running.poll() is None and not output.endswith("run: bfs/endless b64 on own\n"):
        output += running.stdout.readline()
    assert len(outer.processes()) > 1, output
    running.kill()
    assert outer.ended(), output
    assert outer.jobs("w_all")["w_measure_run"] > 0  # nothing is locked


def test_two_modules_of_one_workflow_differ_in_folder_and_settings(outer):
    other = 'config["warpath"] | {"prefix": "b", "study": "two.yaml", "catalogues": ["two-graphs.yaml"]}'
    second = OUTER.partition("module")[2].replace("warpath:", "two:", 1).replace("a b", "b").replace("w_", "v_")
    second = second.replace('config["warpath"]', other).replace("from warpath", "from two")
    outer.write("Snakefile", f"{OUTER}\nmodule{second}")
    outer.write("tiny.yaml", f"title: A tiny study\n{RUNS}".replace("own, ", ""))
    outer.write("two.yaml", "title: Two\nruns: [{graphs: [star], algorithms: [bfs/level], launches: {block: 64}}]\n")
    outer.write("two-graphs.yaml", "star: {generator: {kind: star, vertices: 5}}\n")
    _, output = outer.dry_run("w_all", "v_all")
    records = re.findall(r"Missing output files: ([ab ]+)/results/runs/(\w+)/bfs/level/b64.json", output)
    assert sorted(records) == [("a b", "rome99"), ("b", "star")]


@pytest.mark.slow
@pytest.mark.parametrize("called", ["Snakefile", "workflow/Snakefile", "module"])
def test_wherever_it_is_called_from_one_failure_stops_nothing_and_alone_is_repeated(checkout, outer, called):
    """In another folder, which gets the results and may have settings of its own."""
    outer.write(
        "Snakefile",
        f"configfile: 'config/config.yaml'\n\n{MODULE}    config: config\n\nuse rule * from warpath as w_*\n",
    )
    if called == "module":
        outer.write("config/config.yaml", "study: tiny.yaml\ndevice: host\ncatalogues: [tiny-graphs.yaml]\n")
    else:
        outer.remove("config/config.yaml")  # the settings of the repository are used
    outer.write(
        "tiny.yaml", "title: Tiny\nruns: [{graphs: [own], algorithms: [bfs/spy], launches: {block: [64, 128]}}]\n"
    )
    shutil.copy(checkouts.ROOT / "tests/slurm/spy.py", checkout.folder / "kernels/bfs")
    shutil.copy(checkouts.ROOT / "Snakefile", checkout.folder)
    outer.write("seconds", "0")
    outer.write("broken", "64")
    given = ["--directory", str(outer.folder), "--snakefile", str(checkout.folder / called)]
    starter, arguments = (outer, ["w_all"]) if called == "module" else (checkout, given)
    failed = starter.snakemake(*arguments, check=False)
    assert failed.returncode != 0
    assert sorted(outer.summary()["status"]) == ["failed", "ok"], failed.stdout
    assert ("no profile was found: a job that is killed" in failed.stdout) == (called == "module")
    assert not (checkout.folder / "results").exists()
    outer.remove("broken")
    assert sum(count for rule, count in starter.jobs(*arguments).items() if rule.endswith("measure_run")) == 1
    if called != "module":
        outer.write("config/config.yaml", "study: singh2017\ndevice: host\n")
        assert "graph: singh-5" in starter.dry_run(*arguments)[1]


def test_a_file_is_the_users_own_before_that_of_the_repository(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "home", None)
    monkeypatch.chdir(tmp_path)
    assert places.configured("config/graphs.yaml") == str(places.ROOT / "config/graphs.yaml")
    assert places.configured("config/other.yaml") == "config/other.yaml"
    (tmp_path / "config").mkdir()
    (tmp_path / "config/graphs.yaml").touch()
    assert places.configured("config/graphs.yaml") == "config/graphs.yaml"
    assert (
        tmp_path / places.data("resources/bundled/rome99.gr")
    ).resolve() == places.ROOT / "resources/bundled/rome99.gr"
    monkeypatch.setattr(places, "home", "/home")
    assert (places.data("own.txt"), places.data("/own.txt")) == ("/home/own.txt", "/own.txt")
