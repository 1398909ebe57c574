"""Whether code of an algorithm has replaced what its time is taken with: the clocks of Python and of the devices.

What is here was noted when this package was imported, before any algorithm was. It finds what somebody writes to make a
time look shorter, not everything that code in the same process could do.
"""

import time

from warpath.devices import cpu, cuda, host

_DEVICES = cuda.Device, host.Device, cpu.Device
_OF_DEVICES = "timer", "synchronize", "overwrite", "flush"


def _functions():
    for owner in (time, cuda.Timer, host.Timer):
        yield from ((owner, name, value) for name, value in vars(owner).items() if name[0] != "_")
    for owner in _DEVICES:
        yield from ((owner, name, getattr(owner, name)) for name in _OF_DEVICES)


_BEFORE = list(_functions())


def broken(device=None):
    """The name of a function that is another one than before, or that this device has got of its own; or None."""
    for owner, name, before in _BEFORE:
        if getattr(owner, name, None) is not before or name in getattr(device, "__dict__", ()):
            return f"{owner.__name__}.{name}"
    return None
