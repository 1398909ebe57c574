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


def split(value, bits, is_signed):
    """Return the parts of a packed word, the lowest first."""
    pieces = [value >> shift & (2**bits - 1) for shift in range(0, 32, bits)]
    return [signed(piece, bits) for piece in pieces] if is_signed else pieces


def parts(model, bits, is_signed=False):
    """Apply `model` to each part of packed words."""

    def packed(*arguments):
        columns = zip(*(split(argument, bits, is_signed) for argument in arguments), strict=True)
        return sum((model(*column) & (2**bits - 1)) << bits * place for place, column in enumerate(columns))

    return packed


def two(model):
    """Leave out the third word."""
    return lambda x, y, z: model(x, y)


def relu(model):
    return lambda *arguments: max(model(*arguments), 0)


def added(model, bits, is_signed=True):
    """Compare the third word with the wrapped sum of the first two."""

    def total(x, y):
        return signed(x + y, bits) if is_signed else (x + y) & (2**bits - 1)

    return lambda x, y, z: model(total(x, y), z)


def chosen(kind, bits, is_signed):
    """Return a bit for each part, which tells whether the first word's was chosen."""

    def flags(x, y, z):
        pairs = zip(split(x, bits, is_signed), split(y, bits, is_signed), strict=True)
        return sum((kind(pair) == pair[0]) << place for place, pair in enumerate(pairs))

    return flags


def test_dpx(compare, random):
    both, models = (min, max), []
    for bits in (32, 16):
        models += [parts(added(kind, bits), bits, True) for kind in both]
        models += [parts(relu(added(kind, bits)), bits, True) for kind in both]
        models += [parts(added(kind, bits, False), bits) for kind in both]
    for bits in (32, 16):
        models += [parts(kind, bits, True) for kind in (min, max, relu(min), relu(max))]
        models += [parts(kind, bits) for kind in both]
    models += [two(parts(relu(kind), bits, True)) for bits in (32, 16) for kind in both]
    for bits in (16, 8):
        models += [two(parts(kind, bits)) for kind in (int.__add__, int.__sub__)]
        models += [two(parts(kind, bits, is_signed)) for is_signed in (True, False) for kind in both]
        models += [two(parts(lambda x, y: -(x == y), bits))]
        if bits == 16:
            models += [two(parts(lambda x, y: -(x < y), bits, is_signed)) for is_signed in (False, True)]
    for kind, bits, is_signed in ((min, 32, True), (max, 32, False), (min, 16, True), (max, 16, False)):
        models += [two(parts(kind, bits, is_signed)), chosen(kind, bits, is_signed)]
    compare("dpx", "dpx", words(random, 32, 500), models, 32)
