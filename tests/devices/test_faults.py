"""A kernel that deadlocks or traps is reported with its name, its block and where each thread waits; nothing hangs."""

import re
from pathlib import Path

import numpy as np
import pytest

from warpath.base.errors import UserError
from warpath.devices.errors import KernelFault

FILE = Path(__file__).parent / "faults.cu"


def line(text, occurrence=0):
    lines = [number for number, code in enumerate(FILE.read_text().splitlines(), 1) if text in code]
    return f"faults.cu:{lines[occurrence]}"


def fault(host, name, grid, block, *arguments, cooperative=False):
    (kernel,) = host.kernels(FILE, name)
    kernel = kernel.cooperative if cooperative else kernel
    with pytest.raises(KernelFault) as caught:
        kernel[grid, block](*(arguments or [np.zeros(1024, np.int32)]))
    return str(caught.value)


def test_a_barrier_in_a_branch(host):
    assert fault(host, "barrier_in_a_branch", 1, 64) == (
        "barrier_in_a_branch, block (0, 0, 0): deadlock: "
        f"threads 5, 37 in __syncwarp with mask 0xffffffff at {line('__syncwarp')}; "
        f"threads 0-4, 6-36, 38-63 in a barrier of the block at {line('__syncthreads')}; 0 of 64 have ended"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "two_barriers",
            "threads of one warp wait in different barriers: "
            f"at {line('__syncthreads', 1)} and at {line('__syncthreads', 2)}",
        ),
        ("absent_lane", f"thread 7 in __shfl_sync with mask 0xff at {line('__shfl_sync')}"),
        ("not_in_mask", "lane 1 is not in the mask that it passes to __ballot_sync"),
        ("waits_for_the_grid", "waits for the whole grid in a launch that is not cooperative"),
    ],
)
def test_a_warp_or_a_block_that_waits_in_vain(host, name, words):
    assert words in fault(host, name, 2 if name == "waits_for_the_grid" else 1, 32)


def test_a_trap_names_its_block(host):
    assert fault(host, "trap", 4, 32) == f"trap, block (2, 0, 0): __trap(), at {line('__trap')}"


def test_a_block_that_leaves_the_others_at_a_grid_barrier(host, compiled_once):
    """Many times, because the outcome could depend on whether the others have reached the barrier."""
    for _ in range(500):
        message = fault(host, "one_block_leaves", 4, 64, np.zeros(1, np.uint32), cooperative=True)
        assert re.search(r"one_block_leaves, block \(\d, 0, 0\): .*grid barrier", message)


def test_the_device_works_after_a_fault(host):
    (reverse,) = host.kernels(FILE.parent / "barriers", "reverse")
    for _ in range(3):
        fault(host, "barrier_in_a_branch", 64, 256)
        values = np.arange(64 * 256, dtype=np.int32)
        expected = values.reshape(64, 256)[:, ::-1].ravel() + 1
        reverse[64, 256](1, values)
        assert np.array_equal(values, expected)


def test_a_frame_that_is_too_large_for_a_threads_stack(host, write):
    file = write(
        'extern "C" __global__ void large(int* out) {\n'
        "    volatile int mine[100000];\n"
        "    for (int i = 0; i < 100000; ++i) mine[i] = out[0];\n"
        "    out[1] = mine[out[2]];\n"
        "}\n"
    )
    with pytest.raises(UserError, match=r"kernel\.cu:\d+:\d+: the frame size of \d+ bytes is larger than 200000"):
        host.kernels(file, "large")
