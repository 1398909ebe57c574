"""What executes a kernel, behind one small interface: arrays, kernels, launches, a flag, a timer."""

import importlib
import os

from warpath.algorithms.description import ON_GPU
from warpath.devices import driver
from warpath.foundation import settings
from warpath.foundation.errors import UserError

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


def expect_gpus_elsewhere(device):
    """On a cluster nothing follows from what the machine has that submits the jobs: the nodes have GPUs, unless the
    settings say host. The jobs inherit what is decided here."""
    os.environ.setdefault("WARPATH_DEVICE", "host" if device == "host" else "cuda")


def resolve(device):
    """The device that kernels run on here; asking for a GPU where there is none is an error at once.

    Where jobs run on other machines than this one (a cluster's login node), WARPATH_DEVICE says what those have.
    """
    if "WARPATH_DEVICE" in os.environ:
        return os.environ["WARPATH_DEVICE"]
    if device == "host":
        return device
    detected = detect()
    if device == "cuda" and detected != "cuda":
        raise UserError(
            f"{settings.shown(settings.CONFIG)}: device is cuda, but this machine has no usable NVIDIA GPU (nvidia-smi "
            "tells more); set it to auto or host"
        )
    return detected
