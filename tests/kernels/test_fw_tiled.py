"""fw_tiled as a GPU before sm_90 does it, panels that catch up or wait, and what the host notices of a wrong count."""

import numpy as np
import pytest
import tiny_graphs
import trial

from warpath.algorithms import discovery
from warpath.devices.errors import KernelFault
from warpath.runs import oracle

TILED = discovery.KERNELS / "apsp" / "fw_tiled.py"
GATE = discovery.KERNELS / "include" / "gate.cuh"
GRAPH = tiny_graphs.random(300, 900, directed=True, seed=6)


@pytest.fixture
def edited(tmp_path):
    """fw_tiled with an edit of its kernel or of the gates."""

    def made(file, found, instead):
        folder = tmp_path / "apsp"
        folder.mkdir()
        for source in (TILED, TILED.with_suffix(".cu"), GATE):
            text = source.read_text()
            if source.name == file:
                assert text.count(found) == 1
                text = text.replace(found, instead)
            (folder / source.name).write_text(text)
        return discovery.named("apsp/fw_tiled", tmp_path)

    return made


@pytest.mark.parametrize("label", ["w32-t64", "w16-t128"])
def test_without_bulk_copies_a_crew_copies_row_by_row(edited, label):
    check(edited("gate.cuh", "BULK_COPIES = true", "BULK_COPIES = false"), label)


@pytest.mark.parametrize("few_tiles", ["true", "false"])
@pytest.mark.parametrize("label", ["w32-t64", "w16-t64"])
def test_panels_catch_up_or_wait_for_their_tiles(edited, label, few_tiles):
    """Nine tiles in 32 bits and six in 16, five steps of 64 vertices: which way is taken depends on the device."""
    check(edited("fw_tiled.cu", "2 * unsigned(board.tiles()) <= 3 * gridDim.x", few_tiles), label)


def check(described, label):
    solution, _ = trial.solve(described, GRAPH, label=label)
    rows, right, _ = oracle.compute(GRAPH, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance[rows], right)


@pytest.mark.parametrize(
    ("found", "instead", "message"),
    [
        ("arrive_expecting(2 * BYTES)", "arrive_expecting(BYTES)", "other bytes than were copied"),
        ("copy_bulk(shared, columns + skipped", "copy_bulk(shared, columns + skipped + 1", "multiple of 16"),
    ],
)
def test_the_host_refuses_what_a_gpu_would_wait_for_without_end(edited, found, instead, message):
    described = edited("fw_tiled.cu", found, instead)
    with pytest.raises(KernelFault, match=message):
        trial.solve(described, GRAPH)
