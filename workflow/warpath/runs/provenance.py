"""Which code files a run was measured with, and edits of them after which the measurement still holds.

An edited comment, or code moved into a header, changes the files but not the machine code. kernels/unchanged.tsv
declares such edits: a line states that an algorithm's files with the digest `before` and those with the digest `after`
compile to the same machine code, and the evidence. Runs that were measured before the edit are not measured again.
"""

import csv
import functools
import hashlib
import os
import re
from typing import NamedTuple

from warpath.algorithms import discovery
from warpath.foundation.files import sha256

TABLE = discovery.KERNELS / "unchanged.tsv"
HASHES = re.compile(r"\['[0-9a-f]{64}'(, '[0-9a-f]{64}')*\]")


class Kernel(NamedTuple):
    """An algorithm's code files, and the hash of each in the order of `discovery.code_files`."""

    files: list
    hashes: list


def digest(files):
    """16 hex digits for what is in these files, in this order; their paths do not matter."""
    return _digest(map(sha256, files))


def kernel(run, metadata):
    """What Snakemake compares to decide whether to measure a run again.

    `metadata()` is what Snakemake recorded when it was measured, or None. The answer is the recorded files as long as
    the table leads from them to those of today; else it is those of today.
    """
    files = run.kernel_files
    current = Kernel(files, [_content(file) for file in files])
    earlier = _leading_to(run.id, _digest(current.hashes))
    if not earlier:
        return current
    recorded = _recorded(metadata())
    usable = _digest(recorded.hashes) in earlier and all(map(os.path.exists, recorded.files))
    return recorded if usable else current


def _recorded(metadata):
    """The code files in Snakemake's metadata of a run, by what inputs and params look like; empty without metadata."""
    files = [path for path in (metadata and metadata.input) or [] if not path.endswith(".parquet")]
    lists = [text for text in (metadata and metadata.params) or [] if HASHES.fullmatch(text)]
    return Kernel(files, re.findall("[0-9a-f]{64}", lists[0]) if lists else [])


@functools.cache
def _leading_to(algorithm, after):
    """The digests of this algorithm's earlier files from which lines of the table lead to the digest `after`."""
    found, queue = set(), [after]
    while queue:
        known = queue.pop()
        earlier = {line["before"] for line in _table() if (line["algorithm"], line["after"]) == (algorithm, known)}
        queue.extend(earlier - found - {after})
        found |= earlier
    return found


@functools.cache
def _table():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _digest(hashes):
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


_content = functools.cache(sha256)
