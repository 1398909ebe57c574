"""Compile a kernel or a baseline and compare what is executed: instructions and constants, not names and lines."""

import hashlib
import re
import struct
import subprocess
import tempfile
from collections import defaultdict
from functools import partial
from itertools import product
from pathlib import Path

from warpath.devices import nvrtc

ARCHITECTURES = (80, 90)
BASELINE = ("g++", "-std=c++20", "-O3", "-march=native", "-fPIC", "-c")
ATTEMPTS = 12
# Instructions, constants that they read by address, the size of shared memory, and a kernel's attributes. The constants
# that a .cu names are in .nv.global and .nv.constant4 too, but instructions have their values.
EXECUTED = re.compile(r"\.text|\.rela?\.text|\.nv\.(constant[0-3]|shared|info\.)|\.rodata|\.data|\.bss")
# Of the ELF format, and of the records in .nv.info.
NO_BITS = 8  # a section of which the file has the size alone
SIZED_RECORD = 4
PARAMETER_AREA, PARAMETER = 0x0A, 0x17  # attributes: a symbol's number, and a description of each parameter


def difference(before, after):
    """What differs between the code of two configurations, each a source and its defines; None if nothing does.

    NVRTC makes one of a few equivalents of a large kernel, by chance: they are the same if they have one in common.
    """
    builds = zip(compilations(*before), compilations(*after), strict=True)
    return ", ".join(filter(None, (_difference(name, first, second) for (name, first), (_, second) in builds))) or None


def _difference(name, *builds):
    seen = [defaultdict(set) for _ in builds]
    for _ in range(ATTEMPTS):
        for build, digests in zip(builds, seen, strict=True):
            for section, digest in executed(build()).items():
                digests[section].add(digest)
        different = sorted(
            section for section in seen[0].keys() | seen[1].keys() if not seen[0][section] & seen[1][section]
        )
        if not different:
            return None
    return f"{name} {' '.join(different)}"


def compilers():
    """The compilers and architectures that `difference` compares for."""
    versions = [toolkit.identity.split("so.")[-1].strip("']") for toolkit in nvrtc.toolkits()]
    return f"NVRTC {' and '.join(versions)} for {' and '.join(f'sm_{number}' for number in ARCHITECTURES)}"


def compilations(source, defines):
    """(name, function that compiles) of a configuration, for every compiler and architecture."""
    path = Path(source)
    flags = [f"-I{path.parents[1] / 'include'}", *(f"-D{name}={value}" for name, value in defines)]
    if path.suffix == ".cpp":
        return [("g++", partial(_object, path, flags))]
    return [
        (f"CUDA {toolkit.major} sm_{number}", partial(nvrtc.compile_cubin, toolkit, path, number, flags))
        for toolkit, number in product(nvrtc.toolkits(), ARCHITECTURES)
    ]


def _object(path, flags):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "object.o")
        subprocess.run([*BASELINE, *flags, path, "-o", output], check=True)
        return output.read_bytes()


def executed(elf):
    """The digests of an ELF file's executed sections, by name."""
    start, count, names = struct.unpack_from("<Q", elf, 40)[0], *struct.unpack_from("<HH", elf, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, start + 64 * number) for number in range(count)]
    strings = headers[names][4]
    digests = {}
    for place, kind, _, _, offset, size, *_ in headers:
        name = elf[strings + place : elf.index(b"\0", strings + place)].decode()
        if EXECUTED.match(name):
            content = str(size).encode() if kind == NO_BITS else elf[offset : offset + size]
            if name.startswith(".nv.info."):
                content = b"".join(sorted(attributes(content)))
            digests[name] = hashlib.sha256(content).hexdigest()
    return digests


def attributes(records):
    """The attributes of a kernel, such as its launch bounds, but for how it takes its parameters."""
    while records:
        form, attribute, size = struct.unpack_from("<BBH", records)
        length = 4 + size if form == SIZED_RECORD else 4
        if attribute not in (PARAMETER_AREA, PARAMETER):
            yield records[:length]
        records = records[length:]
