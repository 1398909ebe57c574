"""Whether two runs were measured with the same code of their algorithm: kernels, headers and host loop.

Records have the hash of each file, and since runs have keys these say whether anything but comments and layout differs.
Of published tables only the commit is known, and git says what changed between two.
"""

import functools
import re
from pathlib import Path

from warpath.algorithms import discovery
from warpath.results.comparisons.sides import git

SAME, CHANGED, UNKNOWN = "same", "changed", "unknown"


def same(run, before, after, first, second):
    """SAME, CHANGED or UNKNOWN for a run; `first` and `second` are its rows in the two summaries."""
    if run in before.code and run in after.code:
        keys, hashes = zip(before.code[run], after.code[run], strict=True)
        if hashes[0] == hashes[1] or (keys[0] and keys[0] == keys[1]):
            return SAME
        return CHANGED if all(keys) else UNKNOWN
    changed, files = _changed(first["commit"], second["commit"]), _files(run[0])
    if changed is None or not files:
        return UNKNOWN
    return CHANGED if changed & files else SAME


def in_words(table):
    """How many runs were measured with the same code on both sides."""
    found = table["code"].value_counts()
    words = {SAME: "the same in {} runs", CHANGED: "changed in {}", UNKNOWN: "unknown in {}"}
    return ", ".join(text.format(found[kind]) for kind, text in words.items() if kind in found)


@functools.cache
def _changed(first, second):
    """The files of kernels that differ between two commits; None if git cannot say, as for uncommitted changes."""
    for commit in (first, second):  # a table may come from anybody, and git takes other words for options
        if not (isinstance(commit, str) and re.fullmatch("[0-9a-f]+", commit)):
            return None
    if first == second:
        return frozenset()
    ends = f"{first}^{{commit}}", f"{second}^{{commit}}"
    listed = git("-C", str(discovery.KERNELS), "diff", "--name-only", "--relative", *ends, "--", ".")
    return None if listed is None else frozenset(listed.decode().splitlines())


@functools.cache
def _files(algorithm):
    """The algorithm's files of today, relative to the folder of kernels; empty if it is gone."""
    described = discovery.find().get(algorithm)
    found = discovery.code_files(described) if described else []
    return frozenset(str(Path(file).relative_to(discovery.KERNELS)) for file in found)
