"""Warp intrinsics against a simple model, lane by lane."""

from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
ALL = 0xFFFFFFFF
MASKS = [ALL, 0x0000FFFF, 0xAAAAAAAA, 0x80000001]
BLOCKS = [1, 31, 32, 33, 96, 1024]
UNTOUCHED = -77


def members(mask, block, warp):
    """Return the lanes of the warp that exist and are in the mask."""
    return [lane for lane in range(min(32, block - 32 * warp)) if mask >> lane & 1]


def warps(mask, block):
    return [(32 * warp, members(mask, block, warp)) for warp in range(-(-block // 32))]


def shuffled(values, mask, block, source):
    """Return by thread the value of lane `source(lane)`, or None, undefined, where that lane is not in the mask."""
    expected = {}
    for first, lanes in warps(mask, block):
        for lane in lanes:
            read = source(lane)
            expected[first + lane] = values[first + read] if read in lanes else None
    return expected


def assert_lanes(array, expected):
    for lane, value in enumerate(array.tolist()):
        right = expected.get(lane, UNTOUCHED)
        assert right is None or value == right, f"lane {lane}: {value}, not {right}"


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("argument", "width"), [(1, 32), (5, 8), (3, 4), (16, 32), (0, 16), (31, 32)])
def test_shuffles(device, random, mask, block, argument, width):
    (shuffle,) = device.kernels(HERE / "warp", "shuffle")
    values = random.integers(-1000, 1000, block, dtype=np.int32)
    out = [device.put(np.full(block, UNTOUCHED, np.int32)) for _ in range(4)]
    wide = device.put(np.full(block, UNTOUCHED, np.int64))
    shuffle[1, block](mask, argument, width, device.put(values), *out, wide)

    def start(lane):
        return lane - lane % width

    def inside(lane, read):
        return read if start(lane) <= read < start(lane) + width else lane

    sources = [
        lambda lane: start(lane) + argument % width,
        lambda lane: inside(lane, lane - argument),
        lambda lane: inside(lane, lane + argument),
        lambda lane: lane ^ argument if lane ^ argument < start(lane) + width else lane,
    ]
    for array, source in zip(out, sources, strict=True):
        assert_lanes(device.get(array), shuffled(values.tolist(), mask, block, source))
    widened = [10**10 * value for value in values.tolist()]
    assert_lanes(device.get(wide), shuffled(widened, mask, block, sources[0]))


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
def test_votes(device, random, mask, block, share):
    (vote,) = device.kernels(HERE / "warp", "vote")
    choices = (random.random(block) < share).astype(np.int32)
    out = [device.put(np.full(block, UNTOUCHED, np.int32)) for _ in range(3)]
    vote[1, block](mask, device.put(choices), *out)
    ballots, any_, all_ = {}, {}, {}
    for first, lanes in warps(mask, block):
        chosen = [lane for lane in lanes if choices[first + lane]]
        ballot = np.uint32(sum(1 << lane for lane in chosen)).view(np.int32)
        for lane in lanes:
            ballots[first + lane] = int(ballot)
            any_[first + lane] = int(len(chosen) > 0)
            all_[first + lane] = int(len(chosen) == len(lanes))
    for array, expected in zip(out, (ballots, any_, all_), strict=True):
        assert_lanes(device.get(array), expected)


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
def test_match(device, random, mask):
    (match,) = device.kernels(HERE / "warp", "match")
    values = random.integers(0, 4, 64, dtype=np.int32)
    wide = values.astype(np.int64) << 33
    same, same_wide = (device.put(np.full(64, UNTOUCHED, np.int32)) for _ in range(2))
    match[1, 64](mask, device.put(values), same, device.put(wide), same_wide)
    expected = {}
    for first, lanes in warps(mask, 64):
        for lane in lanes:
            bits = sum(1 << other for other in lanes if values[first + other] == values[first + lane])
            expected[first + lane] = int(np.uint32(bits).view(np.int32))
    assert_lanes(device.get(same), expected)
    assert_lanes(device.get(same_wide), expected)


def test_sums_over_the_lanes_before(device, random):
    (scan,) = device.kernels(HERE / "warp", "scan")
    values = random.integers(0, 2**32, 96, dtype=np.uint32)
    sums = device.put(np.zeros(96, np.uint32))
    scan[1, 96](device.put(values), sums)
    assert np.array_equal(device.get(sums), values.reshape(3, 32).cumsum(axis=1, dtype=np.uint32).ravel())


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("block", BLOCKS)
def test_reductions(device, random, mask, block):
    (reduce,) = device.kernels(HERE / "warp_reduce", "reduce")
    values = random.integers(-(2**31), 2**31, block, dtype=np.int64).astype(np.int32)
    out = [device.put(np.full(block, UNTOUCHED, np.int32)) for _ in range(7)]
    reduce[1, block](mask, device.put(values), *out)
    functions = [np.add, np.minimum, np.maximum, np.bitwise_and, np.bitwise_or, np.bitwise_xor]
    for array, function in zip(out, [*functions, np.maximum], strict=True):
        seen = values.view(np.uint32) if array is out[-1] else values
        expected = {}
        for first, lanes in warps(mask, block):
            for lane in lanes:
                reduced = function.reduce(seen[[first + other for other in lanes]], dtype=seen.dtype)
                expected[first + lane] = int(reduced.astype(np.uint32).view(np.int32))
        assert_lanes(device.get(array), expected)
