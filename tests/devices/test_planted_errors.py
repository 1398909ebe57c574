"""Planted errors are caught by AddressSanitizer or UndefinedBehaviorSanitizer; their correct twins pass."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CAUGHT = {
    "write_global": "heap-buffer-overflow",
    "read_global": "heap-buffer-overflow",
    "static_shared": "index 64 out of bounds for type 'int [64]'",
    "dynamic_shared_memory": "use-after-poison",
    "local_array": "stack-buffer-overflow",
    "overflow": "signed integer overflow",
    "shift": "shift exponent 32 is too large",
    "divide": "division by zero",
    "misaligned": "misaligned address",
}


def run(name, at):
    library = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = {
        **os.environ,
        "WARPATH_SANITIZE": "address,undefined",
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    program = Path(__file__).with_name("planted.py")
    return subprocess.run(
        [sys.executable, str(program), name, str(at)], capture_output=True, text=True, check=False, env=environment
    )


@pytest.mark.parametrize("name", CAUGHT)
def test_a_planted_error_is_caught(name):
    ran = run(name, at=1)
    assert ran.returncode != 0
    assert CAUGHT[name] in ran.stderr
    assert "planted.cu:" in ran.stderr


@pytest.mark.parametrize("name", CAUGHT)
def test_its_correct_twin_passes(name):
    ran = run(name, at=0)
    assert ran.returncode == 0, ran.stderr
    assert "finished" in ran.stdout
