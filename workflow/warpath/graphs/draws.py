"""Random numbers from a counter, in NumPy: number i depends on the seed and i alone, as in native/generate.cpp."""

import numpy as np

_SCALE, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_LOWER = np.uint64(0xFFFFFFFF)


def words(seed, begin, end, word=0):
    """Return 64 random bits for each of the edges [begin, end): word number `word` of the 256 that an edge has."""
    return at(seed, np.arange(begin, end, dtype=np.uint64), word)


def at(seed, numbers, word=0):
    """Return 64 random bits for each of these edges."""
    bits = numbers.astype(np.uint64)
    bits <<= np.uint64(8)
    bits += _mix(np.array([seed], np.uint64)) + np.uint64(word)
    return _mix(bits)


def below(bits, n):
    """Map the lower 32 of these bits to [0, n), in place; n may be an array."""
    bits &= _LOWER
    bits *= np.asarray(n, np.uint64)
    bits >>= np.uint64(32)
    return bits


def upper(bits):
    """The upper 32 bits, for a second number of the same word."""
    return bits >> np.uint64(32)


def _mix(x):
    """The finaliser of SplitMix64, in place."""
    x += np.uint64(1)
    x *= _SCALE
    x ^= x >> np.uint64(30)
    x *= _FIRST
    x ^= x >> np.uint64(27)
    x *= _SECOND
    x ^= x >> np.uint64(31)
    return x
