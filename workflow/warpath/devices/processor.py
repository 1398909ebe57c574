"""What the CPU is, and how it feels."""

import os
import platform


def cores():
    """That this process may use; WARPATH_THREADS says fewer."""
    chosen = os.environ.get("WARPATH_THREADS")
    return int(chosen) if chosen else len(os.sched_getaffinity(0))


def environment():
    return {"device_name": _field("model name") or platform.processor() or platform.machine(), "cores": cores()}


def sensors():
    frequency = _field("cpu MHz")
    return {"cpu_mhz": float(frequency) if frequency else None, "load": os.getloadavg()[0]}


def _field(name):
    """Of the first processor in /proc/cpuinfo, whose other entries take long to read on large machines."""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file.read(16384).split("\n\n")[0].splitlines():
                key, _, value = line.partition(":")
                if key.strip() == name:
                    return value.strip()
    except OSError:
        pass
    return None
