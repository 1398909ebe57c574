"""What executes a kernel, behind one small interface: arrays, kernels, launches, a flag, a timer."""

import importlib

from warpath.algorithms import ON_GPU
from warpath.devices import driver

KINDS = ("cuda", "host", "cpu", "peer", "peer_gpu")


def open(kind, number=0):
    """The device of that kind; `number` tells GPUs apart, as the driver does. Imports what it needs only now."""
    if kind not in KINDS:
        raise ValueError(f"no device '{kind}', only {', '.join(KINDS)}")
    device = importlib.import_module(f"warpath.devices.{kind}").Device
    return device(number) if kind in ON_GPU else device()


def detect():
    """The kind to use where nobody has chosen: cuda where a GPU is visible, else host. Costs next to nothing."""
    return "cuda" if driver.gpus() else "host"
