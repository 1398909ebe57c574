"""Every algorithm once under the address and undefined-behaviour sanitizers of g++."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from trial import OURS

from warpath.algorithms import problems

SCRIPT = Path(__file__).with_name("sanitize.py")


@pytest.mark.parametrize("problem", problems.PROBLEMS)
def test_nothing_to_report(problem):
    runtime = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    watched = {"LD_PRELOAD": runtime.stdout.strip(), "WARPATH_SANITIZE": "address,undefined"}
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}  # the interpreter's own
    command = [sys.executable, SCRIPT, f"{problem}/"]
    ended = subprocess.run(command, env=os.environ | watched | quiet, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    checked = [line.split()[0] for line in ended.stdout.splitlines() if line.endswith(": right")]
    assert checked == [id for id in OURS if id.startswith(f"{problem}/")]
