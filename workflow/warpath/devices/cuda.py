"""The cuda device: arrays, streams and events by CuPy, kernels by NVRTC (nvrtc.py), launches by CuPy's driver calls.

Not by RawModule and RawKernel: these keep a module by its file, with what a run has left in its global variables, and
convert every argument of every launch anew. Here a launch converts what has changed since the one before it.
"""

import contextlib
import ctypes
import functools
import importlib.util
import math
import os
import weakref

import numpy as np

from warpath.base import cache
from warpath.base.errors import UserError
from warpath.base.files import state
from warpath.devices import code, driver, host, launch, nvml, nvrtc, rounds
from warpath.devices.errors import KernelFault, OutOfMemory, UnsupportedLaunch

# Error codes, the same in the driver and in the runtime: too few resources for a launch, too many cooperating blocks.
_ERRORS = {2: OutOfMemory, 701: UnsupportedLaunch, 720: UnsupportedLaunch}

READ_ONLY = 8  # cudaHostRegisterReadOnly

GLOBALS = b".nv.global"  # the section of a cubin with a module's global variables


class Device:
    """A GPU. Its `architecture` (90 for sm_90), `multiprocessors`, `shared_memory` and `memory` are the driver's."""

    kind = "cuda"

    def __init__(self, number=0):
        require()
        os.environ.setdefault("CUPY_CACHE_DIR", str(cache.folder() / "cupy"))  # for CuPy's own kernels
        import cupy

        self.number, self.launches = number, 0
        self._modules = {}  # by cubin
        self.xp, self.runtime, self.launcher = cupy, cupy.cuda.runtime, cupy.cuda.driver
        with self.guard():
            cupy.cuda.Device(number).use()
            self.runtime.free(0)  # creates the context
        vars(self).update(driver.properties(number))
        self.begin()

    def begin(self):
        """Begin a run: its arrays come from a pool of its own, as if it had the process to itself."""
        self.launches = 0
        self._pool = self.xp.cuda.MemoryPool()
        self.xp.cuda.set_allocator(self._pool.malloc)

    def end(self):
        """End a run: give its memory back, and return the bytes that are still in use."""
        with self.guard():
            self._pool.free_all_blocks()
        return self._pool.total_bytes()

    def trim(self):
        """Give back the memory of kept arrays that were dropped."""
        with self.guard():
            self.xp.get_default_memory_pool().free_all_blocks()

    @contextlib.contextmanager
    def keeping(self):
        """Allocate arrays that outlive the run."""
        with self.xp.cuda.using_allocator(self.xp.get_default_memory_pool().malloc):
            yield

    @contextlib.contextmanager
    def preparing(self):
        """Reduce arrays by CuPy's own kernels: those of CUB are faster, but take 3 s each to compile."""
        accelerators = self.xp._core.get_reduction_accelerators()
        self.xp._core.set_reduction_accelerators([])
        try:
            yield
        finally:
            self.xp._core.set_reduction_accelerators(accelerators)

    @functools.cached_property
    def _bus_id(self):
        return self.runtime.deviceGetPCIBusId(self.number)

    def put(self, array):
        array = np.ascontiguousarray(array)
        with self.guard():
            copy = self.xp.empty(array.shape, array.dtype)
            copy.set(array)  # asarray would pin a copy on the host first, at 2 GB/s
            return copy

    def pin(self, array):
        """Return an array through which kernels read the host's own over the link; graphs are not copied."""
        array, cuda = np.ascontiguousarray(array), self.xp.cuda
        with self.guard():
            try:
                owner, address = array.view(), array.ctypes.data
                self.runtime.hostRegister(address, array.nbytes, 0 if array.flags.writeable else READ_ONLY)
                weakref.finalize(owner, self.runtime.hostUnregister, address).atexit = False
            except self.runtime.CUDARuntimeError:  # it shares a page with another one
                owner = cuda.alloc_pinned_memory(max(1, array.nbytes))
                address = owner.ptr
                np.frombuffer(owner, array.dtype, array.size)[:] = array.ravel()
        memory = cuda.UnownedMemory(address, array.nbytes, owner, self.number)
        return self.xp.ndarray(array.shape, array.dtype, cuda.MemoryPointer(memory, 0))

    def get(self, array):
        with self.guard():
            return self.xp.asnumpy(array)

    def overwrite(self, array):
        """Set every byte of an array, on the device or the host, to what no answer has."""
        if isinstance(array, np.ndarray) or not array.flags.c_contiguous:
            host.Device.overwrite(array)
        else:
            stream = self.xp.cuda.get_current_stream().ptr
            self.runtime.memsetAsync(array.data.ptr, launch.NO_ANSWER, array.nbytes, stream)

    def flush(self):
        """Overwrite the second-level cache; whether there was memory for that."""
        with contextlib.suppress(OutOfMemory), self.guard():
            self.overwrite(self.xp.empty(2 * self.environment()["l2_bytes"], "uint8"))
            return True
        return False

    def kernels(self, stem, *names, **defines):
        """Return those kernels of the .cu file of that stem, compiled with a -D option for each define."""
        with self.guard():
            cubin = compiled(stem, names, defines, self.architecture)
            module = self._modules.get(cubin)
            if module is None:
                module = Module(self, cubin)
                if GLOBALS not in cubin:  # which would carry over from one run to the next
                    self._modules[cubin] = module
            return tuple(Kernel(self, name, *module.described(name)) for name in names)

    flag, repeat = rounds.flag, rounds.repeat

    def words(self, count):
        return Words(self, count)

    def timer(self):
        return Timer(self)

    def loop(self, flag, *bound, of_a_round=1, clocked=True):
        """Return a native loop over launches until a round leaves the flag at 0; it is faster if not `clocked`."""
        native = rounds.native().rounds_on_cuda
        names = "cuLaunchKernel", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemsetD32Async"
        functions = (ctypes.c_void_p * len(names))(*driver.addresses(*names))
        on_device, pinned = (flag.array.data.ptr, flag.address) if flag else (0, None)
        where = ctypes.c_uint64(on_device), ctypes.c_void_p(pinned), ctypes.c_int(clocked)

        def run(launches, count, of_a_round, most, made):
            return native(functions, launches, count, of_a_round, *where, most, made)

        return rounds.Loop(self, bound, of_a_round, run, self._check_driver)

    def _check_driver(self, error):
        if error:
            raise _translated(self.launcher.CUDADriverError(error))

    def synchronize(self):
        with self.guard():
            self.runtime.deviceSynchronize()

    def free_bytes(self):
        with self.guard():
            return self.runtime.memGetInfo()[0]

    def memory_used(self):
        """Return the bytes of the run's pool, which only grows."""
        return self._pool.total_bytes()

    def environment(self):
        return self._environment

    @functools.cached_property
    def _environment(self):
        properties = self.runtime.getDeviceProperties(self.number)
        return {
            "device_name": properties["name"].decode(),
            "uuid": None,
            "driver": None,
            "cuda": _dotted(self.runtime.driverGetVersion()),
            "cuda_runtime": _dotted(self.runtime.runtimeGetVersion()),
            "nvrtc": _toolkit().identity,
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "multiprocessors": self.multiprocessors,
            "memory_bytes": self.memory,
            "l2_bytes": properties["l2CacheSize"],
            **nvml.environment(self._bus_id),
        }

    def sensors(self):
        return nvml.sensors(self._bus_id)

    def slowed(self):
        return nvml.slowed(self._bus_id)

    def joules(self):
        return nvml.joules(self._bus_id)

    @contextlib.contextmanager
    def guard(self):
        """Translate CuPy's errors into those of warpath.devices.errors."""
        try:
            yield
        except self.xp.cuda.memory.OutOfMemoryError as error:
            raise OutOfMemory(str(error)) from error
        except (self.runtime.CUDARuntimeError, self.launcher.CUDADriverError) as error:
            raise _translated(error) from error


