"""Proof that arrays are what they were, and a count of wrong entries, on the device that holds them.

Shares no code with the algorithms. zlib serves the devices whose memory is the host's.
"""

import zlib

import numpy as np

from warpath.base.places import KERNELS


def grid(device):
    """Return the shape of a launch of the kernels that check answers, which go through all vertices or words."""
    return 8 * device.multiprocessors, 256


class Prover:
    """Pass addresses to kernels: their arguments would keep the last arrays alive."""

    def __init__(self, device):
        self._device, self._on_gpu = device, device.kind == "cuda"
        if self._on_gpu:
            self._digest, self._differences = device.kernels(KERNELS / "proof", "digest", "differences")

    def digests(self, arrays):
        """Digest each array."""
        if not self._on_gpu:
            return [zlib.crc32(np.ascontiguousarray(array)) for array in arrays]
        with self._device.guard():
            sums = self._device.xp.zeros(max(1, len(arrays)), "uint64")
            for number, array in enumerate(arrays):
                self._digest[grid(self._device)](array.nbytes // 4, array.data.ptr, sums.data.ptr + 8 * number)
        return self._device.get(sums)[: len(arrays)].tolist()

    def differences(self, answer, expected):
        """Count the places at which an array differs from the expected one, or None where it has to be fetched."""
        if not self._on_gpu or not is_readable(answer, self._device, expected.shape):
            return None
        with self._device.guard():
            count = self._device.xp.zeros(1, "uint64")
            self._differences[grid(self._device)](answer.size, answer.data.ptr, expected.data.ptr, count.data.ptr)
        return int(self._device.get(count)[0])


def is_readable(answer, device, shape):
    """Whether the kernels can read the answer: an array of 32-bit integers on the device, of this shape."""
    if device.kind not in ("cuda", "host") or not isinstance(answer, device.xp.ndarray) or answer.shape != shape:
        return False
    return answer.dtype.itemsize == 4 and answer.dtype.kind in "iu" and answer.flags.c_contiguous
