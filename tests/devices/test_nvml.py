"""The fields read from NVML, with a stand-in for the driver's library beneath nvidia-ml-py."""

import ctypes
import sys
from types import SimpleNamespace

import pytest

from warpath.devices import nvml

pynvml = pytest.importorskip("pynvml", reason="nvidia-ml-py of requirements/run.txt is not installed")

BUS_ID = "0000:1B:00.0"
NOT_SUPPORTED = 3
REFUSED = "nvmlDeviceGetCurrentClocksThrottleReasons", "nvmlDeviceGetUUID", "nvmlDeviceGetTotalEnergyConsumption"
CLOCKS = {pynvml.NVML_CLOCK_SM: 1755, pynvml.NVML_CLOCK_MEM: 2619}


def library(bits=0, refused=(), missing=()):
    """The functions of libnvidia-ml.so.1 that are called: some fail, some are missing from this driver."""

    def answer(out, value):
        out.value = value
        return 0

    def reasons(_gpu, number):
        assert isinstance(number._obj, ctypes.c_ulonglong)
        return answer(number._obj, bits)

    def temperature(_gpu, sensor, number):
        assert sensor.value == pynvml.NVML_TEMPERATURE_GPU
        return answer(number._obj, 41)

    functions = {
        "nvmlInitWithFlags": lambda _flags: 0,
        "nvmlErrorString": lambda status: b"error",
        "nvmlDeviceGetHandleByPciBusId_v2": lambda id, _gpu: 0 if id.value.decode() == BUS_ID else NOT_SUPPORTED,
        "nvmlSystemGetDriverVersion": lambda text, _size: answer(text, b"570.86.15"),
        "nvmlDeviceGetUUID": lambda _gpu, text, _size: answer(text, b"GPU-0123"),
        "nvmlDeviceGetMaxClockInfo": lambda _gpu, kind, number: answer(number._obj, CLOCKS[kind.value] + 100),
        "nvmlDeviceGetClockInfo": lambda _gpu, kind, number: answer(number._obj, CLOCKS[kind.value]),
        "nvmlDeviceGetTemperature": temperature,
        "nvmlDeviceGetTotalEnergyConsumption": lambda _gpu, number: answer(number._obj, 2**40 + 500),
        "nvmlDeviceGetPowerUsage": lambda _gpu, number: answer(number._obj, 123_500),
        "nvmlDeviceGetCurrentClocksThrottleReasons": reasons,
    }
    functions |= {name: lambda *_: NOT_SUPPORTED for name in refused}
    return SimpleNamespace(**{name: function for name, function in functions.items() if name not in missing})


@pytest.fixture
def driver(monkeypatch):
    """Install a library as the driver's."""

    def install(*arguments, **options):
        nvml._open.cache_clear()
        monkeypatch.setattr(pynvml, "nvmlLib", library(*arguments, **options))
        monkeypatch.setattr(pynvml, "_nvmlGetFunctionPointer_cache", {})

    yield install
    nvml._open.cache_clear()


def test_every_field(driver):
    driver(0x1 | 0x4)
    assert nvml.environment(BUS_ID) == {
        "driver": "570.86.15",
        "uuid": "GPU-0123",
        "sm_clock_max_mhz": 1855,
        "memory_clock_max_mhz": 2719,
    }
    assert nvml.sensors(BUS_ID) == {
        "sm_clock_mhz": 1755,
        "memory_clock_mhz": 2619,
        "temperature_c": 41,
        "power_w": 123.5,
        "throttle_reasons": ["idle", "software_power_cap"],
    }
    assert nvml.joules(BUS_ID) == (2**40 + 500) / 1000


@pytest.mark.parametrize(
    ("bits", "slowed"),
    [
        (0x0, set()),
        (0x1, set()),  # idle
        (0x2 | 0x100, set()),  # clocks that were set on purpose
        (0x4, {"software_power_cap"}),
        (0x1 | 0x8 | 0x40, {"hardware_slowdown", "hardware_thermal_slowdown"}),
        (0x20 | 0x80, {"software_thermal_slowdown", "hardware_power_brake"}),
        (0x10 | 0x200, set()),  # sync boost; a bit without a name in records
    ],
)
def test_only_lost_speed_counts_as_slowed(driver, bits, slowed):
    driver(bits)
    assert nvml.slowed(BUS_ID) == slowed


@pytest.mark.parametrize("how", ["refused", "missing"])
def test_a_query_that_fails_is_left_out(driver, how):
    driver(0x8, **{how: REFUSED})
    assert nvml.slowed(BUS_ID) == set() and nvml.joules(BUS_ID) is None
    assert nvml.sensors(BUS_ID).keys() == {"sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w"}
    assert nvml.environment(BUS_ID).keys() == {"driver", "sm_clock_max_mhz", "memory_clock_max_mhz"}


def nothing_is_read():
    unknown = nvml.slowed(BUS_ID) == set() and nvml.joules(BUS_ID) is None
    return nvml.environment(BUS_ID) == nvml.sensors(BUS_ID) == {} and unknown


@pytest.mark.parametrize("function", ["nvmlInitWithFlags", "nvmlDeviceGetHandleByPciBusId_v2"])
def test_nothing_is_read_where_nvml_does_not_start_or_does_not_know_the_gpu(driver, function):
    driver(refused=(function,))
    assert nothing_is_read()


def test_nothing_is_read_without_the_drivers_library(driver, monkeypatch):
    driver()

    def absent():
        raise pynvml.NVMLError(pynvml.NVML_ERROR_LIBRARY_NOT_FOUND)

    monkeypatch.setattr(pynvml, "_LoadNvmlLibrary", absent)
    assert nothing_is_read()


def test_nothing_is_read_without_nvidia_ml_py(driver, monkeypatch):
    driver()
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert nothing_is_read()
