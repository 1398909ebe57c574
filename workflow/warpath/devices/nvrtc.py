"""NVRTC through ctypes: compile CUDA C++ to machine code for an architecture, without a driver and without a GPU.

Not by CuPy, which compiles for a GPU that is there: a run compiles before it leases one, and tests compile every kernel
on machines that have neither a GPU nor CuPy.
"""

import ctypes
import re
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from warpath.base.errors import UserError
from warpath.devices import code
from warpath.devices.errors import UnsupportedLaunch

# Folders of the Python packages, newest CUDA first, then of a toolkit on the system.
_PACKAGES = ("nvidia/cu13", "nvidia/cuda_nvrtc")
_SYSTEM = ("/usr/local/cuda",)
_HEADERS = ("cooperative_groups.h", "nv/target")


class Toolkit(NamedTuple):
    """One NVRTC: its library, its major CUDA version, and the folders of CUDA's headers, if installed."""

    library: Path
    major: int
    headers: tuple[Path, ...] = ()

    @property
    def identity(self):
        """Text that changes whenever the compiler does; reads no more than file names and a size, not 100 MB."""
        builtins = sorted(path.name for path in self.library.parent.glob("libnvrtc-builtins.so.*"))
        return f"{self.library.name} {self.library.stat().st_size} {builtins}"


@cache
def toolkits():
    """Return every NVRTC on this machine, the newest CUDA first."""
    folders = [Path(entry, package) for package in _PACKAGES for entry in sys.path if entry]
    by_version = {}
    for folder in [*folders, *map(Path, _SYSTEM)]:
        beside = [each / "include" for each in (folder, folder.parent / "cuda_runtime", folder.parent / "cuda_cccl")]
        headers = tuple(each for each in beside if any((each / name).exists() for name in _HEADERS))
        for library in sorted((*folder.glob("lib/libnvrtc.so.*"), *folder.glob("lib64/libnvrtc.so.*"))):
            major = library.name.removeprefix("libnvrtc.so.")
            if major.isdigit():
                by_version.setdefault(int(major), Toolkit(library, int(major), headers))
    return tuple(by_version[major] for major in sorted(by_version, reverse=True))


def newest(cuda=None):
    """Return the newest NVRTC; with `cuda`, a major version, the newest whose machine code such a driver loads."""
    for toolkit in toolkits():
        if cuda is None or toolkit.major <= cuda:
            return toolkit
    version = f" for CUDA {cuda}" if cuda else ""
    raise UserError(f"NVRTC{version} not found (needed to compile kernels): delete .venv and run make again")


def compile_cubin(toolkit, file, architecture, options=()):
    """Return the machine code of the .cu file for `architecture` (90 for sm_90)."""
    nvrtc = _load(toolkit.library)
    program = ctypes.c_void_p()
    text = Path(file).read_bytes()
    _check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, str(file).encode(), 0, None, None))
    try:
        include = [f"-I{folder}" for folder in (Path(file).parent, code.include(file), *toolkit.headers)]
        flags = ["-std=c++17", f"--gpu-architecture=sm_{architecture}", "--generate-line-info", *options, *include]
        encoded = (ctypes.c_char_p * len(flags))(*map(str.encode, flags))
        if nvrtc.nvrtcCompileProgram(program, len(flags), encoded):
            raise _compile_error(file, _read(nvrtc, program, "ProgramLog").decode().rstrip("\0"))
        return _read(nvrtc, program, "CUBIN")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


@cache
def _load(library):
    for builtins in library.parent.glob("libnvrtc-builtins.so.*"):
        ctypes.CDLL(str(builtins))  # in advance: NVRTC 13, as a Python package, does not search its own folder
    nvrtc = ctypes.CDLL(str(library))
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
    return nvrtc


def _read(nvrtc, program, what):
    size = ctypes.c_size_t()
    _check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw


def _check(nvrtc, status):
    if status:
        raise UserError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status).decode()}")


def _compile_error(file, log):
    """Return the first error in one line; `#error needs sm_90 or later` means an unsupported GPU, not a mistake."""
    if requirement := re.search(r"#error directive: (needs sm_\d+ or later)", log):
        return UnsupportedLaunch(f"{file}: {requirement[1]}")
    placed = re.findall(r"^(\S+)\((\d+)\): (?:catastrophic )?error: (.*)$", log, re.MULTILINE)
    others = [line.strip() for line in log.splitlines() if "error" in line] or log.split("\n", 1)
    first = "{}:{}: {}".format(*placed[0]) if placed else f"{file}: {others[0]}"
    more = len(placed or others) - 1
    return UserError(first + (f" (and {more} more errors)" if more else ""), log)
