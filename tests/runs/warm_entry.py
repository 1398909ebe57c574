"""Commands as a workflow's server has them, except that the host device has residents too, as a GPU has."""

from warpath.cli import main  # noqa: F401
from warpath.runs import child

AHEAD = ["warpath.runs.experiment"]
child.RESIDENT = {"cuda", "host"}
