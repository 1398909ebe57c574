"""Whether two runs were measured with the same code of their algorithm: kernels, headers and host loop.

Records have the hash of each file. Of published tables only the commit is known, and git says what changed between two.
"""

import functools
import re
from pathlib import Path

from warpath.algorithms import discovery
from warpath.results.comparisons.sides import git
from warpath.runs import provenance

SAME, CHANGED, UNKNOWN = "same", "changed", "unknown"


def same(key, before, after, first, second):
    """SAME, CHANGED or UNKNOWN for a run; `first` and `second` are its rows in the two summaries."""
    if key in before.hashes and key in after.hashes:
        return SAME if _equal(key[0], before.hashes[key], after.hashes[key]) else CHANGED
    changed = _changed(first["commit"], second["commit"])
    files = _files(key[0])
    if changed is None or not files:
        return UNKNOWN
    return CHANGED if changed & files else SAME


def _equal(algorithm, first, second):
    """Whether files with these hashes are the same, or kernels/unchanged.tsv declares that they compile to the same."""
    if first == second:
        return True
    return provenance.declared(algorithm, first, second) or provenance.declared(algorithm, second, first)


def _changed(first, second):
    """The files of kernels that differ between two commits; None if git cannot say, as for uncommitted changes."""
    if not (_is_commit(first) and _is_commit(second)):
        return None
    return frozenset() if first == second else _difference(first, second)


def _is_commit(value):
    """Whether this is a hash: a table may come from anybody, and git takes other words for options."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]+", value) is not None


@functools.cache
def _difference(first, second):
    kernels = str(discovery.KERNELS)
    listed = git(
        "-C", kernels, "diff", "--name-only", "--relative", f"{first}^{{commit}}", f"{second}^{{commit}}", "--", "."
    )
    return None if listed is None else frozenset(listed.decode().splitlines())


@functools.cache
def _files(algorithm):
    """The algorithm's files of today, relative to the folder of kernels; empty if it is gone."""
    described = discovery.find().get(algorithm)
    found = discovery.code_files(described) if described else []
    return frozenset(str(Path(file).relative_to(discovery.KERNELS)) for file in found)
