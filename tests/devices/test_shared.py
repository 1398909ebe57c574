from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest

from warpath.devices import cuda
from warpath.devices.errors import UnsupportedLaunch
from warpath.devices.launch import DEFAULT_SHARED, MAX_SHARED


@pytest.mark.parametrize("size", [1, 300, DEFAULT_SHARED, 2 * DEFAULT_SHARED])
def test_dynamic_shared_memory_of_any_size(kernel, launch, size):
    """Also beyond the default limit, where a launch must opt in; sm_80 and later have the largest size here."""
    out = launch(kernel("shared", "rotate_bytes"), (5, 128, size), size, np.zeros((5, size), np.uint8))
    expected = (np.arange(size) * 7 + np.arange(5)[:, None]) % 256
    assert np.array_equal(out, np.roll(expected, -1, axis=1))


def test_dynamic_shared_memory_of_another_type_beside_a_static_array(kernel, launch):
    pairs = np.arange(128, dtype=np.int64).reshape(64, 2)
    _, sums = launch(kernel("shared_wide", "sum_pairs"), (1, 64, 64 * 16), pairs, np.zeros(64, np.int64))
    other = np.arange(64) ^ 1
    assert np.array_equal(sums, pairs[other].sum(axis=1) + 1000 * other)


def test_more_than_any_device_has(kernel):
    with pytest.raises(UnsupportedLaunch, match="bytes of shared memory a block; at most"):
        kernel("shared", "rotate_bytes")[1, 32, 1 << 20]


def test_shared_memory_starts_with_garbage_in_every_block(host):
    (uninitialised,) = host.kernels(Path(__file__).with_name("faults.cu"), "uninitialised")
    fixed, dynamic = np.zeros(9, np.int32), np.zeros(9, np.int32)
    uninitialised[9, 1, 8](fixed, dynamic)
    garbage = np.array([0xCDCDCDCD], np.uint32).view(np.int32)[0]
    assert (fixed == garbage).all()
    assert (dynamic == garbage).all()


def test_no_launch_lowers_what_an_earlier_one_relies_on(monkeypatch):
    """The limit of dynamic shared memory belongs to the function, here one of a stand-in for CUDA's driver."""
    launcher = MagicMock()
    dynamic = launcher.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    limits = {dynamic: DEFAULT_SHARED - 256}

    def launch(_function, *sizes):
        assert sizes[6] <= limits[dynamic]

    launcher.launchKernel = launch
    launcher.funcGetAttribute = lambda attribute, _: limits[attribute]
    launcher.funcSetAttribute = lambda _, attribute, value: limits.update({attribute: value})
    launcher.occupancyMaxActiveBlocksPerMultiprocessor.return_value = 1
    device = MagicMock(launcher=launcher, shared_memory=MAX_SHARED, multiprocessors=1, launches=0)
    kernel = cuda.Kernel(device, "kernel", SimpleNamespace(ptr=1), parameters=0, max_threads=1024, static_shared=256)
    for kilobytes in (100, 60, 100):
        kernel.resident_blocks(64, 50 * 1024)
        kernel[1, 64, kilobytes * 1024]()
    assert device.launches == 3
