import numpy as np
import pytest

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
def test_blocks_update_the_same_word(kernel, launch, operands, name, dtype, operations):
    values = operands(dtype)
    before = operands(dtype)[:operations]
    before[7:] %= 7
    _, updated = launch(kernel("atomics", name), (BLOCKS, BLOCK), values, before)
    reductions = (np.minimum, np.maximum, np.add, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.subtract)
    expected = [
        function(start, (np.add if function is np.subtract else function).reduce(values, dtype=dtype))
        for function, start in zip(reductions, before, strict=False)
    ]
    expected += [(start + values.size) % 7 for start in before[7:8]]  # up to 6, then 0
    expected += [(start - values.size) % 7 for start in before[8:9].astype(np.int64)]
    assert updated.tolist() == [int(value) for value in expected]


def test_sums_of_floating_point_lose_nothing(kernel, launch, random):
    values = random.integers(0, 64, BLOCKS * BLOCK).astype(np.float32)  # sums are exact in any order
    sums = np.zeros(1, np.float32), np.zeros(1)
    _, total, wide = launch(kernel("atomics", "on_floats"), (BLOCKS, BLOCK), values, *sums)
    assert total[0] == wide[0] == values.sum(dtype=np.float64)


def test_every_thread_gets_a_different_ticket(kernel, launch):
    empty = np.zeros(1, np.uint32), np.zeros(BLOCKS * BLOCK, np.int32)
    _, tickets = launch(kernel("atomics", "enqueue"), (BLOCKS, BLOCK), *empty)
    assert np.array_equal(np.sort(tickets), np.arange(BLOCKS * BLOCK))


def test_exchange_and_compare(kernel, launch):
    zeros = np.zeros(100, np.uint64), *(np.zeros(size, np.int32) for size in (100, 1, BLOCKS * BLOCK))
    owners, winners, token, passed = launch(kernel("atomics", "claim"), (BLOCKS, BLOCK), 100, *zeros)
    assert (winners == 1).all()
    assert (owners > 0).all()
    assert np.array_equal(np.sort(np.append(passed, token)), np.arange(BLOCKS * BLOCK + 1))
