"""Digests of arrays, on the device that holds them; shares no code with the algorithms."""

import hashlib

import numpy as np

from warpath.base.places import KERNELS
from warpath.devices import ON_GPU


def grid(device):
    """Return the shape of a launch of the kernels that check answers, which go through all vertices or words."""
    return 8 * device.multiprocessors, 256


def digester(device):
    """Return a function that digests an array of this device or of the host."""
    (kernel,) = device.kernels(KERNELS / "proof", "digest") if device.kind in ON_GPU else (None,)

    def digest(array):
        if isinstance(array, np.ndarray):
            return hashlib.sha256(np.ascontiguousarray(array)).hexdigest()
        with device.guard():
            total = device.xp.zeros(1, "uint64")
            # Addresses, as the kernel's arguments would keep the arrays alive.
            kernel[grid(device)](array.nbytes // 4, array.data.ptr, total.data.ptr)
        return int(device.get(total)[0])

    return digest
