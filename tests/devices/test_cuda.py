"""The cuda device, apart from what all devices have in common."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from warpath import devices
from warpath.base import cache
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch

pytestmark = pytest.mark.gpu
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def cuda():
    return devices.open("cuda")


def test_a_kernel_reads_and_writes_pinned_memory(cuda):
    values = cuda.pin(np.ones(32, np.int32))
    (scale,) = cuda.kernels(HERE / "threads", "scale", factor=3)
    scale[1, 32](values)
    assert (cuda.get(values) == 3).all() and int(values.sum()) == 96


@pytest.mark.parametrize("writeable", [True, False])
def test_a_large_array_is_pinned_where_it_is_until_its_last_use(cuda, writeable):
    array, before = np.ones(1 << 24, np.int32), cuda.memory_used()
    array.flags.writeable = writeable
    for _ in range(2):  # registered memory cannot be registered again
        values = cuda.pin(array)
        assert values.data.ptr == array.ctypes.data and int(values.sum()) == 1 << 24
        assert cuda.memory_used() - before < array.nbytes
        del values


def test_device_time(cuda):
    """The timer agrees with kernels that spin for a given number of cycles."""
    (spin,) = cuda.kernels(HERE / "gpu", "spin")
    timer, milliseconds = cuda.timer(), []
    for cycles in (2_000_000, 20_000_000):
        spin[1, 1](cycles)
        timer.start()
        spin[1, 1](cycles)
        timer.stop()
        milliseconds.append(timer.milliseconds())
    assert 5 < milliseconds[1] / milliseconds[0] < 15
    assert 1e5 < 20_000_000 / milliseconds[1] < 4e6  # cycles a millisecond: 0.1 to 4 GHz


def test_more_threads_than_registers_or_launch_bounds_allow(cuda):
    (kernel,) = cuda.kernels(HERE / "gpu", "at_most_128")
    out = cuda.put(np.zeros(256, np.int32))
    with pytest.raises(UnsupportedLaunch, match="256 threads a block; at most 128"):
        kernel[1, 256](out)
    kernel[1, 128](out)
    assert cuda.get(out).sum() == 128


def test_residency_follows_the_shared_memory(cuda):
    (rotate,) = cuda.kernels(HERE / "shared", "rotate_bytes")
    counts = [rotate.resident_blocks(128, size) for size in (0, 40 * 1024, 90 * 1024)]
    assert counts[0] > counts[1] > counts[2] >= cuda.multiprocessors
    with pytest.raises(UnsupportedLaunch):
        rotate.resident_blocks(128, 1 << 20)


def test_out_of_memory_leaves_the_device_usable(cuda):
    with pytest.raises(OutOfMemory), cuda.guard():
        cuda.xp.empty(1 << 45, np.uint8)
    assert cuda.get(cuda.put(np.arange(3))).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "wait", ["device.synchronize()", "device.get(out)", "flag.read()", "timer.milliseconds()", "loop()"]
)
def test_an_illegal_address_is_a_fault_wherever_it_is_reported(wait):
    """In a process of its own, because the fault leaves its context unusable."""
    program = (
        "import numpy as np\n"
        "from warpath import devices\n"
        "from warpath.devices.errors import KernelFault\n"
        "device = devices.open('cuda')\n"
        f"(write_far,) = device.kernels({str(HERE / 'gpu.py')!r}, 'write_far')\n"
        "out, flag, timer = device.put(np.zeros(1, np.int32)), device.flag(), device.timer()\n"
        "loop = device.loop(flag, write_far.bound((1, 1), out))\n"
        "timer.start()\n"
        "write_far[1, 1](out)\n"
        "try:\n"
        "    timer.stop()\n"
        f"    {wait}\n"
        "except KernelFault as fault:\n"
        "    print('fault:', fault)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "fault:" in ended.stdout, ended.stderr
    assert "illegal" in ended.stdout.lower()


def test_environment_and_sensors(cuda):
    pytest.importorskip("pynvml", reason="nvidia-ml-py of requirements/run.txt is not installed")
    environment, sensors = cuda.environment(), cuda.sensors()
    print(f"\n{environment}\n{sensors}")
    assert environment["cuda"].split(".")[0] in ("12", "13")
    assert environment["compute_capability"] == f"{cuda.architecture // 10}.{cuda.architecture % 10}"
    assert environment["memory_bytes"] > 1e9
    assert environment["uuid"].startswith("GPU-")
    assert environment["driver"]
    assert 100 < sensors["sm_clock_mhz"] <= environment["sm_clock_max_mhz"]
    assert 100 < sensors["memory_clock_mhz"] <= environment["memory_clock_max_mhz"]
    assert 5 < sensors["temperature_c"] < 110
    assert 10 < sensors["power_w"] < 2000
    assert isinstance(sensors["throttle_reasons"], list)


def test_cupy_compiles_its_own_kernels(cuda, random):
    """It needs CUDA headers, which the wheels in requirements/ bring."""
    values = random.integers(0, 100, 1000, dtype=np.int32)
    there = cuda.put(values)
    assert int((there * 2 + 1).sum()) == (values * 2 + 1).sum()
    assert np.array_equal(cuda.get(cuda.xp.cumsum(there)), np.cumsum(values))
    assert np.array_equal(cuda.get(cuda.xp.sort(there)), np.sort(values))


def test_launches_follow_the_current_stream(cuda):
    (count,) = cuda.kernels(HERE / "threads", "count")
    counts, stream = cuda.put(np.zeros(32, np.int32)), cuda.xp.cuda.Stream(non_blocking=True)
    launch = count[1, 32]
    with stream:
        stream.begin_capture()
        for _ in range(5):
            launch(32, counts)
        graph = stream.end_capture()
        graph.launch(stream)
        graph.launch(stream)
        stream.synchronize()
    assert (cuda.get(counts) == 10).all()


def test_cupy_keeps_its_kernels_in_our_cache(cuda):
    assert os.environ["CUPY_CACHE_DIR"].startswith(str(cache.folder()))
