"""The server of a workflow: `python -m warpath.warm WORKFLOW ENTRY`."""

import sys

from warpath.warm import server

if __name__ == "__main__":
    server.serve(int(sys.argv[1]), sys.argv[2])
