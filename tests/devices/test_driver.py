"""Choices and messages for each driver, with a stand-in for its library."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpath import devices
from warpath.base.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("driver.c")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("driver")
    subprocess.run(["g++", "-x", "c", "-shared", "-fPIC", SOURCE, "-o", folder / "libcuda.so.1"], check=True)
    return folder


@pytest.fixture
def ask(folder):
    def ask(arguments, version, gpus=1, capability=90):
        environment = {
            "PYTHONPATH": str(ROOT / "workflow"),
            "LD_LIBRARY_PATH": str(folder),
            "DRIVER_VERSION": str(version),
            "DRIVER_GPUS": str(gpus),
            "DRIVER_CAPABILITY": str(capability),
            "CUDA_VISIBLE_DEVICES": "0",  # which the stand-in ignores
        }
        return subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
        )

    return ask


@pytest.mark.parametrize(
    ("version", "gpus", "capability", "file"),
    [
        (13000, 1, 90, "requirements/cupy-cuda13.txt"),
        (13020, 1, 75, "requirements/cupy-cuda13.txt"),
        (13000, 1, 70, "requirements/cupy-cuda12.txt"),  # CUDA 13 dropped Volta
        (13000, 3, 90, "requirements/cupy-cuda12.txt"),  # the oldest of the three is Volta
        (12080, 1, 100, "requirements/cupy-cuda12.txt"),
        (12000, 1, 80, "requirements/cupy-cuda12.txt"),
        (11080, 0, 80, ""),
        (13000, 0, 90, ""),
    ],
)
def test_the_wheel_fits_the_driver(ask, version, gpus, capability, file):
    ended = ask(["-m", "warpath.devices.wheel"], version, gpus, capability)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, file, "")
    assert not file or (ROOT / file).exists()


def test_a_driver_that_is_too_old(ask):
    ended = ask(["-m", "warpath.devices.wheel"], 11080)
    assert ended.returncode != 0
    assert len(ended.stderr.splitlines()) == 1
    assert "the NVIDIA driver supports CUDA 11.8 and CUDA 12.0 is needed" in ended.stderr


ASKED = {
    # the GPU is the default device, and asking for it imports no NumPy
    "import sys; from warpath.devices import resolve; print(resolve('auto'), 'numpy' in sys.modules)": (
        1,
        "cuda False",
    ),
    "from warpath.devices import resolve; print(resolve('auto'), 1)": (0, "host 1"),
    # slices of one GPU have different UUIDs
    "from warpath.devices import driver; print(*driver.uuids())": (2, f"{'00' * 16} {'01' * 16}"),
    # a GPU is described without a context
    "from warpath import devices; print(devices.outlined('cuda'))": (
        1,
        "namespace(kind='cuda', architecture=90, multiprocessors=16, shared_memory=97, memory=85899345920)",
    ),
}


@pytest.mark.parametrize("program", ASKED)
def test_what_the_driver_is_asked(ask, program):
    gpus, expected = ASKED[program]
    assert ask(["-c", program], 12040, gpus).stdout == f"{expected}\n"


@pytest.mark.parametrize(
    ("version", "gpus", "message"),
    [
        (11080, 1, "device cuda: the NVIDIA driver supports CUDA 11.8 and CUDA 12.0 is needed"),
        (12040, 0, "device cuda: the NVIDIA driver shows no GPU with CUDA_VISIBLE_DEVICES=0; make one visible"),
        (12040, 1, "device cuda: CuPy is not installed"),
    ],
)
def test_the_cuda_device_names_what_is_missing(ask, version, gpus, message):
    without_cupy = "importlib.util.find_spec = lambda name, *rest: None if name == 'cupy' else find(name, *rest)"
    program = f"""
import importlib.util
from warpath import devices
from warpath.base import errors
find = importlib.util.find_spec
{without_cupy}
with errors.one_line():
    devices.open('cuda')
"""
    ended = ask(["-c", program], version, gpus)
    assert ended.stderr.startswith(f"warpath: {message}") and len(ended.stderr.splitlines()) == 1


def test_the_environment_names_the_device_of_other_machines_and_a_missing_gpu_is_reported(monkeypatch):
    monkeypatch.setattr(devices.driver, "gpus", lambda: 0)
    with pytest.raises(UserError, match="device is cuda, but this machine has no usable NVIDIA GPU"):
        devices.resolve("cuda")
    monkeypatch.setenv("WARPATH_DEVICE", "cuda")
    assert devices.resolve("auto") == "cuda"
