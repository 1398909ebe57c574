"""Intrinsics of one thread against Python's integers, on random words and on corner cases."""

import itertools

import numpy as np
import pytest


def words(random, bits, count):
    half, most = 2 ** (bits - 1), 2**bits - 1
    corners = [0, 1, 2, half - 1, half, half + 1, most - 1, most, 0x7FFF8000, 0x80007FFF, 0xFFFF0000, 0x0000FFFF]
    drawn = random.integers(0, most, (3, count), dtype=np.uint64, endpoint=True)
    combined = np.array(list(itertools.product(corners, repeat=3)), dtype=np.uint64).T
    return np.concatenate([drawn, combined], axis=1).astype(f"uint{bits}")


def signed(value, bits):
    value &= 2**bits - 1
    return value - 2**bits if value >> (bits - 1) else value


@pytest.fixture
def compare(kernel, launch):
    """Launch a kernel and compare each row of its output with the model of it."""

    def compare(file, name, arrays, models, bits):
        n = arrays[0].size
        out = np.zeros((len(models), n), arrays[0].dtype)
        *_, out = launch(kernel(file, name), (-(-n // 128), 128), n, *arrays, out)
        columns = list(zip(*(array.tolist() for array in arrays), strict=True))
        for number, (row, model) in enumerate(zip(out, models, strict=True)):
            assert row.tolist() == [model(*column) & (2**bits - 1) for column in columns], f"row {number}"

    return compare


def common(bits):
    """Return models of the intrinsics that exist for both widths."""
    return [
        lambda x, y: x.bit_count(),
        lambda x, y: (x & -x).bit_length(),
        lambda x, y: bits - x.bit_length(),
        lambda x, y: int(f"{x:0{bits}b}"[::-1], 2),
        lambda x, y: x * y >> bits,
        lambda x, y: signed(x, bits) * signed(y, bits) >> bits,
    ]


def test_words(compare, random):
    arrays = words(random, 32, 500)[:2]

    def bytes_of(x, y):
        both = (y << 32 | x).to_bytes(8, "little")
        return int.from_bytes(bytes(both[i] for i in (0, 4, 1, 5)), "little")

    models = [
        *common(32),
        lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF),
        lambda x, y: signed(x, 24) * signed(y, 24),
        bytes_of,
        lambda x, y: (y << 32 | x) << 5 >> 32,
        lambda x, y: (y << 32 | x) >> 5,
        min,
        lambda x, y: max(signed(x, 32), signed(y, 32)),
        lambda x, y: x & 0x3FFFFFFF,
    ]
    compare("arithmetic", "on_words", arrays, models, 32)


def test_long_words(compare, random):
    arrays = words(random, 64, 500)[:2]
    models = [*common(64), min, lambda x, y: max(signed(x, 64), signed(y, 64))]
    compare("arithmetic", "on_long_words", arrays, models, 64)


def test_loads_stores_and_vectors(kernel, launch):
    pairs, values = np.arange(64, dtype=np.int32), np.arange(100, 132, dtype=np.int32)
    arrays = pairs, np.zeros((32, 4), np.int32), values, np.zeros(32, np.int32)
    _, quads, _, out = launch(kernel("arithmetic", "memory"), (1, 32), *arrays)
    assert np.array_equal(quads, np.column_stack([pairs[::2], pairs[1::2], values, values]))
    assert np.array_equal(out, values + 1)


def halves(model):
    """Apply `model` to the low and to the high 16 bits of words."""
    return lambda *words: sum(
        (model(*(word >> shift & 0xFFFF for word in words)) & 0xFFFF) << shift for shift in (0, 16)
    )


def test_dpx(compare, random):
    models = [
        lambda x, y, z: min((x + y) % 2**32, z),
        halves(lambda x, y, z: min((x + y) % 2**16, z)),
        halves(lambda x, y, z: min(x, y)),
    ]
    compare("dpx", "dpx", words(random, 32, 500), models, 32)
