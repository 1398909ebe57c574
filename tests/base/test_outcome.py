"""What became of a step, and whether it is due again."""

import os

import pytest

from warpath.base import outcome


@pytest.fixture
def step(tmp_path):
    """The outcome of a step, and the file that it makes."""
    made = tmp_path / "made"
    made.touch()
    return tmp_path / "made.outcome", made


def test_a_step_that_succeeded_keeps_its_param_while_its_file_is_there(step):
    path, made = step
    assert outcome.again(path, made) == outcome.FIRST and outcome.read(path) is None
    outcome.write(path, None, "again-7")
    assert outcome.error(path) is None and outcome.again(path, made) == "again-7"
    made.unlink()
    assert outcome.again(path, made) not in (outcome.FIRST, "again-7")


def test_a_step_that_failed_is_due_after_each_failure(step):
    path, made = step
    outcome.write(path, "the disk is full")
    first = outcome.again(path, made)
    assert outcome.error(path) == "the disk is full" and first == outcome.again(path, made) != outcome.FIRST
    outcome.write(path, "the disk is full", first)
    os.utime(path, ns=(7, 7))
    assert outcome.again(path, made) not in (outcome.FIRST, first)


@pytest.mark.parametrize("text", ["", "[1]", '{"error": null}', b"\xff"])
def test_a_damaged_outcome_is_none(step, text):
    path, made = step
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert outcome.read(path) is None and outcome.error(path) is None
    assert outcome.again(path, made) != outcome.FIRST
