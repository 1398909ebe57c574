"""fw_tiled without bulk copies, as on a GPU before sm_90, and with panels that catch up or wait for their tiles."""

import numpy as np
import pytest
import tiny_graphs
import trial

from warpath.devices import host
from warpath.runs import oracle

TILED = trial.ALGORITHMS["apsp/fw_tiled"]
GRAPH = tiny_graphs.random(300, 900, directed=True, seed=6)


@pytest.mark.parametrize("label", ["w32-t64", "w16-t128"])
def test_without_bulk_copies(monkeypatch, label):
    of_file = TILED.prepare.__globals__
    constants = of_file["constants"]
    monkeypatch.setitem(of_file, "constants", lambda *launch: constants(*launch) | {"bulk_copies": 0})
    check(label)


@pytest.mark.parametrize("blocks", [2, 8, 34])
@pytest.mark.parametrize("label", ["w32-t64", "w16-t64"])
def test_panels_wait_for_their_tiles_or_catch_up(monkeypatch, label, blocks):
    """Nine tiles in 32 bits and six in 16, five steps of 64 vertices: few tiles are three for two blocks.

    With more blocks than tiles and quarters of panels, 33 and 26, each quarter is a task.
    """
    monkeypatch.setattr(host.Kernel, "resident_blocks", lambda *_: blocks)
    check(label)


def check(label):
    solution, _ = trial.solve(TILED, GRAPH, label=label)
    rows, right, _ = oracle.compute(GRAPH, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance[rows], right)
