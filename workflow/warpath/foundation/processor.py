"""The CPU: its model, usable cores, sensor readings and free memory."""

import contextlib
import os
import platform
from pathlib import Path


def cores():
    """Usable cores; WARPATH_THREADS lowers it."""
    threads = os.environ.get("WARPATH_THREADS")
    return int(threads) if threads else len(os.sched_getaffinity(0))


def limit(count):
    """Set the number of cores that this process and its children use."""
    os.environ["WARPATH_THREADS"] = str(count)


def kind():
    """The model and features of the processor, which -march=native depends on."""
    prefixes = ("model", "cpu family", "flags", "Features", "CPU p")
    lines = [line for line in _cpuinfo() if line.startswith(prefixes)]
    return platform.machine() + ("".join(lines) or platform.processor())


def free_bytes():
    """Available memory."""
    with open("/proc/meminfo") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))


def environment():
    return {"device_name": _field("model name") or platform.processor() or platform.machine(), "cores": cores()}


def sensors():
    """The current clock frequency and load."""
    frequency = _field("cpu MHz")
    return {"cpu_mhz": float(frequency) if frequency else None, "load": os.getloadavg()[0]}


def _field(name):
    for line in _cpuinfo():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _cpuinfo():
    """The lines of /proc/cpuinfo about the first processor; reading all takes long on large machines."""
    try:
        with open("/proc/cpuinfo") as file:
            return file.read(16384).split("\n\n")[0].splitlines()
    except OSError:
        return []


def peak_bytes():
    """Return the most memory that this process has had since its start or the last reset."""
    return _memory("VmHWM")


def reset_peak():
    """Count the peak from now on; return the memory that this process has."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def private_bytes():
    """Return the memory that this process has for itself: no mapped files, nothing that is shared."""
    return _memory("RssAnon")


def _memory(name):
    with open("/proc/self/status") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))
