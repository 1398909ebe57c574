"""A launch `kernel[blocks, block, shared_bytes](*arguments)`: its shape, and its arguments in the form of the driver's.

Both devices take an array of pointers to parameters, as cuLaunchKernel does. It is kept from launch to launch, and
only arguments that are not the same object as last time are converted again: most launches of a loop change nothing.
"""

import ctypes
import operator

import numpy as np

from warpath.devices.errors import UnsupportedLaunch

# Limits that all architectures since sm_70 share.
MOST_THREADS = 1024
MOST_BLOCKS = (2**31 - 1, 65535, 65535)
MOST_BLOCK = (1024, 1024, 64)
MOST_PARAMETERS = 64  # ours: no kernel that anybody would like to read has more


def shape(name, key):
    """(grid, block, shared bytes) of what stands in the brackets."""
    grid, block, shared = key if len(key) == 3 else (*key, 0)
    grid, block = _extent(grid), _extent(block)
    if min(grid) < 1 or min(block) < 1:
        raise ValueError(f"{name}: a launch of {grid} blocks of {block} threads")
    threads = block[0] * block[1] * block[2]
    if threads > MOST_THREADS or any(map(operator.gt, block, MOST_BLOCK)):
        raise UnsupportedLaunch(f"{name}: blocks of {threads} threads, the most is {MOST_THREADS}")
    if any(map(operator.gt, grid, MOST_BLOCKS)):
        raise UnsupportedLaunch(f"{name}: a grid of {grid} blocks, the most is {MOST_BLOCKS}")
    return grid, block, operator.index(shared)


def _extent(size):
    if isinstance(size, tuple):
        return (*map(operator.index, size), 1, 1)[:3]
    return (operator.index(size), 1, 1)


class Arguments:
    """The arguments of a kernel's launches. `convert(position, argument)` gives 64 bits, of which the kernel reads
    as many as its parameter has. Where nobody knows the count, the first launch is believed."""

    def __init__(self, name, count, convert):
        self._name, self._convert, self._count = name, convert, count
        self._last = None
        self._slots = (ctypes.c_uint64 * MOST_PARAMETERS)()
        first = ctypes.addressof(self._slots)
        self._pointers = (ctypes.c_void_p * MOST_PARAMETERS)(*range(first, first + 8 * MOST_PARAMETERS, 8))
        self.address = ctypes.addressof(self._pointers)

    def pack(self, arguments):
        last = self._last
        if last is None or len(arguments) != len(last):
            last = self._start(len(arguments))
        for position, argument in enumerate(arguments):
            if argument is not last[position]:
                self._slots[position] = self._convert(position, argument)
                last[position] = argument

    def _start(self, count):
        if self._count is None:
            self._count = count
        if count != self._count:
            raise TypeError(f"{self._name} takes {self._count} arguments, not {count}")
        self._last = [object()] * count
        return self._last


def scalar_bits(value):
    """The bits of a Python integer or a NumPy scalar, little endian, as 64; None for anything else."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value) & (2**64 - 1)
    if isinstance(value, (np.float32, np.float64)):
        return int.from_bytes(value.tobytes(), "little")
    return None
