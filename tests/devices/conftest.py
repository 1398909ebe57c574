"""Run the kernels in this folder on every device of this machine: what holds on the host must hold on a GPU."""

import functools
import os
from pathlib import Path

import numpy as np
import pytest

from warpath import devices

HERE = Path(__file__).parent


@functools.cache
def _open(kind):
    return devices.open(kind)


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(session_folder):
    """Share one cache between all workers of the tests, apart from the user's."""
    os.environ["WARPATH_CACHE"] = str(session_folder / "kernel-cache")
    yield
    del os.environ["WARPATH_CACHE"]


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request):
    return _open(request.param)


@pytest.fixture
def host():
    return _open("host")


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
