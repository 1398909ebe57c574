"""The random numbers of CuPy's RandomState, on the CPU: cuRAND's default generator, Marsaglia's xorwow.

In its default order number i is number i / 4096 of lane i % 4096, and the lanes are 2^67 numbers apart. The Weyl
counter is common to all lanes, because 2^67 steps are a multiple of its period.
"""

import numpy as np

LANES, WORDS, BITS = 4096, 5, 160
LANE_STEPS = 67  # lanes are 2^67 numbers apart
WEYL = 362437
AT_ONCE = 128 * LANES  # numbers that fit the cache


class Stream:
    def __init__(self, seed):
        low, high = seed & 0xFFFFFFFF ^ 0xAAD26B49, seed >> 32 ^ 0xF7DCEFDD
        first, second = np.uint32(1099087573 * low % 2**32), np.uint32(2591861531 * high % 2**32)
        salts = np.array([123456789, 362436069, 521288629, 88675123, 5783321], np.uint32)
        start = [salts[0] + first, salts[1] ^ first, salts[2] + second, salts[3] ^ second, salts[4] + first]
        self._words = _lanes(np.array(start, np.uint32))
        self._weyl = (6615241 + int(first) + int(second)) % 2**32
        self._left = np.empty(0, np.uint32)

    def words(self, count):
        drawn, place = np.empty(count, np.uint32), 0
        while place < count:
            if not len(self._left):
                self._words, self._weyl = _step(self._words), (self._weyl + WEYL) % 2**32
                self._left = self._words[-1] + np.uint32(self._weyl)
            taken = min(len(self._left), count - place)
            drawn[place : place + taken], self._left = self._left[:taken], self._left[taken:]
            place += taken
        return drawn

    def pieces(self, count):
        """Yield the next `count` numbers in pieces, each with its place."""
        for begin in range(0, count, AT_ONCE):
            end = min(begin + AT_ONCE, count)
            yield slice(begin, end), self.words(end - begin)

    def below(self, n, count):
        """Return integers below n as `randint` draws them: numbers beyond the last multiple of n are replaced."""
        drawn = self.words(count)
        if n & (n - 1) == 0:
            return drawn & np.uint32(n - 1)
        limit = np.uint32(2**32 - 1 - 2**32 % n)
        missing = np.flatnonzero(drawn > limit)
        while len(missing):
            more = self.words(max(2 * len(missing), 1024))
            more = more[more <= limit][: len(missing)]
            drawn[missing[: len(more)]] = more
            missing = missing[len(more) :]
        drawn %= np.uint32(n)
        return drawn


def _lanes(start):
    """Return the five words of every lane: lane k + 1 is lane k moved on by 2^67 numbers.

    Moving on is linear over bits: column b of a move holds what becomes of bit b alone.
    """
    one_bit = [[(bit // 32 == word) << bit % 32 for bit in range(BITS)] for word in range(WORDS)]
    move = np.stack(_step(np.array(one_bit, np.uint32)))
    for _ in range(LANE_STEPS):
        move = _applied(move, move)
    lanes = start[:, None]
    while lanes.shape[1] < LANES:
        lanes = np.concatenate([lanes, _applied(move, lanes)], axis=1)
        move = _applied(move, move)
    return list(lanes)


def _step(words):
    oldest, *others, last = words
    mixed = oldest ^ oldest >> np.uint32(2)
    return [*others, last, last ^ last << np.uint32(4) ^ mixed ^ mixed << np.uint32(1)]


def _applied(move, lanes):
    """Apply a move to the words of lanes, one to a column."""
    moved = np.zeros_like(lanes)
    for bit in range(BITS):
        is_set = lanes[bit // 32] >> np.uint32(bit % 32) & np.uint32(1)
        moved ^= is_set * move[:, bit, None]
    return moved
