"""The host device: .cu files compiled by g++ with kernels/host, for machines without a GPU and for sanitizers."""

import contextlib
import ctypes
from time import perf_counter_ns

import numpy as np

from warpath.base import compiler, places, processor, variables
from warpath.devices import code, launch, rounds
from warpath.devices.errors import KernelFault

HOST = places.KERNELS / "host"
MAX_FRAME = 200_000  # bytes of a function's variables: kernels/host gives a thread a stack of 256 KB

_OPTIONS = [
    "-std=c++17",
    "-O2",
    "-march=native",
    "-pthread",
    "-g1",
    "-fno-tree-slp-vectorize",  # otherwise threadIdx goes through a vector register, which doubles a thread's cost
    f"-DWARPATH_MAX_SHARED={launch.MAX_SHARED}",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "-fno-extern-tls-init",
    "-Wno-unknown-pragmas",
]


class _Kernel(ctypes.Structure):
    """host::Kernel of kernels/host/block.hpp."""

    _fields_ = (("name", ctypes.c_char_p), ("parameters", ctypes.c_char_p), ("run_threads", ctypes.c_void_p))


class _Configuration(ctypes.Structure):
    """host::Configuration of kernels/host/runtime/launch.hpp."""

    _fields_ = (
        *((name, ctypes.c_uint * 3) for name in ("grid", "block")),
        *((name, ctypes.c_uint) for name in ("shared_bytes", "cooperative", "workers", "error_size")),
        *((name, ctypes.c_void_p) for name in ("error", "arguments")),
    )


class Words:
    """int32 numbers that kernels and the host loop share: it is the same memory, so nothing is copied."""

    def __init__(self, count):
        self.array = np.zeros(count, np.int32)
        self.address = self.array.__array_interface__["data"][0]

    def clear(self):
        self.array.fill(0)

    def fetch(self, count):
        pass

    def read(self, count):
        return self.array[:count]

    def write(self, count):
        pass


class Timer:
    def start(self):
        self._start = perf_counter_ns()

    def stop(self):
        self._stop = perf_counter_ns()

    def since(self, earlier):
        return (self._start - earlier._start) / 1e6

    def milliseconds(self):
        return (self._stop - self._start) / 1e6


class Device:
    kind = "host"
    preparing = keeping = contextlib.nullcontext
    words, timer, flag, repeat = Words, Timer, rounds.flag, rounds.repeat
    sensors = staticmethod(processor.sensors)
    memory = 8 << 30  # bytes that algorithms may plan with, the same on every machine
    shared_memory = launch.MAX_SHARED
    xp = np

    def __init__(self):
        self.multiprocessors = processor.cores()
        self.begin()

    def put(self, array):
        return np.array(array, order="C", copy=True)

    def get(self, array):
        return np.array(array, copy=True)

    pin = put  # device memory is the host's

    @staticmethod
    def overwrite(array):
        array.fill(np.frombuffer(bytes([launch.NO_ANSWER] * array.itemsize), array.dtype)[0])

    def flush(self):
        """Do nothing: times of emulated kernels say nothing about caches."""
        return False

    def kernels(self, stem, *names, **defines):
        """Return those kernels of the .cu file of that stem, compiled with a -D option for each define."""
        library = compiler.load(compiled(stem, names, defines))
        return tuple(Kernel(self, library, name) for name in names)

    def loop(self, flag, *bound, of_a_round=1, clocked=True):
        """Return a native loop over these launches, so many a round, until a round leaves the flag at 0."""
        native, place = rounds.native().rounds_on_host, ctypes.c_void_p(flag and flag.address)

        def run(launches, count, of_a_round, most, made):
            return native(launches, count, of_a_round, place, most, made)

        def check(error):
            if error:
                raise KernelFault(next(filter(None, (each.error.value.decode() for each in bound))))

        return rounds.Loop(self, bound, of_a_round, run, check)

    def begin(self):
        """Begin a run: count its launches and its memory from here."""
        self.launches = 0
        self._memory_before = processor.reset_peak()

    def end(self):
        """End a run. Its arrays are the process's, which is replaced."""
        return 0

    def free_bytes(self):
        return processor.free_bytes()

    def memory_used(self):
        """Return the bytes by which this process has grown in the run, at most."""
        return processor.memory("VmHWM") - self._memory_before

    def environment(self):
        unknown = {"uuid": None, "driver": None, "cuda": None, "compute_capability": None}
        return {**processor.environment(), **unknown, "compiler": compiler.version()}

    def slowed(self):
        """Return nothing: a CPU does not report throttling."""
        return set()

    def _nothing(self):
        """A launch returns when its kernel has ended, no memory waits to be given back, and energy is not counted."""

    synchronize = trim = joules = _nothing


