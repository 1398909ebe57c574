"""Launches and arguments that are refused before anything runs."""

from pathlib import Path

import numpy as np
import pytest

from warpath.devices.errors import UnsupportedLaunch

HERE = Path(__file__).parent


@pytest.fixture
def count(kernel):
    return kernel("threads", "count")


@pytest.mark.parametrize(
    ("grid", "block", "error", "message"),
    [
        *((*shape, UnsupportedLaunch, r"count: .*; at most") for shape in [(1, 1025), (1, (32, 33)), (1, (1, 1, 65))]),
        *((*shape, UnsupportedLaunch, r"count: .*; at most") for shape in [((1, 65536), 1), (2**31, 1)]),
        *((*shape, ValueError, "count: a launch of") for shape in [(0, 32), (1, 0), (-1, 32), ((4, 0), 32)]),
        (1.5, 32, TypeError, "integer"),
    ],
)
def test_shapes_that_no_device_can_launch(count, grid, block, error, message):
    with pytest.raises(error, match=message):
        count[grid, block]


def test_more_cooperating_blocks_than_run_at_once(count):
    with pytest.raises(UnsupportedLaunch, match="cooperating blocks; at most"):
        count.cooperative[count.resident_blocks(256) + 1, 256]


def test_the_number_of_arguments(device, count):
    counts = device.put(np.zeros(4, np.int32))
    with pytest.raises(TypeError, match="count takes 2 arguments, not 3"):
        count[1, 4](4, counts, 1)
    count[1, 4](4, counts)
    assert device.get(counts).tolist() == [1] * 4


def test_arguments_of_other_types_are_refused(device, count):
    counts = device.put(np.zeros(8, np.int32))
    for wrong in (1.5, "four", [1, 2]):
        with pytest.raises(TypeError, match="count: argument 1 must be"):
            count[1, 4](wrong, counts)
    with pytest.raises(TypeError, match=r"count: argument 2 must be a contiguous array"):
        count[1, 4](4, counts[::2])


@pytest.mark.parametrize(
    ("limit", "dtype", "message"),
    [
        (4, np.int64, "argument 2 must be a contiguous array of 4-byte elements, not a int64 array"),
        (2**32, np.int32, "argument 1 must be an integer of 32 bits, not 4294967296"),
        (np.float32(4), np.int32, "argument 1 must be an integer of 32 bits"),
    ],
)
def test_the_host_device_checks_the_types_of_arguments(host, limit, dtype, message):
    (count,) = host.kernels(HERE / "threads", "count")
    with pytest.raises(TypeError, match=message):
        count[1, 4](limit, np.zeros(4, dtype))
