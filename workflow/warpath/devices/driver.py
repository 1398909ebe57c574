"""The NVIDIA driver, asked directly: standard library only, so that it can be asked before anything is installed."""

import ctypes
import threading

OLDEST = 12000  # the CUDA version that the oldest driver must support for which there is a CuPy wheel here


def version():
    """The CUDA version that the driver supports, as 12090 for 12.9; None without a driver."""
    library = _library()
    number = ctypes.c_int()
    if library is None or library.cuDriverGetVersion(ctypes.byref(number)):
        return None
    return number.value


def gpus():
    """How many GPUs this process may use; the driver honours CUDA_VISIBLE_DEVICES."""
    library = _library()
    count = ctypes.c_int()
    if library is None or library.cuInit(0) or library.cuDeviceGetCount(ctypes.byref(count)):
        return 0
    return count.value


def uuids():
    """The UUIDs of those GPUs, in the order in which this process numbers them; slices of one GPU have their own."""
    library, found = _library(), []
    for index in range(gpus()):
        device, uuid = ctypes.c_int(), (ctypes.c_ubyte * 16)()
        identify = getattr(library, "cuDeviceGetUuid_v2", None) or library.cuDeviceGetUuid  # before CUDA 11.4
        if library.cuDeviceGet(ctypes.byref(device), index) or identify(ctypes.byref(uuid), device):
            raise OSError(f"the NVIDIA driver does not tell the UUID of GPU {index}")
        found.append(bytes(uuid).hex())
    return found


def wake(number):
    """Make the context of that GPU in a thread of its own, while Python imports what is to use it.

    Whatever goes wrong goes wrong once more where the device is opened, and is said there.
    """
    threading.Thread(target=_retain, args=(number,), daemon=True).start()


def _retain(number):
    library, device, context = _library(), ctypes.c_int(), ctypes.c_void_p()
    if not library.cuDeviceGet(ctypes.byref(device), number):
        library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)


def too_old():
    return (
        f"the NVIDIA driver supports CUDA {version() // 1000}.{version() % 1000 // 10} and CUDA 12.0 is needed; "
        "update the driver to 525 or later"
    )


def oldest_architecture():
    """The lowest compute capability among those GPUs, as 70 for 7.0; None without a GPU."""
    library, found = _library(), []
    for index in range(gpus()):
        device, number = ctypes.c_int(), [ctypes.c_int(), ctypes.c_int()]
        library.cuDeviceGet(ctypes.byref(device), index)
        for attribute, value in zip((75, 76), number, strict=True):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
            library.cuDeviceGetAttribute(ctypes.byref(value), attribute, device)
        found.append(10 * number[0].value + number[1].value)
    return min(found, default=None)


def parameters(function):
    """How many parameters a loaded kernel takes; None where the driver (before CUDA 12.4) does not tell."""
    describe = getattr(_library(), "cuFuncGetParamInfo", None)
    offset, size, count = ctypes.c_size_t(), ctypes.c_size_t(), 0
    if describe is None:
        return None
    while not describe(ctypes.c_void_p(function), ctypes.c_size_t(count), ctypes.byref(offset), ctypes.byref(size)):
        count += 1
    return count


def _library():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
