"""A graph is copied to the node's own disk once; a changed graph is copied again."""

import numpy as np
import pytest
from small_graphs import from_edges

from warpath.base.errors import Damaged
from warpath.graphs import csr
from warpath.runs import scratch


@pytest.fixture
def stored(tmp_path):
    def write(*targets):
        csr.write(from_edges("some", [0] * len(targets), targets), tmp_path / "shared")
        return tmp_path / "shared"

    return write


def test_without_the_variable_the_shared_files_are_read(stored, monkeypatch):
    monkeypatch.delenv("WARPATH_SCRATCH", raising=False)
    assert scratch.local(stored(1, 2)) == stored(1, 2)


def test_a_copy_is_made_once_and_another_graph_gets_its_own(stored, tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_SCRATCH", str(tmp_path / "node"))
    first = scratch.local(stored(1, 2))
    dates = {path: path.stat().st_mtime_ns for path in first.iterdir()}
    assert scratch.local(stored(1, 2)) == first
    assert {path: path.stat().st_mtime_ns for path in first.iterdir()} == dates
    assert np.array_equal(csr.read(first).targets, csr.read(tmp_path / "shared").targets)

    second = scratch.local(stored(1, 2, 3))
    assert second != first
    assert csr.read(second).vertices == 4


@pytest.mark.parametrize("name", [csr.VERTICES, csr.EDGES])
def test_a_damaged_copy_is_replaced(stored, tmp_path, monkeypatch, name):
    monkeypatch.setenv("WARPATH_SCRATCH", str(tmp_path / "node"))
    copy = scratch.local(stored(1, 2))
    (copy / name).write_bytes(b"")
    with pytest.raises(Damaged):
        csr.read(copy)
    assert csr.read(scratch.local(tmp_path / "shared")).vertices == 3