class Module:
    """Machine code on a device; what the driver says of its kernels, which takes it long, is asked once."""

    def __init__(self, device, cubin):
        self._module, self._launcher, self._known = device.xp.cuda.Module(), device.launcher, {}
        self._module.load(cubin)

    def described(self, name):
        """Return a kernel's function, number of parameters, most threads and bytes of shared memory a block."""
        if name not in self._known:
            function, launcher = self._module.get_function(name), self._launcher
            asked = launcher.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, launcher.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
            attributes = [launcher.funcGetAttribute(attribute, function.ptr) for attribute in asked]
            self._known[name] = function, driver.parameters(function.ptr), *attributes
        return self._known[name]


class Kernel(launch.Kernel):
    def __init__(self, device, name, function, parameters, max_threads, static_shared):
        super().__init__(device, name, parameters)
        self._function, self._max_threads, self._static_shared = function, max_threads, static_shared

    def resident_blocks(self, block, shared=0):
        """Return how many blocks the whole device runs at once, the limit of a cooperative launch."""
        _, block, shared = launch.shape(self.name, (1, block, shared))
        self._allow(block, shared)
        resident = self._device.launcher.occupancyMaxActiveBlocksPerMultiprocessor
        with self._device.guard():
            return self._device.multiprocessors * resident(self._function.ptr, math.prod(block), shared)

    def _launch(self, grid, block, shared):
        device, pack = self._device, self._arguments.pack
        launcher, stream = device.launcher, device.xp.cuda.get_current_stream
        run = launcher.launchCooperativeKernel if self._cooperative else launcher.launchKernel
        head = (self._function.ptr, *grid, *block, shared)
        tail = (self._arguments.address,) if self._cooperative else (self._arguments.address, 0)

        def launched(*arguments):
            pack(arguments)
            device.launches += 1
            try:
                run(*head, stream().ptr, *tail)
            except launcher.CUDADriverError as error:
                raise _translated(error) from error

        return launched

    def _bound(self, grid, block, shared, own, arguments):
        bound = rounds.CudaLaunch(self._function.ptr, own.address, grid, block, shared)
        return rounds.Bound(bound, None, self, own, arguments)

    def _allow(self, block, shared):
        """Opt in to the shared memory that a launch needs; raise UnsupportedLaunch beyond the kernel's limits."""
        threads, most = math.prod(block), self._max_threads
        if threads > most:
            raise UnsupportedLaunch(f"{self.name}: {threads} threads a block; at most {most}, given its registers")
        size = self._static_shared + shared
        self._allow_shared(size)
        if size > launch.DEFAULT_SHARED:
            launcher = self._device.launcher
            attribute = launcher.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            with self._device.guard():
                allowed = launcher.funcGetAttribute(attribute, self._function.ptr)
                # Never less than before: launches that were kept rely on it.
                launcher.funcSetAttribute(self._function.ptr, attribute, max(shared, allowed))

    def _bits(self, position, argument):
        if isinstance(argument, self._device.xp.ndarray):
            if not argument.flags.c_contiguous:
                raise TypeError(f"{self.name}: argument {position + 1} must be a contiguous array")
            return argument.data.ptr
        bits = 0 if argument is None else launch.scalar_bits(argument)
        if bits is None:
            expected = "a device array, an integer or a NumPy number"
            raise TypeError(f"{self.name}: argument {position + 1} must be {expected}, not {type(argument).__name__}")
        return bits


