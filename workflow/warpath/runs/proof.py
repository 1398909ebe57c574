"""Proof that arrays are what they were, and a count of wrong entries, on the device that holds them.

Shares no code with the algorithms. NumPy and zlib serve the devices whose memory is the host's.
"""

import zlib

import numpy as np

from warpath.algorithms.discovery import KERNELS

BLOCK = 256
BLOCKS_A_MULTIPROCESSOR = 8


def of(device):
    """Return the prover for that device."""
    return _OnGpu(device) if device.kind == "cuda" else _OnHost()


class _OnHost:
    def digests(self, arrays):
        """Return a number for each array; it changes with the content."""
        return [zlib.crc32(np.ascontiguousarray(array)) for array in arrays]

    def differences(self, answer, expected):
        """Count the places at which an array differs from the expected one, or None where it has to be fetched."""
        return None


class _OnGpu:
    """Kernels get addresses: of arrays they would keep the last ones alive."""

    def __init__(self, device):
        self._device = device
        self._digest, self._differences = device.kernels(KERNELS / "proof", "digest", "differences")
        self._blocks = BLOCKS_A_MULTIPROCESSOR * device.multiprocessors

    def digests(self, arrays):
        """Return a number for each array; it changes with the content."""
        with self._device.guard():
            sums = self._device.xp.zeros(max(1, len(arrays)), "uint64")
            for number, array in enumerate(arrays):
                self._digest[self._blocks, BLOCK](array.nbytes // 4, array.data.ptr, sums.data.ptr + 8 * number)
        return self._device.get(sums)[: len(arrays)].tolist()

    def differences(self, answer, expected):
        """Count the places at which an array differs from the expected one, or None where it has to be fetched."""
        array = self._device.xp.ndarray
        if not (isinstance(answer, array) and answer.dtype.itemsize == 4 and answer.flags.c_contiguous):
            return None
        if answer.shape != expected.shape or answer.dtype.kind not in "iu":
            return None
        with self._device.guard():
            count = self._device.xp.zeros(1, "uint64")
            self._differences[self._blocks, BLOCK](answer.size, answer.data.ptr, expected.data.ptr, count.data.ptr)
        return int(self._device.get(count)[0])
