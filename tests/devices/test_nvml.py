"""The fields read from NVML, with functions in the place of nvidia-ml-py's."""

import sys

import pytest

from warpath.devices import nvml

pynvml = pytest.importorskip("pynvml", reason="nvidia-ml-py of requirements/run.txt is not installed")

BUS_ID, GPU = "0000:1B:00.0", "the handle of the GPU"
REFUSED = "nvmlDeviceGetCurrentClocksThrottleReasons", "nvmlDeviceGetUUID", "nvmlDeviceGetTotalEnergyConsumption"
CLOCKS = {pynvml.NVML_CLOCK_SM: 1755, pynvml.NVML_CLOCK_MEM: 2619}
# What each function answers to the arguments after the handle.
ANSWERS = {
    "nvmlInit": lambda: None,
    "nvmlDeviceGetHandleByPciBusId": {BUS_ID: GPU}.__getitem__,
    "nvmlSystemGetDriverVersion": lambda: "570.86.15",
    "nvmlDeviceGetUUID": {GPU: "GPU-0123"}.__getitem__,
    "nvmlDeviceGetMaxClockInfo": lambda gpu, kind: CLOCKS[kind] + 100,
    "nvmlDeviceGetClockInfo": lambda gpu, kind: CLOCKS[kind],
    "nvmlDeviceGetTemperature": lambda gpu, sensor: {pynvml.NVML_TEMPERATURE_GPU: 41}[sensor],
    "nvmlDeviceGetTotalEnergyConsumption": lambda gpu: 2**40 + 500,
    "nvmlDeviceGetPowerUsage": lambda gpu: 123_500,
}


@pytest.fixture
def driver(monkeypatch):
    def install(bits=0, refused=()):
        def refuse(*_):
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)

        answers = ANSWERS | {"nvmlDeviceGetCurrentClocksThrottleReasons": lambda gpu: bits}
        for name, answer in (answers | dict.fromkeys(refused, refuse)).items():
            monkeypatch.setattr(pynvml, name, answer)
        nvml._open.cache_clear()

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
        "throttle_reasons": ["GpuIdle", "SwPowerCap"],
    }
    assert nvml.joules(BUS_ID) == (2**40 + 500) / 1000


@pytest.mark.parametrize(
    ("bits", "slowed"),
    [
        (0x0, set()),
        (0x1, set()),  # idle
        (0x2 | 0x100, set()),  # clocks that were set on purpose
        (0x4, {"SwPowerCap"}),
        (0x1 | 0x8 | 0x40, {"HwSlowdown", "HwThermalSlowdown"}),
        (0x20 | 0x80, {"SwThermalSlowdown", "HwPowerBrakeSlowdown"}),
        (0x10 | 0x200, set()),  # sync boost; a bit without a name in records
    ],
)
def test_only_lost_speed_counts_as_slowed(driver, bits, slowed):
    driver(bits)
    assert nvml.slowed(BUS_ID) == slowed


def test_a_query_that_fails_is_left_out(driver):
    driver(0x8, REFUSED)
    assert nvml.slowed(BUS_ID) == set() and nvml.joules(BUS_ID) is None
    assert nvml.sensors(BUS_ID).keys() == {"sm_clock_mhz", "memory_clock_mhz", "temperature_c", "power_w"}
    assert nvml.environment(BUS_ID).keys() == {"driver", "sm_clock_max_mhz", "memory_clock_max_mhz"}


@pytest.mark.parametrize("missing", ["nvmlInit", "nvmlDeviceGetHandleByPciBusId", "nvidia-ml-py"])
def test_nothing_is_read_where_nvml_does_not_start_or_does_not_know_the_gpu(driver, monkeypatch, missing):
    driver(0x4, [missing] if missing in ANSWERS else [])
    if missing == "nvidia-ml-py":
        monkeypatch.setitem(sys.modules, "pynvml", None)
    assert nvml.slowed(BUS_ID) == set() and nvml.joules(BUS_ID) is None
    assert nvml.environment(BUS_ID) == nvml.sensors(BUS_ID) == {}
