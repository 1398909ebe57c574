from pathlib import Path

import numpy as np
import pytest

from warpath.devices import nvrtc

HERE = Path(__file__).parent
BLOCKS = [1, 31, 33, 256, 1024]


@pytest.mark.parametrize("block", BLOCKS)
def test_barriers_in_a_loop(device, block):
    (reverse,) = device.kernels(HERE / "barriers", "reverse")
    values = np.arange(5 * block, dtype=np.int32)
    there = device.put(values)
    reverse[5, block](7, there)
    assert np.array_equal(device.get(there), values.reshape(5, block)[:, ::-1].ravel() + 7)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_votes_of_a_block(device, random, block, share):
    (vote,) = device.kernels(HERE / "barriers", "vote")
    choices = (random.random((4, block)) < share).astype(np.int32)
    count, any_, all_ = (device.put(np.full(choices.shape, -1, np.int32)) for _ in range(3))
    vote[4, block](device.put(choices), count, any_, all_)
    assert (device.get(count) == choices.sum(axis=1, keepdims=True)).all()
    assert ((device.get(any_) != 0) == choices.any(axis=1, keepdims=True)).all()
    assert ((device.get(all_) != 0) == choices.all(axis=1, keepdims=True)).all()


@pytest.mark.parametrize("block", [2, 33, 100])
def test_barriers_do_not_wait_for_threads_that_have_ended(device, block):
    (shrink,) = device.kernels(HERE / "barriers", "shrink")
    present = device.put(np.zeros(block, np.int32))
    shrink[1, block](block, present)
    assert device.get(present).tolist() == list(range(block, 0, -1))


@pytest.mark.parametrize("block", [1, 33, 128])
def test_blocks_meet_at_a_grid_barrier(device, block):
    (gather,) = device.kernels(HERE / "barriers", "gather")
    rounds, state = 20, device.put(np.zeros(1, np.uint32))
    blocks = min(gather.resident_blocks(block), 200)
    assert blocks >= 4
    for launched in (blocks, 3, 1):  # the state needs no reset, whatever the number of blocks
        sums = device.put(np.zeros((rounds + 1, launched), np.uint32))
        gather.cooperative[launched, block](rounds, state, sums)
        expected = [0]
        for _ in range(rounds):
            expected.append((1 + launched * expected[-1]) % 2**32)
        assert np.array_equal(device.get(sums), np.repeat(np.array(expected, np.uint32)[:, None], launched, axis=1))


@pytest.mark.parametrize("block", [32, 64, 256, 1024])
def test_sums_over_the_threads_before(device, random, block):
    (scan,) = device.kernels(HERE / "barriers", "scan")
    values = random.integers(0, 1000, (3, block), dtype=np.uint32)
    before, totals = device.put(np.zeros_like(values)), device.put(np.zeros(3, np.uint32))
    scan[3, block](device.put(values), before, totals)
    assert np.array_equal(device.get(before), 2 * (values.cumsum(axis=1) - values))
    assert np.array_equal(device.get(totals), values.sum(axis=1))


def test_cooperative_groups(device, random):
    if device.kind == "cuda" and not any((folder / "nv" / "target").exists() for folder in nvrtc.newest().headers):
        pytest.skip("cooperative_groups.h needs nv/target of the package nvidia-cuda-cccl in requirements/cupy-*.txt")
    (total,) = device.kernels(HERE / "groups", "total")
    values = random.integers(-99, 99, 4 * 96, dtype=np.int32)
    sums, grand_total = device.put(np.zeros(4, np.int32)), device.put(np.zeros(1, np.int32))
    total.cooperative[4, 96](device.put(values), sums, grand_total)
    assert device.get(grand_total).tolist() == [values.sum()]
