"""The rates that bound shortest paths on a device: bytes copied, bytes read from the host, and relaxations."""

import numpy as np

from warpath.base.places import KERNELS

RELAXATIONS = 8  # values that each thread of the kernel `relax` works on
SIZES = {
    "cuda": {"bytes": 2 << 30, "linked": 256 << 20, "rounds": 20_000},
    "host": {"bytes": 64 << 20, "linked": 16 << 20, "rounds": 200},
}
BLOCK = 256


def measure(kind, number=0, repetitions=5):
    """Return the rates, the best of a few repetitions each, and the environment."""
    from warpath import devices

    device = devices.open(kind, number)
    copy, relax = device.kernels(KERNELS / "probe", "copy", "relax", relaxations=RELAXATIONS)
    xp, size, shape = device.xp, SIZES[kind], (8 * device.multiprocessors, BLOCK)
    original, duplicate = (xp.zeros(size["bytes"] // 4, "uint32") for _ in range(2))
    linked, sink = device.pin(np.zeros(size["linked"] // 4, "uint32")), xp.zeros(1, "uint32")
    relaxations = shape[0] * BLOCK * size["rounds"] * RELAXATIONS

    def best(amount, kernel, *arguments):
        """The highest rate of `amount` per second; the first launch is a warm-up."""
        timer, seconds = device.timer(), []
        for _ in range(repetitions + 1):
            timer.start()
            kernel[shape](*arguments)
            timer.stop()
            seconds.append(timer.milliseconds() / 1e3)
        return amount / min(seconds[1:])

    return {
        "device": kind,
        "copy_bytes_per_s": best(2 * size["bytes"], copy, size["bytes"] // 16, original, duplicate),  # read and written
        "link_bytes_per_s": best(size["linked"], copy, size["linked"] // 16, linked, duplicate),
        "relaxations_per_s": best(relaxations, relax, size["rounds"], 12345, sink),
        "environment": device.environment(),
    }
