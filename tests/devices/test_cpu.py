"""Baselines: C++ functions that are called with arrays and integers, once or many times."""

from pathlib import Path

import numpy as np
import pytest

from warpath import devices
from warpath.base.errors import UserError

HERE = Path(__file__).parent


@pytest.fixture
def device():
    return devices.open("cpu")


def test_a_baseline_is_called_with_arrays_and_integers(device):
    (add_up,) = device.kernels(HERE / "baseline", "add_up", extra=10)
    values, sums = np.arange(5, dtype=np.int32), np.zeros(5, np.int64)
    assert add_up(np.int64(5), values, sums) == 5
    assert sums.tolist() == [10, 21, 33, 46, 60]
    assert device.launches == 1
    for wrong in (1.5, np.zeros(8)[::2], "text"):
        with pytest.raises(TypeError, match="contiguous arrays and integers"):
            add_up(wrong)


def test_missing_functions_and_files_are_named(device, host, tmp_path):
    with pytest.raises(UserError, match=r"baseline\.cpp: has no .* function subtract"):
        device.kernels(HERE / "baseline", "subtract", extra=0)
    with pytest.raises(UserError, match=r"threads\.cu: has no .* function absent"):
        host.kernels(HERE / "threads", "count", "absent")
    with pytest.raises(UserError, match=r"absent\.cpp: not found \(needed by absent\.py\)"):
        device.kernels(tmp_path / "absent.py", "search")


def test_a_baseline_is_called_many_times_by_compiled_code(device):
    (count,) = device.kernels(HERE / "baseline", "count_calls", extra=0)
    calls = np.zeros(1, np.int64)
    device.calls = 1000
    count(calls, 5)
    assert calls.item() == 5000
    assert device.launches == 1
    device.begin()
    count(calls, 5)
    assert calls.item() == 5005  # every run begins with single calls
    device.calls = 2
    with pytest.raises(TypeError, match="at most 16 arguments, not 17"):
        count(*range(17))
