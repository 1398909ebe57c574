"""The limit of dynamic shared memory belongs to the function: no launch may lower what an earlier one relies on."""

import contextlib
from types import SimpleNamespace

from warpath.devices import cuda, driver
from warpath.devices.launch import DEFAULT_SHARED, MAX_SHARED


class Driver:
    """A stand-in for CUDA's driver with one function; a launch asserts that it stays within the function's limit."""

    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 0, 1
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
    launchCooperativeKernel = None  # noqa: N815, as CUDA names it

    class CUDADriverError(Exception):
        pass

    def __init__(self):
        self.attributes = {0: 1024, 1: 256, 8: DEFAULT_SHARED - 256}

    def funcGetAttribute(self, attribute, _):  # noqa: N802
        return self.attributes[attribute]

    def funcSetAttribute(self, _, attribute, value):  # noqa: N802
        self.attributes[attribute] = value

    def launchKernel(self, _, *sizes):  # noqa: N802
        assert sizes[6] <= self.attributes[self.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES]

    def occupancyMaxActiveBlocksPerMultiprocessor(self, _function, _threads, shared):  # noqa: N802
        return 1


def test_a_kept_launch_outlives_smaller_ones(monkeypatch):
    monkeypatch.setattr(driver, "parameters", lambda function: 0)
    stream = SimpleNamespace(ptr=0)
    xp = SimpleNamespace(ndarray=list, cuda=SimpleNamespace(get_current_stream=lambda: stream))
    device = SimpleNamespace(
        launcher=Driver(),
        shared_memory=MAX_SHARED,
        multiprocessors=1,
        launches=0,
        guard=contextlib.nullcontext,
        xp=xp,
    )
    kernel = cuda.Kernel(device, SimpleNamespace(ptr=1), "kernel")
    for kilobytes in (100, 60, 100):
        kernel.resident_blocks(64, 50 * 1024)
        kernel[1, 64, kilobytes * 1024]()
    assert device.launches == 3
