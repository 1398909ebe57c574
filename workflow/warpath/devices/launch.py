"""Launches `kernel[blocks, block, shared_bytes](*arguments)`: what the kernels of both devices have in common.

Arguments are an array of pointers to parameters, as cuLaunchKernel takes them. The array is kept between launches, and
an argument is converted again only if it is another object than last time: most launches of a loop change nothing.
"""

import copy
import ctypes
import math
import operator

import numpy as np

from warpath.devices.errors import UnsupportedLaunch

# Limits that all architectures since sm_70 share.
MAX_THREADS = 1024
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_BLOCK = (1024, 1024, 64)

# Bytes of shared memory a block: without opting in, on every architecture; and the most of sm_90, which the host has.
DEFAULT_SHARED = 48 * 1024
MAX_SHARED = 227 * 1024

NO_ANSWER = 0xA5  # a byte; words of it are neither distances nor parents

MAX_PARAMETERS = 64  # our own limit, more than a readable kernel has


def shape(name, key):
    """Return (grid, block, shared bytes) from what stands in the brackets of a launch."""
    grid, block, shared = key if len(key) == 3 else (*key, 0)
    grid, block = _extent(grid), _extent(block)
    if min(grid) < 1 or min(block) < 1:
        raise ValueError(f"{name}: a launch of {grid} blocks of {block} threads")
    if math.prod(block) > MAX_THREADS or any(map(operator.gt, block, MAX_BLOCK)):
        raise UnsupportedLaunch(f"{name}: {block} threads a block; at most {MAX_THREADS}, and {MAX_BLOCK} by dimension")
    if any(map(operator.gt, grid, MAX_GRID)):
        raise UnsupportedLaunch(f"{name}: {grid} blocks; at most {MAX_GRID}")
    return grid, block, operator.index(shared)


def _extent(size):
    if isinstance(size, tuple):
        return (*map(operator.index, size), 1, 1)[:3]
    return (operator.index(size), 1, 1)


class Kernel:
    """A kernel of a device, which says how it launches, what it does not `_allow`, and its `resident_blocks`."""

    def __init__(self, device, name, parameters):
        """Take the number of `parameters`, None where the driver does not report it."""
        self.name, self._device = name, device
        self._count, self._cooperative = parameters, False
        self._arguments = Arguments(name, parameters, self._bits)
        self._launches = {}  # by shape, which host loops repeat as their queue grows and shrinks

    @property
    def cooperative(self):
        other = copy.copy(self)
        other._cooperative, other._launches = True, {}
        return other

    def __getitem__(self, key):
        if key not in self._launches:
            self._launches[key] = self._launch(*self._checked(key))
        return self._launches[key]

    def bound(self, key, *arguments):
        """Return the launch of that shape with its arguments, for a native loop."""
        own = Arguments(self.name, self._count, self._bits)
        own.pack(arguments)
        return self._bound(*self._checked(key), own, arguments)

    def _checked(self, key):
        grid, block, shared = shape(self.name, key)
        self._allow(block, shared)
        if self._cooperative and math.prod(grid) > (most := self.resident_blocks(block, shared)):
            raise UnsupportedLaunch(f"{self.name}: {math.prod(grid)} cooperating blocks; at most {most}")
        return grid, block, shared

    def _allow_shared(self, size):
        if size > (most := self._device.shared_memory):
            raise UnsupportedLaunch(f"{self.name}: {size} bytes of shared memory a block; at most {most}")


class Arguments:
    """The arguments of a kernel's launches, at `address`.

    `convert(position, argument)` returns 64 bits, of which the kernel reads as many as its parameter has. `count` is
    None where the driver does not report it; then the first launch determines it.
    """

    def __init__(self, name, count, convert):
        self._name, self._convert, self._count = name, convert, count
        self._last = None
        self._slots = (ctypes.c_uint64 * MAX_PARAMETERS)()
        first = ctypes.addressof(self._slots)
        self._pointers = np.arange(first, first + 8 * MAX_PARAMETERS, 8, dtype=np.uint64)
        self.address = self._pointers.ctypes.data

    def pack(self, arguments):
        last = self._last
        if last is None or len(arguments) != len(last):
            self._count = len(arguments) if self._count is None else self._count
            if len(arguments) != self._count:
                raise TypeError(f"{self._name} takes {self._count} arguments, not {len(arguments)}")
            last = self._last = [object()] * self._count
        for position, argument in enumerate(arguments):
            if argument is not last[position]:
                self._slots[position] = self._convert(position, argument)
                last[position] = argument


def scalar_bits(value):
    """Return the bits of a Python integer or a NumPy scalar as a 64-bit number; None for anything else."""
    if isinstance(value, (int, np.integer, np.bool_)):
        return int(value) & (2**64 - 1)
    if isinstance(value, (np.float32, np.float64)):
        return int.from_bytes(value.tobytes(), "little")
    return None
