"""What NVML's bits are taken to mean, with a stand-in for its library."""

import pytest

from warpath.devices import nvml


class Library:
    def __init__(self, bits, status=0):
        self.bits, self.status = bits, status

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, _device, answer):  # noqa: N802
        answer._obj.value = self.bits
        return self.status


@pytest.mark.parametrize(
    ("bits", "slowed"),
    [
        (0x0, set()),
        (0x1, set()),  # idle: nothing was asked for
        (0x2 | 0x100, set()),  # clocks that somebody has set
        (0x4, {"software_power_cap"}),
        (0x1 | 0x8 | 0x40, {"hardware_slowdown", "hardware_thermal_slowdown"}),
        (0x20 | 0x80, {"software_thermal_slowdown", "hardware_power_brake"}),
    ],
)
def test_only_what_takes_away_speed_slows_down(monkeypatch, bits, slowed):
    monkeypatch.setattr(nvml, "_open", lambda _: (Library(bits), "a device"))
    assert nvml.slowed("bus") == slowed


def test_a_gpu_that_does_not_tell_is_not_slowed_down(monkeypatch):
    monkeypatch.setattr(nvml, "_open", lambda _: (Library(0x8, status=3), "a device"))
    assert nvml.slowed("bus") == set()
    monkeypatch.setattr(nvml, "_open", lambda _: (None, None))
    assert nvml.slowed("bus") == set()
