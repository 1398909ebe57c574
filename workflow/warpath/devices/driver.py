"""The NVIDIA driver through ctypes. Standard library only: it is asked before anything is installed."""

import ctypes
import functools

OLDEST = 12000  # the CUDA version that a driver must support at least, for one of the CuPy wheels in requirements/


def version():
    """Return the CUDA version that the driver supports (12090 is 12.9), or None without a driver."""
    library = _library()
    number = ctypes.c_int()
    if library is None or library.cuDriverGetVersion(ctypes.byref(number)):
        return None
    return number.value


def gpus():
    """Return the number of GPUs that this process may use; the driver honours CUDA_VISIBLE_DEVICES."""
    library = _library()
    count = ctypes.c_int()
    if library is None or library.cuInit(0) or library.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def uuids():
    """Return the UUIDs of those GPUs in the order of this process's numbering. Each MIG slice has a UUID of its own."""
    library, identifiers = _library(), []
    for index in range(gpus()):
        device, uuid = ctypes.c_int(), (ctypes.c_ubyte * 16)()
        if library.cuDeviceGet(ctypes.byref(device), index) or library.cuDeviceGetUuid_v2(ctypes.byref(uuid), device):
            raise OSError(f"the NVIDIA driver does not report the UUID of GPU {index}")
        identifiers.append(bytes(uuid).hex())
    return identifiers


def too_old_message():
    found = f"{version() // 1000}.{version() % 1000 // 10}"
    return f"the NVIDIA driver supports CUDA {found} and CUDA 12.0 is needed; update the driver to 525 or later"


def properties(index=0):
    """Return what algorithms and compilers ask of a GPU, without creating its context."""
    library, device, memory = _library(), ctypes.c_int(), ctypes.c_size_t()
    is_there = gpus() and not library.cuDeviceGet(ctypes.byref(device), index)
    if not is_there or library.cuDeviceTotalMem_v2(ctypes.byref(memory), device):
        raise OSError("the NVIDIA driver shows no GPU")

    def attribute(number):
        value = ctypes.c_int()
        library.cuDeviceGetAttribute(ctypes.byref(value), number, device)
        return value.value

    return {
        "architecture": 10 * attribute(75) + attribute(76),  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
        "multiprocessors": attribute(16),  # CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
        "shared_memory": attribute(97),  # CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        "memory": memory.value,
    }


def parameters(function):
    """Return how many parameters a loaded kernel takes, or None from a driver before CUDA 12.4."""
    describe = getattr(_library(), "cuFuncGetParamInfo", None)
    offset, size, count = ctypes.c_size_t(), ctypes.c_size_t(), 0
    if describe is None:
        return None
    while not describe(ctypes.c_void_p(function), ctypes.c_size_t(count), ctypes.byref(offset), ctypes.byref(size)):
        count += 1
    return count


def addresses(*names):
    """Return where functions of the driver are, for native code that calls them."""
    return [ctypes.cast(getattr(_library(), name), ctypes.c_void_p).value for name in names]


@functools.cache
def _library():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
