"""g++: what the host device and the sequential baselines are compiled with."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

from warpath.errors import UserError


def executable():
    found = shutil.which("g++")
    if not found:
        raise UserError("g++ was not found, and kernels cannot run on the CPU without it: apt install g++")
    return Path(found).resolve()


def identity():
    """What decides, beside the sources, which machine code comes out; found without running anything."""
    path = executable()
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns} {_processor()}"


def compile_library(arguments, output):
    command = [str(executable()), "-shared", "-fPIC", "-pthread", "-march=native", *map(str, arguments)]
    finished = subprocess.run([*command, "-o", str(output)], capture_output=True, text=True, check=False)
    if finished.returncode:
        error = UserError(_summary(finished.stderr))
        error.add_note(finished.stderr)
        raise error


def _summary(diagnostics):
    """The first error as one line that names its place, and how many more there are."""
    errors = re.findall(r"^(\S+?:\d+(?::\d+)?): (?:fatal )?error: (.*)$", diagnostics, re.MULTILINE)
    if not errors:
        return "g++ failed: " + (diagnostics.strip().splitlines() or ["it said nothing"])[-1]
    (place, message), *more = errors
    return f"{place.removeprefix(f'{Path.cwd()}/')}: {message}" + (f" (and {len(more)} more errors)" if more else "")


def _processor():
    """The kind of processor, as -march=native sees it: the cache may be on a disk that several machines share."""
    try:
        with open("/proc/cpuinfo") as file:
            first = file.read(16384).split("\n\n")[0]
    except OSError:
        return platform.machine() + platform.processor()
    kept = [
        line for line in first.splitlines() if line.startswith(("model", "cpu family", "flags", "Features", "CPU p"))
    ]
    return platform.machine() + "".join(kept)
