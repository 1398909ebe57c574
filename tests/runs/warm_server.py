"""The server of workers as a workflow has it, except that the host device has residents too, as a GPU has."""

import sys

from warpath import cli
from warpath.runs import child
from warpath.warm import server

child.RESIDENT = {"cuda", "host"}
server.serve(int(sys.argv[1]), cli.main, ["warpath.runs.experiment"])
