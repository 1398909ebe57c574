"""The NVIDIA driver, asked directly: standard library only, so that it can be asked before anything is installed."""

import ctypes


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
    """The UUIDs of those GPUs, in the order in which this process numbers them."""
    library, found = _library(), []
    for index in range(gpus()):
        device, uuid = ctypes.c_int(), (ctypes.c_ubyte * 16)()
        if library.cuDeviceGet(ctypes.byref(device), index) or library.cuDeviceGetUuid(ctypes.byref(uuid), device):
            raise OSError(f"the NVIDIA driver does not tell the UUID of GPU {index}")
        found.append(bytes(uuid).hex())
    return found


def _library():
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
