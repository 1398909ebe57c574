"""Whether code of an algorithm has replaced what its time is taken with: the clocks of Python and of the devices.

What is here was noted when this package was imported, before any algorithm was. It finds what somebody writes to make a
time look shorter, not everything that code in the same process could do.
"""

import time

from warpath.devices import cpu, cuda, host

_CLOCKS = "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time", "time", "time_ns", "sleep"
_OF_DEVICES = "timer", "synchronize", "overwrite", "flush"
_OF_TIMERS = "start", "stop", "since", "milliseconds"
_OWNERS = {time: _CLOCKS, cuda.Timer: _OF_TIMERS, host.Timer: _OF_TIMERS}
_OWNERS |= dict.fromkeys((cuda.Device, host.Device, cpu.Device), _OF_DEVICES)

_BEFORE = [(owner, name, getattr(owner, name)) for owner, names in _OWNERS.items() for name in names]


def broken(device=None):
    """The name of a function that is another one than before, or that this device has got of its own; or None."""
    for owner, name, before in _BEFORE:
        if getattr(owner, name, None) is not before or name in getattr(device, "__dict__", ()):
            return f"{owner.__name__}.{name}"
    return None
