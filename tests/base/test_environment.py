"""Every environment variable that the code reads is in the table of docs/settings.md; a wrong value is one line."""

import os
import re
from pathlib import Path

import pytest

from warpath import cli
from warpath.base import places, processor

TABLE = places.ROOT / "docs/settings.md"
NAME = r"""["'](WARPATH_[A-Z_]+)["']"""  # of one that is read through a constant, too
READ = r"""(?:environ(?:\.\w+\(|\[)|getenv\()\s*["'](\w+)["']"""
RESULTS = "a folder that can be written to, without braces, control characters or names of more than 255 bytes"
SUFFIXES = {".py", ".smk", ".sh", ".c", ".cpp", ".hpp", ".cu", ".cuh"}


def _names(pattern, *folders):
    paths = [path for folder in folders for path in (places.ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert paths
    return {name for path in paths for name in re.findall(pattern, path.read_text())}


def test_every_variable_of_ours_and_every_other_that_the_package_reads_is_documented():
    rows = re.findall(r"^\| (`[A-Z][^|]*)\|", TABLE.read_text(), re.MULTILINE)
    documented = set(re.findall(r"`(\w+)`", "".join(rows)))
    used = _names(NAME, "workflow", "kernels", "tests", "benchmarks")
    assert used == {name for name in documented if name.startswith("WARPATH_")}
    assert _names(READ, "workflow", "kernels") - documented == set()


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("WARPATH_THREADS", "0", "a number of cores, 1 or more"),
        ("WARPATH_THREADS", "-2", "a number of cores, 1 or more"),
        ("WARPATH_DEVICE", "gpu", "cuda or host"),
        ("WARPATH_LOCKS", "/no/such/folder", "a folder that exists"),
        ("WARPATH_CACHE", __file__, "a folder that can be written to"),
        ("WARPATH_CACHE", "unwritable/cache", "a folder that can be written to"),
        ("WARPATH_CACHE", "a" * 300, "a folder that can be written to"),
        *(("WARPATH_RESULTS", value, RESULTS) for value in (f"{__file__}/deep", "a" * 300, "r-{x}")),
        ("WARPATH_SANITIZE", "address undefined", "sanitizers of g++, such as address,undefined"),
    ],
)
def test_a_wrong_value_is_one_line_at_the_start_of_every_command(tmp_path, monkeypatch, capsys, name, value, wanted):
    monkeypatch.chdir(tmp_path)
    Path("unwritable").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: "unwritable" not in str(path))  # root may write everywhere
    monkeypatch.setenv(name, value)
    assert cli.main(["graphs"]) == 2
    assert capsys.readouterr().err == f"warpath: {name} is '{value}'; it must be {wanted}\n"


def test_an_empty_value_is_none(monkeypatch):
    monkeypatch.setenv("WARPATH_THREADS", "")
    assert processor.cores() >= 1


def test_the_processor_is_told_by_more_than_its_name(monkeypatch):
    monkeypatch.setattr(processor, "_cpuinfo", lambda: {"model name": "Xeon", "cpu family": "6", "model": "143"})
    assert re.fullmatch(r"Xeon, family 6, model 143(, \d+ MB of cache)?", processor.description())