class Kernel(launch.Kernel):
    def __init__(self, device, library, name):
        self._library, self._kernel = library, _Kernel.in_dll(library, f"warpath_kernel_{name}")
        letters, digits = self._kernel.parameters.decode().split("/")
        self._parameters = [(letter, int(digit)) for letter, digit in zip(letters, digits, strict=True)]
        self._error = ctypes.create_string_buffer(1024)
        super().__init__(device, name, len(self._parameters))

    def resident_blocks(self, block, shared=0):
        """Return the limit of a cooperative launch: each block gets an OS thread; a few more than cores are cheap."""
        return max(4, self._device.multiprocessors)

    def _launch(self, grid, block, shared):
        configuration = self._configuration(grid, block, shared, self._arguments)
        call = (ctypes.byref(self._kernel), ctypes.byref(configuration), self._library.warpath_dynamic_shared)
        device, pack, run = self._device, self._arguments.pack, self._library.warpath_launch

        def launched(*arguments):
            pack(arguments)
            device.launches += 1
            if run(*call):
                raise KernelFault(self._error.value.decode())

        return launched

    def _bound(self, grid, block, shared, own, arguments):
        configuration = self._configuration(grid, block, shared, own)
        bound = rounds.HostLaunch(
            launch=ctypes.cast(self._library.warpath_launch, ctypes.c_void_p),
            kernel=ctypes.addressof(self._kernel),
            configuration=ctypes.addressof(configuration),
            dynamic_shared=ctypes.cast(self._library.warpath_dynamic_shared, ctypes.c_void_p),
        )
        return rounds.Bound(bound, self._error, self, own, configuration, arguments)

    def _configuration(self, grid, block, shared, arguments):
        return _Configuration(
            grid=grid,
            block=block,
            shared_bytes=shared,
            cooperative=self._cooperative,
            workers=self._device.multiprocessors,
            error_size=len(self._error),
            error=ctypes.addressof(self._error),
            arguments=arguments.address,
        )

    def _allow(self, block, shared):
        self._allow_shared(shared)

    def _bits(self, position, argument):
        """Return the 64 bits of an argument; raise TypeError for a wrong type or size, which a GPU would not notice."""
        letter, size = self._parameters[position]
        if letter == "p":
            if argument is None:
                return 0
            if isinstance(argument, np.ndarray) and argument.flags.c_contiguous and size in (0, argument.itemsize):
                return argument.__array_interface__["data"][0]
            expected = f"a contiguous array of {size}-byte elements" if size else "a contiguous array"
        elif letter == "f":
            if isinstance(argument, np.floating) and argument.itemsize == size:
                return launch.scalar_bits(argument)
            expected = f"np.float{8 * size}"
        else:
            if isinstance(argument, (int, np.integer, np.bool_)) and -(1 << 8 * size - 1) <= argument < 1 << 8 * size:
                return launch.scalar_bits(argument)
            expected = f"an integer of {8 * size} bits"
        found = f"{argument!r} of type {type(argument).__name__}"
        if isinstance(argument, np.ndarray):
            found = f"a {'' if argument.flags.c_contiguous else 'non-contiguous '}{argument.dtype} array"
        raise TypeError(f"{self.name}: argument {position + 1} must be {expected}, not {found}")


def sanitizers():
    """Return compiler options for WARPATH_SANITIZE=address,undefined; their runtime must be preloaded (LD_PRELOAD)."""
    chosen = variables.value("WARPATH_SANITIZE")
    return [f"-fsanitize={chosen}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-Og"] if chosen else []


def compiled(stem, names, defines, architecture=None):
    """Return the library with those kernels, linked to the one runtime of all kernels of a process."""
    files, own = code.files(stem, ".cu"), [*_OPTIONS, *sanitizers()]
    file, contents = files[0], code.contents(files, names)
    parts = sorted(path for path in HOST.rglob("*") if path.suffix in (".hpp", ".h", ".cpp"))
    sources = sorted((HOST / "runtime").glob("*.cpp"))
    runtime = compiler.library("runtime", own, sources, [path.read_bytes() for path in parts])
    options = [*own, *code.options(defines)]
    if not sanitizers():  # they make frames larger, and kernels/host gives them larger stacks
        options.append(f"-Werror=frame-larger-than={MAX_FRAME}")
    exports = "".join(f"WARPATH_EXPORT({name})\n" for name in names)
    unit = f'#include "{file.resolve()}"\n{exports}'
    include = [f"-I{code.include(file)}", f"-I{HOST}", "-include", HOST / "cuda.hpp"]
    link = [f"-L{runtime.parent}", f"-l:{runtime.name}", "-Wl,-rpath,$ORIGIN"]
    sources = [*include, HOST / "shared.cpp", "-x", "c++", "-", *link]
    return compiler.library(file.stem, options, sources, [runtime.name, exports, *contents], unit)
