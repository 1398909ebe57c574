"""Intrinsics of one thread against Python's integers, on random words and on corner cases."""

import itertools
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def words(random, bits, count):
    half, most = 2 ** (bits - 1), 2**bits - 1
    corners = [0, 1, 2, half - 1, half, half + 1, most - 1, most, 0x7FFF8000, 0x80007FFF, 0xFFFF0000, 0x0000FFFF]
    drawn = random.integers(0, most, (3, count), dtype=np.uint64, endpoint=True)
    combined = np.array(list(itertools.product(corners, repeat=3)), dtype=np.uint64).T
    return np.concatenate([drawn, combined], axis=1).astype(f"uint{bits}")


def signed(value, bits):
    value &= 2**bits - 1
    return value - 2**bits if value >> (bits - 1) else value


def run(device, file, name, arrays, rows):
    (kernel,) = device.kernels(HERE / file, name)
    n = arrays[0].size
    out = device.put(np.zeros((rows, n), arrays[0].dtype))
    kernel[-(-n // 128), 128](n, *map(device.put, arrays), out)
    return device.get(out)


def compare(out, arrays, models, bits):
    columns = list(zip(*(array.tolist() for array in arrays), strict=True))
    assert len(out) == len(models)
    for row, model in zip(out, models, strict=True):
        expected = [model(*column) & (2**bits - 1) for column in columns]
        assert row.tolist() == expected, f"row {models.index(model)}"


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


def test_words(device, random):
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
    compare(run(device, "arithmetic", "on_words", arrays, len(models)), arrays, models, 32)


def test_long_words(device, random):
    arrays = words(random, 64, 500)[:2]
    models = [*common(64), min, lambda x, y: max(signed(x, 64), signed(y, 64))]
    compare(run(device, "arithmetic", "on_long_words", arrays, len(models)), arrays, models, 64)


def test_loads_stores_and_vectors(device):
    (memory,) = device.kernels(HERE / "arithmetic", "memory")
    pairs, values = np.arange(64, dtype=np.int32), np.arange(100, 132, dtype=np.int32)
    quads, out = device.put(np.zeros((32, 4), np.int32)), device.put(np.zeros(32, np.int32))
    memory[1, 32](device.put(pairs), quads, device.put(values), out)
    assert np.array_equal(device.get(quads), np.column_stack([pairs[::2], pairs[1::2], values, values]))
    assert np.array_equal(device.get(out), values + 1)


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


def test_dpx(device, random):
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
    arrays = words(random, 32, 500)
    compare(run(device, "dpx", "dpx", arrays, len(models)), arrays, models, 32)
