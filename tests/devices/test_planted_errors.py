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


@pytest.mark.parametrize(("at", "is_caught"), [(1, True), (0, False)], ids=["planted errors", "correct twins"])
def test_errors_are_caught_and_nothing_else(tmp_path, at, is_caught):
    ran = sanitizers.run(Path(__file__).with_name("planted.py"), tmp_path, at, *CAUGHT)
    assert ran.returncode == 0, ran.stderr
    ended = dict(line.split() for line in ran.stdout.splitlines())
    assert {name: status != "0" for name, status in ended.items()} == dict.fromkeys(CAUGHT, is_caught)
    for name, report in CAUGHT.items():
        written = (tmp_path / name).read_text()
        assert (report in written, "planted.cu:" in written) == (is_caught, is_caught), written
