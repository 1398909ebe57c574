"""The commit that the repository is at, found out by git in the background."""

import contextlib
import re
import subprocess
from pathlib import Path

COMMIT = re.compile(r"^# branch\.oid ([0-9a-f]{12})", re.M)
DIFFERENCE = re.compile(r"^[^#?]|^\? \"?(.*/)?(kernels|workflow)/", re.M)  # a changed file, or untracked code
DIRTY = "-dirty"  # ends the commit of a checkout with changes

# No run reads these, and in a fresh clone git reads every file again that it compares, for 30 ms.
WITHOUT = [":(top)", ":(top,exclude)docs", ":(top,exclude)tests"]


def ask(directory=Path(__file__).parent):
    """Start git, but not `git describe --dirty`, which would lock the index; None without git."""
    query = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=normal", "--", *WITHOUT]
    command = ["git", "--no-optional-locks", "-c", "status.relativePaths=false", "-C", str(directory), *query]
    with contextlib.suppress(OSError):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return None


def answer(git):
    """Return the commit, marked DIRTY if files differ from it or it lacks code; None outside a repository."""
    if git is None:
        return None
    try:
        output = git.communicate(timeout=5)[0]
    except subprocess.TimeoutExpired:
        git.kill()
        return None
    commit, differs = COMMIT.search(output), DIFFERENCE.search(output)
    return commit and commit[1] + (DIRTY if differs else "")
