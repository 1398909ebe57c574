"""Notice that a user's file was replaced by one with an older date, as `cp -p`, `mv`, `tar` and `wget` leave it.

Snakemake compares dates of content, and would keep the graph of the file before.
"""

import contextlib
from pathlib import Path

from warpath.base.errors import UserError
from warpath.base.files import sha256


def has_other_files(entry, folder, outcome):
    """Whether a file of the graph in `folder`, prepared when the file `outcome` was written, has other content now."""
    files = {origin.file: Path(origin.local) for origin in entry.origins if origin.local}
    with contextlib.suppress(OSError, UserError):  # what is absent or damaged is reported by the job that reads it
        prepared = Path(outcome).stat().st_mtime if files else 0
        suspects = {name: path for name, path in files.items() if path.stat().st_mtime <= prepared < _placed(path)}
        if suspects:
            from warpath.graphs import csr

            sums = csr.metadata(folder)["files"]
            return any(sha256(path) != sums.get(name) for name, path in suspects.items())
    return False


def _placed(path):
    """When the file, or a link to it, came to this place: a date that no program can set."""
    return max(path.stat().st_ctime, path.lstat().st_ctime)
