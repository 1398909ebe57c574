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


def run(name, at):
    return sanitizers.run(Path(__file__).with_name("planted.py"), name, at)


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
