from pathlib import Path

import numpy as np
import pytest

from warpath.devices import nvrtc
from warpath.devices.errors import KernelFault

BLOCKS = [1, 31, 33, 256, 1024]


@pytest.mark.parametrize("block", BLOCKS)
def test_barriers_in_a_loop(kernel, launch, block):
    values = np.arange(5 * block, dtype=np.int32)
    reversed_values = launch(kernel("barriers", "reverse"), (5, block), 7, values)
    assert np.array_equal(reversed_values, values.reshape(5, block)[:, ::-1].ravel() + 7)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_votes_of_a_block(kernel, launch, random, block, share):
    choices = (random.random((4, block)) < share).astype(np.int32)
    unset = np.full(choices.shape, -1, np.int32)
    _, count, any_, all_ = launch(kernel("barriers", "vote"), (4, block), choices, unset, unset, unset)
    assert (count == choices.sum(axis=1, keepdims=True)).all()
    assert ((any_ != 0) == choices.any(axis=1, keepdims=True)).all()
    assert ((all_ != 0) == choices.all(axis=1, keepdims=True)).all()


@pytest.mark.parametrize("block", [2, 33, 100])
def test_barriers_do_not_wait_for_threads_that_have_ended(kernel, launch, block):
    present = launch(kernel("barriers", "shrink"), (1, block), block, np.zeros(block, np.int32))
    assert present.tolist() == list(range(block, 0, -1))


@pytest.mark.parametrize("block", [1, 33, 128])
def test_blocks_meet_at_a_grid_barrier(device, kernel, block):
    gather = kernel("barriers", "gather")
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
def test_sums_over_the_threads_before(kernel, launch, random, block):
    values = random.integers(0, 1000, (3, block), dtype=np.uint32)
    zeros = np.zeros_like(values), np.zeros(3, np.uint32)
    _, before, totals = launch(kernel("barriers", "scan"), (3, block), values, *zeros)
    assert np.array_equal(before, 2 * (values.cumsum(axis=1) - values))
    assert np.array_equal(totals, values.sum(axis=1))


def test_cooperative_groups(device, kernel, launch, random):
    if device.kind == "cuda" and not any((folder / "nv" / "target").exists() for folder in nvrtc.newest().headers):
        pytest.skip("cooperative_groups.h needs nv/target of the package nvidia-cuda-cccl in requirements/cupy-*.txt")
    values = random.integers(-99, 99, 4 * 96, dtype=np.int32)
    zeros = np.zeros(4, np.int32), np.zeros(1, np.int32)
    *_, grand_total = launch(kernel("groups", "total").cooperative, (4, 96), values, *zeros)
    assert grand_total.tolist() == [values.sum()]


# ---- gates that count wrongly: a GPU would wait without end, or crash, where the host device names the mistake

BYTES = 64 * 4


def copied(host, shift, expected_bytes, late):
    (copy,) = host.kernels(Path(__file__).with_name("gates.py"), "copy_through_gate")
    words = np.zeros(128 + 4, np.uint32)
    words = words[-words.ctypes.data // 4 % 4 :]  # from a multiple of 16 bytes on
    words[:] = np.arange(len(words))
    target = np.zeros(64, np.uint32)
    copy[1, 64](shift, expected_bytes, late, words, target)
    return target


def test_a_block_awaits_what_one_thread_copies(host):
    np.testing.assert_array_equal(copied(host, 4, BYTES, 0), np.arange(4, 68))


@pytest.mark.parametrize(
    ("shift", "expected_bytes", "late", "message"),
    [
        (0, BYTES // 2, 0, "a gate expects other bytes than were copied"),
        (1, BYTES, 0, "a bulk copy does not begin or end at a multiple of 16 bytes"),
        (0, BYTES, 1, "a gate is more than a round ahead of a thread that awaits it"),
    ],
)
def test_a_gate_that_counts_wrongly_is_a_fault(host, shift, expected_bytes, late, message):
    with pytest.raises(KernelFault, match=message):
        copied(host, shift, expected_bytes, late)
