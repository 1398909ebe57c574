"""Notice that a user's file was replaced by one with an older date, as `cp -p`, `mv`, `tar` and `wget` leave it.

Snakemake compares dates of content, and would keep the graph of the file before.
"""

import contextlib
import os
from pathlib import Path

from warpath.base.errors import UserError
from warpath.base.files import sha256


def make_due(entry, folder):
    """Date the prepared graph in `folder` before those of its files that were replaced since by other content."""
    graph = Path(folder, "vertices.parquet")
    with contextlib.suppress(OSError, UserError):  # what is absent or damaged is reported by the job that reads it
        if dates := _dates_of_replaced(entry, folder, graph.stat().st_mtime):
            os.utime(graph, (min(dates) - 1,) * 2)


def _dates_of_replaced(entry, folder, prepared):
    files = {origin.file: Path(origin.local) for origin in entry.origins if origin.local}
    suspects = {name: path for name, path in files.items() if path.stat().st_mtime <= prepared < _placed(path)}
    if not suspects:
        return []
    from warpath.graphs import csr

    sums = csr.metadata(folder)["files"]
    return [path.stat().st_mtime for name, path in suspects.items() if sha256(path) != sums.get(name)]


def _placed(path):
    """When the file, or a link to it, came to this place: a date that no program can set."""
    return max(path.stat().st_ctime, path.lstat().st_ctime)