class Words:
    """int32 numbers on the device, and a pinned copy at `address` that the host loop reads and changes."""

    def __init__(self, device, count):
        self._device, self._runtime, self._bytes = device, device.runtime, 4 * count
        self.array = device.xp.zeros(count, "int32")
        self._pinned = device.xp.cuda.alloc_pinned_memory(self._bytes)
        self._on_device, self.address = self.array.data.ptr, self._pinned.ptr
        self._values = np.frombuffer(self._pinned, np.int32, count)

    def clear(self):
        self._runtime.memsetAsync(self._on_device, 0, self._bytes, self._stream())

    def fetch(self, count):
        """Copy the first `count` to `address` and wait for them."""
        stream, to_host = self._stream(), self._runtime.memcpyDeviceToHost
        with self._device.guard():
            self._runtime.memcpyAsync(self.address, self._on_device, 4 * count, to_host, stream)
            self._runtime.streamSynchronize(stream)

    def read(self, count):
        """Return the first `count` as an array, valid until the next read; `write` sends changes to the device."""
        self.fetch(count)
        return self._values[:count]

    def write(self, count):
        """Send the first `count`, which must stay as they are until the next read."""
        to_device = self._runtime.memcpyHostToDevice
        self._runtime.memcpyAsync(self._on_device, self.address, 4 * count, to_device, self._stream())

    def _stream(self):
        return self._device.xp.cuda.get_current_stream().ptr


