"""What the CPU is, how many of its cores to use, how it feels, and the memory that is free beside it."""

import os
import platform


def cores():
    """That this process may use; WARPATH_THREADS says fewer."""
    chosen = os.environ.get("WARPATH_THREADS")
    return int(chosen) if chosen else len(os.sched_getaffinity(0))


def limit(count):
    """Use so many cores, whatever the machine has."""
    os.environ["WARPATH_THREADS"] = str(count)


def kind():
    """The kind of processor, as -march=native sees it."""
    kept = [line for line in _first() if line.startswith(("model", "cpu family", "flags", "Features", "CPU p"))]
    return platform.machine() + ("".join(kept) or platform.processor())


def free_bytes():
    """Memory that Linux can give out without taking it from somebody."""
    with open("/proc/meminfo") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))


def environment():
    return {"device_name": _field("model name") or platform.processor() or platform.machine(), "cores": cores()}


def sensors():
    frequency = _field("cpu MHz")
    return {"cpu_mhz": float(frequency) if frequency else None, "load": os.getloadavg()[0]}


def _field(name):
    for line in _first():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _first():
    """What /proc/cpuinfo says of the first processor; the others take long to read on large machines."""
    try:
        with open("/proc/cpuinfo") as file:
            return file.read(16384).split("\n\n")[0].splitlines()
    except OSError:
        return []
