"""Devices that run kernels, behind one small interface: arrays, kernels and their launches, flags, timers."""

import importlib
from types import SimpleNamespace

from warpath.base import variables
from warpath.base.errors import UserError
from warpath.devices import driver

KINDS = ("cuda", "host", "cpu", "peer", "peer_gpu")
PEERS = ("peer", "peer_gpu")  # code of others, whose answers a function converts
ON_GPU = ("cuda", "peer_gpu")  # warpath's kernels on CUDA, and libraries that run on CUDA


def open(kind, number=0):
    """Return a device of that kind; `number` selects a GPU by the driver's numbering. Imports only what it needs."""
    device = importlib.import_module(f"warpath.devices.{kind}").Device
    return device(number) if kind in ON_GPU else device()


def outlined(kind):
    """Return the properties of a device of that kind that `prepare` asks for, without opening a GPU."""
    if kind == "cuda":
        return SimpleNamespace(kind=kind, **driver.properties())
    device = open(kind)
    asked = {name: getattr(device, name) for name in ("multiprocessors", "shared_memory", "memory")}
    return SimpleNamespace(kind=kind, architecture=None, **asked)


def compile_kernels(kind, stem, names, defines, architecture):
    importlib.import_module(f"warpath.devices.{kind}").compiled(stem, names, dict(defines), architecture)


def resolve(device):
    """Return the device of kernels, by WARPATH_DEVICE or the setting; cuda without a GPU is a UserError."""
    if given := variables.value("WARPATH_DEVICE"):
        return given
    if device == "host":
        return device
    detected = "cuda" if driver.gpus() else "host"
    if device == "cuda" and detected != "cuda":
        from warpath.base import settings  # reads YAML, which measuring does without

        found = "this machine has no usable NVIDIA GPU (check with nvidia-smi)"
        raise UserError(f"{settings.file()}: device is cuda, but {found}; set it to auto or host")
    return detected
