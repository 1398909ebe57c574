"""A copy of a graph on the node's own disk, where WARPATH_SCRATCH names a folder: many jobs then read it from there."""

import os
import shutil
from pathlib import Path

from warpath.foundation.files import atomic
from warpath.graphs import csr


def local(folder):
    """The folder to read the graph from. Copies go by the digest of their content: an old one never passes for new."""
    scratch = os.environ.get("WARPATH_SCRATCH")
    if not scratch:
        return folder
    copy = Path(scratch, csr.metadata(folder)["digest"])
    for name in (csr.EDGES, csr.VERTICES):  # the vertices last, as in a conversion: until then it is no graph
        if not (copy / name).exists():
            with atomic(copy / name) as temporary:
                shutil.copyfile(Path(folder, name), temporary)
    return copy