class Timer:
    """Device time between two points of the current stream."""

    def __init__(self, device):
        self._device = device
        self._start, self._stop = device.xp.cuda.Event(), device.xp.cuda.Event()

    def start(self):
        self._start.record()

    def stop(self):
        self._stop.record()

    def since(self, earlier):
        """Return the milliseconds from the start of an earlier timer to the start of this one."""
        return self._between(earlier._start, self._start)

    def milliseconds(self):
        return self._between(self._start, self._stop)

    def _between(self, begin, end):
        with self._device.guard():
            end.synchronize()
            return self._device.xp.cuda.get_elapsed_time(begin, end)


def require():
    """Raise a one-line error if the driver, a GPU or CuPy is missing, before anything slow is imported."""
    advice = "or set device: host"
    if driver.version() is None:
        raise UserError(f"device cuda: no NVIDIA driver (libcuda.so.1); install one, {advice}")
    if driver.version() < driver.OLDEST:
        raise UserError(f"device cuda: {driver.too_old_message()}, {advice}")
    if not driver.gpus():
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        hidden = "" if visible is None else f" with CUDA_VISIBLE_DEVICES={visible}"
        raise UserError(f"device cuda: the NVIDIA driver shows no GPU{hidden}; make one visible, {advice}")
    if importlib.util.find_spec("cupy") is None:
        raise UserError("device cuda: CuPy is not installed: delete .venv and run make again")


def compiled(stem, names, defines, architecture):
    """Return the machine code of those kernels, from the cache or compiled; needs no GPU.

    It is not looked up again, which takes 6 to 13 ms, until a file that it is compiled from has changed.
    """
    asked = stem, names, tuple(defines.items()), architecture
    with contextlib.suppress(KeyError, FileNotFoundError):
        before, cubin = _compiled[asked]
        if before == {file: state(file) for file in before}:
            return cubin
    files, toolkit, options = code.files(stem, ".cu"), _toolkit(), code.options(defines)
    before = {file: state(file) for file in files}
    ingredients = [toolkit.identity, architecture, *options, *code.contents(files, names)]
    path = cache.path(f"{files[0].stem}-sm{architecture}", ".cubin", ingredients)
    cache.built(path, lambda file: file.write_bytes(nvrtc.compile_cubin(toolkit, files[0], architecture, options)))
    _compiled[asked] = before, cache.content(path)
    return _compiled[asked][1]


_compiled = {}  # by what was asked for: the state of its files, and the machine code


def _toolkit():
    return nvrtc.newest(cuda=driver.version() // 1000)


def _translated(error):
    return _ERRORS.get(getattr(error, "status", None), KernelFault)(str(error))


def _dotted(version):
    return f"{version // 1000}.{version % 1000 // 10}"
