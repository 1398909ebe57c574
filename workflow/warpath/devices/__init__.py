"""What executes a kernel, behind one small interface: arrays, kernels, launches, a flag, a timer."""

import importlib

from warpath.devices import driver

KINDS = ("cuda", "host", "cpu")


def open(kind):
    """The device of that kind. Imports what it needs only now: planning has no use for it."""
    if kind not in KINDS:
        raise ValueError(f"no device '{kind}', only {', '.join(KINDS)}")
    return importlib.import_module(f"warpath.devices.{kind}").Device()


def detect():
    """The kind to use where nobody has chosen: cuda where a GPU is visible, else host. Costs next to nothing."""
    return "cuda" if driver.gpus() else "host"
