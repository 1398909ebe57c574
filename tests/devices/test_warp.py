"""Warp intrinsics against a simple model, lane by lane."""

import numpy as np
import pytest

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
def check(kernel, launch):
    """Launch a kernel and compare each output, thread by thread; None stands for an undefined value."""

    def check(file, name, block, arguments, *expected):
        outputs = [np.full(block, UNTOUCHED, kind) for kind, _ in expected]
        left = launch(kernel(file, name), (1, block), *arguments, *outputs)[-len(outputs) :]
        for output, (_, values) in zip(left, expected, strict=True):
            for thread, value in enumerate(output.tolist()):
                right = values.get(thread, UNTOUCHED)
                assert right is None or value == right, f"thread {thread}: {value}, not {right}"

    return check


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("argument", "width"), [(1, 32), (5, 8), (3, 4), (16, 32), (0, 16), (31, 32)])
def test_shuffles(random, check, mask, block, argument, width):
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
    expected.append((np.int64, shuffled(sources[0], 10**10)))
    check("warp", "shuffle", block, [mask, argument, width, values], *expected)


def test_shuffles_of_floating_point(kernel, launch, random):
    floats, doubles = random.random(32).astype(np.float32), random.random(32)
    zeros = np.zeros(32, np.float32), np.zeros(32)
    *_, out, out_doubles = launch(kernel("warp", "shuffle_floats"), (1, 32), floats, doubles, *zeros)
    lanes = np.arange(32)
    assert np.array_equal(out, floats[lanes ^ 1])
    assert np.array_equal(out_doubles, doubles[np.where(lanes + 3 < 32, lanes + 3, lanes)])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_votes(random, check, mask, block, share):
    choices = (random.random(block) < share).astype(np.int32)
    ballots, any_, all_ = {}, {}, {}
    for lanes in groups(mask, block):
        chosen = [lane for lane, thread in lanes.items() if choices[thread]]
        for thread in lanes.values():
            ballots[thread] = signed(sum(1 << lane for lane in chosen))
            any_[thread], all_[thread] = len(chosen) > 0, len(chosen) == len(lanes)
    check("warp", "vote", block, [mask, choices], (np.int32, ballots), (np.int32, any_), (np.int32, all_))


def test_lanes_diverge_and_reconverge(kernel, launch):
    sums = launch(kernel("warp", "diverge"), (1, 64), np.zeros(64, np.int32))
    lane = np.arange(32)
    alone = np.where(lane % 2, 5 * ((lane ^ 2) + 16), 3 * (lane ^ 4))
    assert sums.tolist() == [*(alone + alone[31])] * 2


def test_lanes_leave_one_by_one(kernel, launch):
    ballots = launch(kernel("warp", "leave"), (1, 64), np.zeros((64, 32), np.uint32))
    thirds = sum(1 << lane for lane in range(0, 32, 3))
    for lane in range(32):
        expected = [thirds & (ALL << round) & ALL if round <= lane else 0 for round in range(32)]
        assert ballots[[lane, lane + 32]].tolist() == [expected, expected]


@pytest.mark.parametrize("block", [32, 96, 1024])
def test_a_warp_barrier_orders_shared_memory(kernel, launch, block):
    values = np.arange(block, dtype=np.int32)
    passed_on = launch(kernel("warp", "pass_on"), (1, block), values)
    assert np.array_equal(passed_on, np.roll(values.reshape(-1, 32), -1, axis=1).ravel())


@pytest.mark.parametrize("mask", MASKS)
def test_match(random, check, mask):
    values = random.integers(0, 4, 64, dtype=np.int32)
    same = {}
    for lanes in groups(mask, 64):
        for thread in lanes.values():
            same[thread] = signed(sum(1 << lane for lane, other in lanes.items() if values[other] == values[thread]))
    check("warp", "match", 64, [mask, values, values.astype(np.int64) << 33], (np.int32, same), (np.int32, same))


def test_sums_over_the_lanes_before(kernel, launch, random):
    values = random.integers(0, 2**32, 96, dtype=np.uint32)
    _, sums = launch(kernel("warp", "scan"), (1, 96), values, np.zeros(96, np.uint32))
    assert np.array_equal(sums, values.reshape(3, 32).cumsum(axis=1, dtype=np.uint32).ravel())


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("block", BLOCKS)
def test_reductions(random, check, mask, block):
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
    check("warp_reduce", "reduce", block, [mask, values], *expected)
