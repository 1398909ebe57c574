"""The host device: a .cu file compiled by g++ through kernels/host, for machines without a GPU and for sanitizers."""

import ctypes
import os
import resource
import time

import numpy as np

from warpath.algorithms import discovery
from warpath.devices import source
from warpath.devices.errors import KernelFault, UnsupportedLaunch
from warpath.devices.launch import Arguments, scalar_bits, shape
from warpath.foundation import compiler, processor

HOST = discovery.KERNELS / "host"
MOST_STACK = 200_000  # bytes a thread, of the 256 KB that kernels/host gives it
MOST_SHARED = 227 * 1024  # bytes a block; kernels/host has the same number

_OPTIONS = [
    "-std=c++17",
    "-O2",
    "-march=native",
    "-pthread",
    "-g1",
    "-fno-tree-slp-vectorize",  # or threadIdx goes through a vector register, which doubles the cost of a thread
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "-fno-extern-tls-init",
    "-Wno-unknown-pragmas",
]


class _Kernel(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("parameters", ctypes.c_char_p), ("run_threads", ctypes.c_void_p))


class _Configuration(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
        ("cooperative", ctypes.c_uint),
        ("workers", ctypes.c_uint),
        ("error_size", ctypes.c_uint),
        ("error", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
    )


class Device:
    kind = "host"
    memory = 8 << 30  # bytes that algorithms may plan with: on every machine the same
    xp = np

    def __init__(self):
        self.launches = 0
        self.multiprocessors = processor.cores()

    def put(self, array):
        return np.array(array, order="C", copy=True)

    def get(self, array):
        return np.array(array, copy=True)

    def kernels(self, file, *names, **defines):
        library = ctypes.CDLL(str(_library(source.beside(file, ".cu"), names, defines, _runtime())))
        return tuple(Kernel(self, library, name) for name in names)

    def flag(self):
        return Flag()

    def words(self, count):
        return Words(count)

    def timer(self):
        return Timer()

    def synchronize(self):
        """Launches return when they are done."""

    def memory_used(self):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def environment(self):
        unknown = {"uuid": None, "driver": None, "cuda": None, "compute_capability": None}
        return {**processor.environment(), **unknown, "compiler": compiler.version()}

    def sensors(self):
        return processor.sensors()

    def slowed(self):
        """A CPU does not say."""
        return set()


class Kernel:
    def __init__(self, device, library, name, cooperative=False):
        self.name, self._device, self._library, self._cooperative = name, device, library, cooperative
        self._kernel = _Kernel.in_dll(library, f"warpath_kernel_{name}")
        letters, digits = self._kernel.parameters.decode().split("/")
        self._parameters = [(letter, int(digit)) for letter, digit in zip(letters, digits, strict=True)]
        self._arguments = Arguments(name, len(self._parameters), self._bits)
        self._error = ctypes.create_string_buffer(1024)

    @property
    def cooperative(self):
        return Kernel(self._device, self._library, self.name, cooperative=True)

    def resident_blocks(self, block, shared=0):
        """Each block of a cooperative launch has an OS thread of its own; a few more than cores cost little."""
        return max(4, self._device.multiprocessors)

    def __getitem__(self, key):
        grid, block, shared = shape(self.name, key)
        if shared > MOST_SHARED:
            raise UnsupportedLaunch(f"{self.name}: {shared} bytes of shared memory a block, the most is {MOST_SHARED}")
        if self._cooperative and grid[0] * grid[1] * grid[2] > self.resident_blocks(block, shared):
            raise UnsupportedLaunch(
                f"{self.name}: {grid} cooperating blocks, the most is {self.resident_blocks(block)}"
            )
        configuration = _Configuration(
            grid=grid,
            block=block,
            shared_bytes=shared,
            cooperative=self._cooperative,
            workers=self._device.multiprocessors,
            error_size=len(self._error),
            error=ctypes.addressof(self._error),
            arguments=self._arguments.address,
        )
        call = (ctypes.byref(self._kernel), ctypes.byref(configuration), self._library.warpath_dynamic_shared)
        device, pack, run = self._device, self._arguments.pack, self._library.warpath_launch

        def launch(*arguments):
            pack(arguments)
            device.launches += 1
            if run(*call):
                raise KernelFault(self._error.value.decode())

        return launch

    def _bits(self, position, argument):
        """The 64 bits of an argument, which a GPU would believe; here a wrong type or size is noticed."""
        letter, size = self._parameters[position]
        if letter == "p":
            if argument is None:
                return 0
            if isinstance(argument, np.ndarray) and argument.flags.c_contiguous and size in (0, argument.itemsize):
                return argument.__array_interface__["data"][0]
            expected = f"a contiguous array of {size}-byte elements" if size else "a contiguous array"
        elif letter == "f":
            if isinstance(argument, np.floating) and argument.itemsize == size:
                return scalar_bits(argument)
            expected = f"np.float{8 * size}"
        else:
            if isinstance(argument, (int, np.integer, np.bool_)) and -(1 << 8 * size - 1) <= argument < 1 << 8 * size:
                return scalar_bits(argument)
            expected = f"an integer of {8 * size} bits"
        raise TypeError(f"{self.name}: argument {position + 1} must be {expected}, not {_describe(argument)}")


class Flag:
    """A 4-byte integer that kernels set and the host loop reads."""

    def __init__(self):
        self.array = np.zeros(1, np.int32)

    def clear(self):
        self.array[0] = 0

    def set(self, value):
        self.array[0] = value

    def read(self):
        return int(self.array[0])


class Words:
    """As a flag, but several numbers that the host loop may change before kernels go on with them."""

    def __init__(self, count):
        self.array = np.zeros(count, np.int32)

    def read(self, count):
        return self.array[:count]

    def write(self, count):
        pass  # they are the same memory


class Timer:
    def start(self):
        self._start = time.perf_counter_ns()

    def stop(self):
        self._stop = time.perf_counter_ns()

    def milliseconds(self):
        return (self._stop - self._start) / 1e6


def _describe(argument):
    if isinstance(argument, np.ndarray):
        order = "" if argument.flags.c_contiguous else "non-contiguous "
        return f"a {order}{argument.dtype} array"
    return f"{argument!r} of type {type(argument).__name__}"


def sanitizers():
    """Compiler options for WARPATH_SANITIZE=address,undefined; the process needs their runtime preloaded."""
    chosen = os.environ.get("WARPATH_SANITIZE", "")
    return [f"-fsanitize={chosen}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"] if chosen else []


def _options():
    return [*_OPTIONS, *sanitizers()]


def _files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".hpp", ".h", ".cpp"))


def _runtime():
    """The library that runs blocks: one for all kernels of a process."""
    sources = sorted((HOST / "runtime").glob("*.cpp"))
    return compiler.library("runtime", _options(), sources, [path.read_bytes() for path in _files(HOST)])


def _library(path, names, defines, runtime):
    source.refuse_absent(path, names)
    options = [*_options(), *source.options(defines), f"-I{HOST}", "-include", HOST / "cuda.hpp"]
    if not sanitizers():  # which make frames larger, and stacks too
        options.append(f"-Werror=frame-larger-than={MOST_STACK}")
    unit = f'#include "{path.resolve()}"\n' + "".join(f"WARPATH_EXPORT({name})\n" for name in names)
    link = [f"-L{runtime.parent}", f"-l:{runtime.name}", "-Wl,-rpath,$ORIGIN"]
    sources = [HOST / "shared.cpp", "-x", "c++", "-", *link]
    return compiler.library(path.stem, options, sources, [runtime.name, unit, *source.contents(path)], unit)
