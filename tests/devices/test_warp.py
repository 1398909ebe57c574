"""Warp intrinsics against a simple model, lane by lane."""

from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
ALL = 0xFFFFFFFF
MASKS = [ALL, 0x0000FFFF, 0xAAAAAAAA, 0x80000001]
BLOCKS = [1, 31, 32, 33, 96, 1024]
UNTOUCHED = -77


def groups(mask, block):
    """Return the threads of each warp that exist and are in the mask, by lane."""
    warps = [range(first, min(first + 32, block)) for first in range(0, block, 32)]
    return [{thread % 32: thread for thread in warp if mask >> thread % 32 & 1} for warp in warps]


def signed(bits):
    return bits - 2**32 if bits >> 31 else bits


@pytest.fixture
def check(device):
    """Launch a kernel and compare each output, thread by thread; None stands for an undefined value."""

    def check(kernel, block, arguments, *expected):
        outputs = [device.put(np.full(block, UNTOUCHED, kind)) for kind, _ in expected]
        arguments = [device.put(each) if isinstance(each, np.ndarray) else each for each in arguments]
        kernel[1, block](*arguments, *outputs)
        for output, (_, values) in zip(outputs, expected, strict=True):
            for thread, value in enumerate(device.get(output).tolist()):
                right = values.get(thread, UNTOUCHED)
                assert right is None or value == right, f"thread {thread}: {value}, not {right}"

    return check


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("argument", "width"), [(1, 32), (5, 8), (3, 4), (16, 32), (0, 16), (31, 32)])
def test_shuffles(device, random, check, mask, block, argument, width):
    (shuffle,) = device.kernels(HERE / "warp", "shuffle")
    values = random.integers(-1000, 1000, block, dtype=np.int32)

    def start(lane):
        return lane - lane % width

    def inside(lane, read):
        return read if start(lane) <= read < start(lane) + width else lane

    def shuffled(source, factor=1):
        """The value of lane `source(lane)`, undefined where that lane is not in the mask."""
        return {
            thread: factor * int(values[lanes[source(lane)]]) if source(lane) in lanes else None
            for lanes in groups(mask, block)
            for lane, thread in lanes.items()
        }

    sources = [
        lambda lane: start(lane) + argument % width,
        lambda lane: inside(lane, lane - argument),
        lambda lane: inside(lane, lane + argument),
        lambda lane: lane ^ argument if lane ^ argument < start(lane) + width else lane,
    ]
    expected = [(np.int32, shuffled(source)) for source in sources]
    check(shuffle, block, [mask, argument, width, values], *expected, (np.int64, shuffled(sources[0], 10**10)))


def test_shuffles_of_floating_point(device, random):
    (shuffle,) = device.kernels(HERE / "warp", "shuffle_floats")
    floats, doubles = random.random(32).astype(np.float32), random.random(32)
    out, out_doubles = device.put(np.zeros(32, np.float32)), device.put(np.zeros(32))
    shuffle[1, 32](device.put(floats), device.put(doubles), out, out_doubles)
    lanes = np.arange(32)
    assert np.array_equal(device.get(out), floats[lanes ^ 1])
    assert np.array_equal(device.get(out_doubles), doubles[np.where(lanes + 3 < 32, lanes + 3, lanes)])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_votes(device, random, check, mask, block, share):
    (vote,) = device.kernels(HERE / "warp", "vote")
    choices = (random.random(block) < share).astype(np.int32)
    ballots, any_, all_ = {}, {}, {}
    for lanes in groups(mask, block):
        chosen = [lane for lane, thread in lanes.items() if choices[thread]]
        for thread in lanes.values():
            ballots[thread] = signed(sum(1 << lane for lane in chosen))
            any_[thread], all_[thread] = len(chosen) > 0, len(chosen) == len(lanes)
    check(vote, block, [mask, choices], (np.int32, ballots), (np.int32, any_), (np.int32, all_))


def test_lanes_diverge_and_reconverge(device):
    (diverge,) = device.kernels(HERE / "warp", "diverge")
    sums = device.put(np.zeros(64, np.int32))
    diverge[1, 64](sums)
    lane = np.arange(32)
    alone = np.where(lane % 2, 5 * ((lane ^ 2) + 16), 3 * (lane ^ 4))
    assert device.get(sums).tolist() == [*(alone + alone[31])] * 2


def test_lanes_leave_one_by_one(device):
    (leave,) = device.kernels(HERE / "warp", "leave")
    ballots = device.put(np.zeros((64, 32), np.uint32))
    leave[1, 64](ballots)
    thirds = sum(1 << lane for lane in range(0, 32, 3))
    for lane in range(32):
        expected = [thirds & (ALL << round) & ALL if round <= lane else 0 for round in range(32)]
        assert device.get(ballots)[[lane, lane + 32]].tolist() == [expected, expected]


@pytest.mark.parametrize("block", [32, 96, 1024])
def test_a_warp_barrier_orders_shared_memory(device, block):
    (pass_on,) = device.kernels(HERE / "warp", "pass_on")
    values = np.arange(block, dtype=np.int32)
    there = device.put(values)
    pass_on[1, block](there)
    assert np.array_equal(device.get(there), np.roll(values.reshape(-1, 32), -1, axis=1).ravel())


@pytest.mark.parametrize("mask", MASKS)
def test_match(device, random, check, mask):
    (match,) = device.kernels(HERE / "warp", "match")
    values = random.integers(0, 4, 64, dtype=np.int32)
    same = {}
    for lanes in groups(mask, 64):
        for thread in lanes.values():
            same[thread] = signed(sum(1 << lane for lane, other in lanes.items() if values[other] == values[thread]))
    check(match, 64, [mask, values, values.astype(np.int64) << 33], (np.int32, same), (np.int32, same))


def test_sums_over_the_lanes_before(device, random):
    (scan,) = device.kernels(HERE / "warp", "scan")
    values = random.integers(0, 2**32, 96, dtype=np.uint32)
    sums = device.put(np.zeros(96, np.uint32))
    scan[1, 96](device.put(values), sums)
    assert np.array_equal(device.get(sums), values.reshape(3, 32).cumsum(axis=1, dtype=np.uint32).ravel())


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("block", BLOCKS)
def test_reductions(device, random, check, mask, block):
    (reduce,) = device.kernels(HERE / "warp_reduce", "reduce")
    values = random.integers(-(2**31), 2**31, block, dtype=np.int64).astype(np.int32)
    expected = []
    for function, seen in [
        *((each, values) for each in (np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)),
        (np.maximum, values.view(np.uint32)),
    ]:
        reduced = {}
        for lanes in groups(mask, block):
            result = function.reduce(seen[list(lanes.values())], dtype=seen.dtype) if lanes else 0
            reduced |= dict.fromkeys(lanes.values(), signed(int(result) & ALL))
        expected.append((np.int32, reduced))
    check(reduce, block, [mask, values], *expected)
