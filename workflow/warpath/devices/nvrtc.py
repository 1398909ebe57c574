"""NVRTC by ctypes: CUDA C++ to machine code for a given architecture. Needs neither a driver nor a GPU."""

import ctypes
import re
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from warpath.devices.errors import UnsupportedLaunch
from warpath.foundation.errors import UserError

# Where the packages of the index put it, newest CUDA first; then where the system's toolkit is.
_PLACES = ("nvidia/cu13", "nvidia/cuda_nvrtc")
_SYSTEM = ("/usr/local/cuda",)


class Toolkit(NamedTuple):
    """One NVRTC: its library, the CUDA version that it belongs to, and where CUDA's headers are, if they are here."""

    library: Path
    major: int
    headers: tuple[Path, ...] = ()

    @property
    def identity(self):
        """What decides, beside the source, which machine code comes out; found without loading 100 MB."""
        builtins = sorted(path.name for path in self.library.parent.glob("libnvrtc-builtins.so.*"))
        return f"{self.library.name} {self.library.stat().st_size} {builtins}"


@cache
def toolkits():
    """Those found here, the newest CUDA first."""
    folders = [Path(entry, place) for place in _PLACES for entry in sys.path if entry] + [
        Path(root) for root in _SYSTEM
    ]
    found = {}
    for folder in folders:
        for library in sorted((*folder.glob("lib/libnvrtc.so.*"), *folder.glob("lib64/libnvrtc.so.*"))):
            major = library.name.removeprefix("libnvrtc.so.")
            if major.isdigit():
                found.setdefault(int(major), Toolkit(library, int(major), _headers(folder)))
    return tuple(found[major] for major in sorted(found, reverse=True))


def _headers(folder):
    beside = (folder / "include", *(folder.parent / package / "include" for package in ("cuda_runtime", "cuda_cccl")))
    return tuple(path for path in beside if (path / "cooperative_groups.h").exists() or (path / "nv/target").exists())


def newest(most=None):
    """The newest NVRTC whose machine code a driver of CUDA version `most` loads."""
    for toolkit in toolkits():
        if most is None or toolkit.major <= most:
            return toolkit
    suited = f" for CUDA {most}" if most else ""
    raise UserError(
        f"NVRTC{suited} was not found, and kernels cannot be compiled without it: delete .venv and run make again"
    )


def compile_cubin(toolkit, source, architecture, options=()):
    """Machine code of the .cu file `source` for `architecture` (90 for sm_90)."""
    nvrtc = _load(toolkit.library)
    program = ctypes.c_void_p()
    code = Path(source).read_bytes()
    _check(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), code, str(source).encode(), 0, None, None))
    try:
        include = [f"-I{folder}" for folder in (Path(source).parent, *toolkit.headers)]
        flags = ["-std=c++17", f"--gpu-architecture=sm_{architecture}", "--generate-line-info", *options, *include]
        encoded = (ctypes.c_char_p * len(flags))(*map(str.encode, flags))
        if nvrtc.nvrtcCompileProgram(program, len(flags), encoded):
            raise _compile_error(source, _read(nvrtc, program, "ProgramLog").decode().rstrip("\0"))
        return _read(nvrtc, program, "CUBIN")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def architectures(toolkit):
    """Those that this NVRTC knows, ascending."""
    nvrtc = _load(toolkit.library)
    count = ctypes.c_int()
    _check(nvrtc, nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    known = (ctypes.c_int * count.value)()
    _check(nvrtc, nvrtc.nvrtcGetSupportedArchs(known))
    return list(known)


@cache
def _load(library):
    for builtins in library.parent.glob("libnvrtc-builtins.so.*"):
        ctypes.CDLL(str(builtins))  # by path: NVRTC 13 of the package index would not find what lies beside it
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


def _compile_error(source, log):
    """The first error as one line that names its place, and how many more there are.

    A kernel that says `#error needs sm_90 or later` is no mistake but one that this GPU is too old for.
    """
    if needed := re.search(r"#error directive: (needs sm_\d+ or later)", log):
        return UnsupportedLaunch(f"{source}: {needed[1]}")
    placed = re.findall(r"^(\S+)\((\d+)\): (?:catastrophic )?error: (.*)$", log, re.MULTILINE)
    others = [line.strip() for line in log.splitlines() if "error" in line] or log.split("\n", 1)
    first = "{}:{}: {}".format(*placed[0]) if placed else f"{source}: {others[0]}"
    more = len(placed or others) - 1
    error = UserError(first + (f" (and {more} more errors)" if more else ""))
    error.add_note(log)
    return error
