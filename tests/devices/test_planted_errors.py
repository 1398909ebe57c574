"""Planted errors are caught by AddressSanitizer or UndefinedBehaviorSanitizer; their correct twins pass."""

from pathlib import Path

import pytest
import sanitizers

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


def run(at, *names):
    return sanitizers.run(Path(__file__).with_name("planted.py"), at, *names)


@pytest.mark.parametrize("name", CAUGHT)
def test_a_planted_error_is_caught(name):
    ran = run(1, name)
    assert ran.returncode != 0
    assert CAUGHT[name] in ran.stderr
    assert "planted.cu:" in ran.stderr


def test_their_correct_twins_pass():
    ran = run(0, *CAUGHT)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == list(CAUGHT)
