from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
BLOCKS, BLOCK = 64, 256


@pytest.fixture
def operands(random):
    def draw(dtype):
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, BLOCKS * BLOCK, dtype=dtype, endpoint=True)

    return draw


@pytest.mark.parametrize(
    ("name", "dtype", "operations"),
    [
        ("on_int", np.int32, 7),
        ("on_unsigned", np.uint32, 9),
        ("on_long_long", np.int64, 2),
        ("on_unsigned_long_long", np.uint64, 6),
    ],
)
def test_blocks_update_the_same_word(device, operands, name, dtype, operations):
    (kernel,) = device.kernels(HERE / "atomics", name)
    values = operands(dtype)
    before = operands(dtype)[:operations]
    before[7:] %= 7
    there = device.put(before)
    kernel[BLOCKS, BLOCK](device.put(values), there)
    reductions = (np.minimum, np.maximum, np.add, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.subtract)
    expected = [
        function(start, (np.add if function is np.subtract else function).reduce(values, dtype=dtype))
        for function, start in zip(reductions, before, strict=False)
    ]
    expected += [(start + values.size) % 7 for start in before[7:8]]  # up to 6, then 0
    expected += [(start - values.size) % 7 for start in before[8:9].astype(np.int64)]
    assert device.get(there).tolist() == [int(value) for value in expected]


def test_sums_of_floating_point_lose_nothing(device, random):
    (kernel,) = device.kernels(HERE / "atomics", "on_floats")
    values = random.integers(0, 64, BLOCKS * BLOCK).astype(np.float32)  # sums are exact in any order
    total, wide = device.put(np.zeros(1, np.float32)), device.put(np.zeros(1))
    kernel[BLOCKS, BLOCK](device.put(values), total, wide)
    assert device.get(total)[0] == device.get(wide)[0] == values.sum(dtype=np.float64)


def test_every_thread_gets_a_different_ticket(device):
    (enqueue,) = device.kernels(HERE / "atomics", "enqueue")
    size, tickets = device.put(np.zeros(1, np.uint32)), device.put(np.zeros(BLOCKS * BLOCK, np.int32))
    enqueue[BLOCKS, BLOCK](size, tickets)
    assert np.array_equal(np.sort(device.get(tickets)), np.arange(BLOCKS * BLOCK))


def test_exchange_and_compare(device):
    (claim,) = device.kernels(HERE / "atomics", "claim")
    owners, winners = device.put(np.zeros(100, np.uint64)), device.put(np.zeros(100, np.int32))
    token, passed = device.put(np.zeros(1, np.int32)), device.put(np.zeros(BLOCKS * BLOCK, np.int32))
    claim[BLOCKS, BLOCK](100, owners, winners, token, passed)
    assert (device.get(winners) == 1).all()
    assert (device.get(owners) > 0).all()
    seen = np.sort(np.append(device.get(passed), device.get(token)))
    assert np.array_equal(seen, np.arange(BLOCKS * BLOCK + 1))
