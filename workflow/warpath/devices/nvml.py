"""What NVML says of a GPU, by ctypes. A machine without NVML, or a GPU that will not tell, is no error: no entry."""

import contextlib
import ctypes
from functools import cache

_CLOCKS = {"sm": 1, "memory": 2}
_TEMPERATURE_OF_GPU = 0

# Bits of the reasons for running slower than the maximum.
_REASONS = {
    0x1: "idle",
    0x2: "application_clocks",
    0x4: "software_power_cap",
    0x8: "hardware_slowdown",
    0x10: "sync_boost",
    0x20: "software_thermal_slowdown",
    0x40: "hardware_thermal_slowdown",
    0x80: "hardware_power_brake",
    0x100: "display_clocks",
}
# Those that take away speed which was asked for; an idle GPU, or clocks that somebody has set, are no throttling.
_SLOWING = {
    "software_power_cap",
    "hardware_slowdown",
    "software_thermal_slowdown",
    "hardware_thermal_slowdown",
    "hardware_power_brake",
}


def environment(bus_id):
    """What stays as it is during a run."""
    nvml, device = _open(bus_id)
    if device is None:
        return {}
    found = {}
    with contextlib.suppress(_RefusedError):
        found["driver"] = _text(nvml.nvmlSystemGetDriverVersion)
    with contextlib.suppress(_RefusedError):
        found["uuid"] = _text(nvml.nvmlDeviceGetUUID, device)
    for name, clock in _CLOCKS.items():
        with contextlib.suppress(_RefusedError):
            found[f"{name}_clock_max_mhz"] = _number(nvml.nvmlDeviceGetMaxClockInfo, device, clock)
    return found


def sensors(bus_id):
    """What changes: clocks, temperature, power, and why the clocks are below their maximum."""
    nvml, device = _open(bus_id)
    if device is None:
        return {}
    found = {}
    for name, clock in _CLOCKS.items():
        with contextlib.suppress(_RefusedError):
            found[f"{name}_clock_mhz"] = _number(nvml.nvmlDeviceGetClockInfo, device, clock)
    with contextlib.suppress(_RefusedError):
        found["temperature_c"] = _number(nvml.nvmlDeviceGetTemperature, device, _TEMPERATURE_OF_GPU)
    with contextlib.suppress(_RefusedError):
        found["power_w"] = _number(nvml.nvmlDeviceGetPowerUsage, device) / 1000
    with contextlib.suppress(_RefusedError):
        found["throttle_reasons"] = _reasons(nvml, device)
    return found


def slowed(bus_id):
    """What slows the GPU down at this moment: one question, to be asked often."""
    nvml, device = _open(bus_id)
    with contextlib.suppress(_RefusedError):
        return set() if device is None else _SLOWING.intersection(_reasons(nvml, device))
    return set()


def _reasons(nvml, device):
    bits = _number(nvml.nvmlDeviceGetCurrentClocksThrottleReasons, device, kind=ctypes.c_ulonglong)
    return [reason for bit, reason in _REASONS.items() if bits & bit]


class _RefusedError(Exception):
    pass


def _number(function, *arguments, kind=ctypes.c_uint):
    value = kind()
    if function(*arguments, ctypes.byref(value)):
        raise _RefusedError
    return value.value


def _text(function, *arguments):
    text = ctypes.create_string_buffer(96)
    if function(*arguments, text, ctypes.c_uint(len(text))):
        raise _RefusedError
    return text.value.decode()


@cache
def _open(bus_id):
    """NVML numbers GPUs in its own way, so the GPU is found by its place on the bus."""
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return None, None
    device = ctypes.c_void_p()
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByPciBusId_v2(bus_id.encode(), ctypes.byref(device)):
        return None, None
    return nvml, device
