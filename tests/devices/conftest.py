"""Run the kernels in this folder on every device of this machine: what holds on the host must hold on a GPU."""

import functools
from pathlib import Path

import numpy as np
import pytest

from warpath import devices

HERE = Path(__file__).parent
_open = functools.cache(devices.open)


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request):
    return _open(request.param)


@pytest.fixture
def host():
    return _open("host")


@pytest.fixture
def kernel(device):
    """Return the kernel `name` of a file in this folder."""

    def kernel(file, name, **defines):
        return device.kernels(HERE / file, name, **defines)[0]

    return kernel


@pytest.fixture
def launch(device):
    """Launch a kernel with copies of NumPy's arrays; return these as the kernel leaves them, a single one by itself."""

    def launch(kernel, shape, *arguments):
        there = [device.put(each) if isinstance(each, np.ndarray) else each for each in arguments]
        kernel[shape](*there)
        left = [device.get(each) for each in there if isinstance(each, device.xp.ndarray)]
        return left if len(left) > 1 else left[0]

    return launch


@pytest.fixture
def random():
    return np.random.default_rng(20260101)


@pytest.fixture
def write(tmp_path):
    """Write a code file and return its path."""

    def write(text, name="kernel.cu"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write
