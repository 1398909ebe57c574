"""What runs of one process share: graphs, and arrays on the device."""

import functools

import numpy as np
import pytest
from small_graphs import from_edges

from warpath.graphs import csr
from warpath.runs import kept
from warpath.runs.operand import Operand


@pytest.fixture
def stored(tmp_path):
    def write(*targets):
        csr.write(from_edges("some", [0] * len(targets), targets), tmp_path / "shared")
        return tmp_path / "shared"

    return write


def test_a_graph_is_read_once_until_its_files_change(stored):
    process, folder = kept.Kept(), stored(1, 2)
    assert process.graph(folder) is process.graph(folder)
    assert process.graph(stored(1, 2, 3)).vertices == 4


def test_arrays_of_the_current_run_stay_beyond_the_limit_and_others_go_when_room_is_needed(monkeypatch):
    monkeypatch.setattr(kept, "ON_DEVICE", 1e-12)
    process, uploads = kept.Kept(), []

    def array(name):
        process.array("graph", name, lambda: uploads.append(name) or np.ones(100))

    process.begin()
    process.device("host", 0)
    for name in "aba":
        array(name)
    assert uploads == ["a", "b"]
    process.begin()
    array("b")  # so that there is no room for a
    array("a")
    assert uploads == ["a", "b", "a"]
    assert not process.make_room()
    process.begin()
    assert process.make_room() and not process.make_room()


def test_what_is_derived_of_a_graph_is_derived_once_in_a_run():
    process, graph = kept.Kept(), from_edges("some", [0, 0], [1, 2])
    process.begin()
    device, keep = process.device("host", 0), functools.partial(process.array, "some")
    first, second = (Operand(graph, device, keep) for _ in range(2))
    derived = [each.derive("some", 3, lambda array: array.fill(7)) for each in (first, first, second)]
    assert derived[0] is derived[1] is not derived[2]
    assert derived[2].tolist() == [7, 7, 7]
