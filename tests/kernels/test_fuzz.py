"""Our own searches on random graphs, by every way and launch."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["bfs", "sssp"])
def test_answers_are_right(problem):
    command = [sys.executable, Path(__file__).with_name("fuzz.py"), problem, "--seconds", "30", "--vertices", "2000"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
