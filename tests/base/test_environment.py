"""Every environment variable that the code reads is in the table of docs/settings.md, and nothing else is."""

import re

from warpath.base import places

TABLE = places.ROOT / "docs/settings.md"
NAME = r"""["'](WARPATH_[A-Z_]+)["']"""  # of one that is read through a constant, too
READ = r"""(?:environ(?:\.\w+\(|\[)|getenv\()\s*["'](\w+)["']"""
SUFFIXES = {".py", ".smk", ".sh", ".c", ".cpp", ".hpp", ".cu", ".cuh"}


def _names(pattern, *folders):
    paths = [path for folder in folders for path in (places.ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    assert paths
    return {name for path in paths for name in re.findall(pattern, path.read_text())}


def _documented():
    rows = re.findall(r"^\| (`[A-Z][^|]*)\|", TABLE.read_text(), re.MULTILINE)
    return set(re.findall(r"`(\w+)`", "".join(rows)))


def test_every_variable_of_ours_is_documented():
    used = _names(NAME, "workflow", "kernels", "tests", "benchmarks")
    assert used == {name for name in _documented() if name.startswith("WARPATH_")}


def test_every_variable_that_the_package_reads_is_documented():
    assert _names(READ, "workflow", "kernels") - _documented() == set()
