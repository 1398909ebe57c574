"""The CPU: its model, usable cores, sensor readings and free memory."""

import contextlib
import os
import platform
from pathlib import Path

from warpath.base import variables
from warpath.base.errors import UserError

MOST = 10**30  # bytes; a catalogue may state any number


def cores():
    """Usable cores; WARPATH_THREADS lowers it."""
    return int(variables.value("WARPATH_THREADS") or len(os.sched_getaffinity(0)))


def can_spare_cores():
    """Whether work in the background leaves enough cores to jobs: one of them may be measuring."""
    return cores() >= 4


def limit(count):
    os.environ["WARPATH_THREADS"] = str(count)


def kind():
    """The model and features of the processor, which -march=native depends on."""
    names = ("model", "cpu family", "flags", "Features", "CPU p")
    fields = [f"{name}: {text}" for name, text in _cpuinfo().items() if name.startswith(names)]
    return platform.machine() + ("".join(fields) or platform.processor())


def free_bytes():
    """Available memory, no more than this process's control group has left."""
    return min([memory("MemAvailable", "/proc/meminfo"), *_free_in_groups()])


def _free_in_groups(groups="/proc/self/cgroup", root="/sys/fs/cgroup"):
    """What the control groups (version 2) of this process have left; file cache counts, because it can be dropped."""
    with contextlib.suppress(OSError, StopIteration):
        own = next(line[3:].strip() for line in Path(groups).read_text().splitlines() if line.startswith("0::"))
        folder = Path(root, own.lstrip("/"))
        for group in [folder, *folder.parents][: len(Path(own).parts)]:
            with contextlib.suppress(OSError, ValueError):
                used = int((group / "memory.current").read_text())
                statistics = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
                cache = int(statistics.get("inactive_file", 0))
                yield max(0, int((group / "memory.max").read_text()) - used + cache)


def require_memory(needed, what):
    """Raise an error if fewer than `needed` bytes are available for `what`."""
    free = free_bytes()
    if needed > free:
        gigabytes = min(needed, MOST) / 1e9
        raise UserError(f"{what}: needs {gigabytes:,.1f} GB of memory, and {free / 1e9:,.1f} GB are available")


def environment():
    return {"device_name": _cpuinfo().get("model name") or platform.processor() or platform.machine(), "cores": cores()}


def description():
    """The processor with its family, model and largest cache, as names of virtual machines do not tell it."""
    found = _cpuinfo()
    details = [f"{name.split()[-1]} {found[name]}" for name in ("cpu family", "model") if name in found]
    with contextlib.suppress(OSError, ValueError):
        sizes = Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")  # such as 32768K
        largest = max(int(size.read_text().strip().removesuffix("K")) for size in sizes)
        details.append(f"{largest / 1024:.0f} MB of cache")
    return ", ".join([environment()["device_name"], *details])


def sensors():
    frequency = _cpuinfo().get("cpu MHz")
    return {"cpu_mhz": float(frequency) if frequency else None, "load": os.getloadavg()[0]}


def _cpuinfo():
    """The fields of /proc/cpuinfo about the first processor; reading all takes long on large machines."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        lines = file.read(16384).partition("\n\n")[0].splitlines()
        return {name.strip(): text.strip() for name, _, text in (line.partition(":") for line in lines)}
    return {}


def reset_peak():
    """Count the peak from now on; return the memory that this process has."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def memory(name, file="/proc/self/status"):
    """Return an entry in bytes, such as VmRSS, VmHWM (the most since the last reset) or RssAnon (no mapped files)."""
    with open(file) as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))
