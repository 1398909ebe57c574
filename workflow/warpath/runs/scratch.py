"""Copies of graphs on the node's own disk, in the folder that WARPATH_SCRATCH names; its jobs read them from there."""

import shutil
from pathlib import Path

from warpath.base import variables
from warpath.base.files import atomic
from warpath.graphs import csr


def local(folder):
    """Return the folder to read the graph from. A copy is named by the digest of its content, so it is never stale."""
    scratch = variables.value("WARPATH_SCRATCH")
    if not scratch:
        return folder
    copy = Path(scratch, csr.metadata(folder)["digest"])
    for file in csr.files(folder):
        own = copy / file.relative_to(folder)
        if not own.exists():
            with atomic(own) as temporary:
                shutil.copyfile(file, temporary)
    return copy
