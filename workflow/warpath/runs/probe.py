"""A short measurement of the rates that bound shortest paths on a device: bytes copied on it, and read from the host,
and relaxations."""

import numpy as np

from warpath.algorithms.discovery import KERNELS

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
    size = SIZES[kind]
    blocks = device.multiprocessors * 8
    return {
        "device": kind,
        "copy_bytes_per_s": _best(device, repetitions, *_copying(device, copy, size["bytes"], blocks)),
        "link_bytes_per_s": _best(device, repetitions, *_reading(device, copy, size["linked"], blocks)),
        "relaxations_per_s": _best(device, repetitions, *_relaxing(device, relax, size["rounds"], blocks)),
        "environment": device.environment(),
    }


def _copying(device, copy, size, blocks):
    """Return a launch of the kernel `copy`, and the number of bytes that it reads and writes."""
    original, duplicate = (device.xp.zeros(size // 4, "uint32") for _ in range(2))
    return lambda: copy[blocks, BLOCK](size // 16, original, duplicate), 2 * size


def _reading(device, copy, size, blocks):
    """Return a launch of the kernel `copy` from pinned memory of the host, and the number of bytes that it reads."""
    linked, duplicate = device.pin(np.zeros(size // 4, "uint32")), device.xp.zeros(size // 4, "uint32")
    return lambda: copy[blocks, BLOCK](size // 16, linked, duplicate), size


def _relaxing(device, relax, rounds, blocks):
    """Return a launch of the kernel `relax`, and the number of its relaxations."""
    sink = device.xp.zeros(1, "uint32")
    return lambda: relax[blocks, BLOCK](rounds, 12345, sink), blocks * BLOCK * rounds * RELAXATIONS


def _best(device, repetitions, launch, amount):
    """Return the highest rate of `amount` per second; the first launch is a warm-up."""
    timer = device.timer()
    seconds = []
    for _ in range(repetitions + 1):
        timer.start()
        launch()
        timer.stop()
        seconds.append(timer.milliseconds() / 1e3)
    return amount / min(seconds[1:])
