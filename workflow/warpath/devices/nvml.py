"""Driver version, clocks, temperature, power and throttling of a GPU, read from NVML through nvidia-ml-py.

A field that cannot be read is left out and nothing here raises, so that no run fails for want of a sensor: NVML may be
absent, a GPU or its driver may lack a query, and nvidia-ml-py may be missing although it is a requirement. The first
query imports it, which takes 15 ms: most processes never ask.
"""

import contextlib
from functools import cache

# Why clocks are below their maximum, as NVML names it; an idle GPU, or clocks that were set on purpose, are no loss.
_THROTTLING = {"SwPowerCap", "HwSlowdown", "SwThermalSlowdown", "HwThermalSlowdown", "HwPowerBrakeSlowdown"}
_REASONS = ("GpuIdle", "ApplicationsClocksSetting", "SyncBoost", "DisplayClockSetting", *sorted(_THROTTLING))


def environment(bus_id):
    """Return the fields that stay the same during a run."""
    return _answers(
        bus_id,
        driver=lambda nvml, _: nvml.nvmlSystemGetDriverVersion(),
        uuid=lambda nvml, gpu: nvml.nvmlDeviceGetUUID(gpu),
        sm_clock_max_mhz=lambda nvml, gpu: nvml.nvmlDeviceGetMaxClockInfo(gpu, nvml.NVML_CLOCK_SM),
        memory_clock_max_mhz=lambda nvml, gpu: nvml.nvmlDeviceGetMaxClockInfo(gpu, nvml.NVML_CLOCK_MEM),
    )


def sensors(bus_id):
    """Return the fields that change: clocks, temperature, power, and why the clocks are below their maximum."""
    return _answers(
        bus_id,
        sm_clock_mhz=lambda nvml, gpu: nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_SM),
        memory_clock_mhz=lambda nvml, gpu: nvml.nvmlDeviceGetClockInfo(gpu, nvml.NVML_CLOCK_MEM),
        temperature_c=lambda nvml, gpu: nvml.nvmlDeviceGetTemperature(gpu, nvml.NVML_TEMPERATURE_GPU),
        power_w=lambda nvml, gpu: nvml.nvmlDeviceGetPowerUsage(gpu) / 1000,
        throttle_reasons=_reasons,
    )


def slowed(bus_id):
    """Return what throttles the GPU at this moment: one query, cheap enough to repeat after every solve."""
    return _THROTTLING.intersection(_answers(bus_id, reasons=_reasons).get("reasons", ()))


def joules(bus_id):
    """Return the energy that the GPU has drawn since its driver was loaded, or None; renewed every 20 to 100 ms."""
    query = {"joules": lambda nvml, gpu: nvml.nvmlDeviceGetTotalEnergyConsumption(gpu) / 1000}
    return _answers(bus_id, **query).get("joules")


def _reasons(nvml, gpu):
    bits = nvml.nvmlDeviceGetCurrentClocksThrottleReasons(gpu)  # its successor needs driver 535
    return [name for name in _REASONS if bits & getattr(nvml, f"nvmlClocksThrottleReason{name}")]


def _answers(bus_id, **queries):
    """Return the answers by name, without the queries that this GPU or its driver refuses; none without NVML."""
    nvml, gpu = _open(bus_id)
    answers = {}
    for name, query in queries.items() if nvml else ():
        with contextlib.suppress(nvml.NVMLError):
            answers[name] = query(nvml, gpu)
    return answers


@cache
def _open(bus_id):
    """Return pynvml and the GPU's handle, or two Nones. NVML has a numbering of its own; the bus id is unambiguous."""
    with contextlib.suppress(ImportError):
        import pynvml

        with contextlib.suppress(pynvml.NVMLError):
            pynvml.nvmlInit()
            return pynvml, pynvml.nvmlDeviceGetHandleByPciBusId(bus_id)
    return None, None
