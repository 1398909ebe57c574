"""Copies of graphs on the node's own disk, in the folder that WARPATH_SCRATCH names; its jobs read them from there."""

import os
import shutil
from pathlib import Path

from warpath.base.files import atomic
from warpath.graphs import csr


def local(folder):
    """Return the folder to read the graph from. A copy is named by the digest of its content, so it is never stale."""
    scratch = os.environ.get("WARPATH_SCRATCH")
    if not scratch:
        return folder
    copy = Path(scratch, csr.metadata(folder)["digest"])
    for name in (csr.EDGES, csr.VERTICES):  # the vertices last: without them the folder does not load as a graph
        if not (copy / name).exists():
            with atomic(copy / name) as temporary:
                shutil.copyfile(Path(folder, name), temporary)
    return copy
