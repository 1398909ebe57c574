import os
import time
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent

BLOCKS = [1, 31, 33, 1024]


@pytest.mark.parametrize(
    ("grid", "block"), [((3, 1, 1), (b, 1, 1)) for b in BLOCKS] + [((2, 3, 2), (4, 5, 3)), ((1, 1, 5), (1, 1, 64))]
)
def test_every_thread_has_its_own_index(kernel, launch, grid, block):
    threads = np.prod(grid) * np.prod(block)
    seen = launch(kernel("threads", "identify"), (grid, block), np.full((threads, 6), -1, np.int32))
    axes = [np.arange(size) for size in (*grid[::-1], *block[::-1])]
    bz, by, bx, tz, ty, tx = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    assert np.array_equal(seen, np.stack([bx, by, bz, tx, ty, tz], axis=1))


@pytest.mark.parametrize("size", [1, (1,), (1, 1), (1, 1, 1), np.int64(1)])
def test_sizes_may_be_integers_or_tuples(kernel, launch, size):
    assert launch(kernel("threads", "count"), (size, size), 1, np.zeros(1, np.int32)).tolist() == [1]


@pytest.mark.parametrize(
    "arguments",
    [
        (True, -5, 2**32 - 1, -(2**40), np.float32(0.5), np.float64(-1e300)),
        (False, np.int32(7), np.uint32(3), np.int64(9), np.float32(2), np.float64(3)),
    ],
)
def test_arguments_arrive_with_the_types_of_the_parameters(kernel, launch, arguments):
    taken = launch(kernel("threads", "take"), (1, 1), *arguments, None, np.zeros(7))
    assert taken.tolist() == [*arguments, 1]


def test_a_kept_launch_takes_new_arguments_and_new_contents(device, kernel):
    first, second = (device.put(np.zeros(64, np.int32)) for _ in range(2))
    launch = kernel("threads", "count")[2, 32]
    before = device.launches
    for array, limit in ((first, 64), (first, 64), (second, 10), (first, 1)):
        launch(limit, array)
    assert device.get(first).tolist() == [3] + [2] * 63
    assert device.get(second).tolist() == [1] * 10 + [0] * 54
    assert device.launches == before + 4


def test_defines_reach_the_kernel(kernel, launch):
    values = np.arange(32, dtype=np.int32)
    for factor in (3, 5):
        assert np.array_equal(launch(kernel("threads", "scale", factor=factor), (1, 32), values), factor * values)


def test_flag_and_timer(device, kernel):
    flag, timer = device.flag(), device.timer()
    assert flag.read() == 0
    flag.set(7)
    assert flag.read() == 7
    flag.clear()
    count = kernel("threads", "count")
    timer.start()
    for _ in range(3):
        count[1, 1](1, flag.array)
    timer.stop()
    assert flag.read() == 3
    assert timer.milliseconds() > 0


def test_words_are_copied_both_ways(device, kernel):
    words = device.words(64)
    numbers = words.read(64)
    assert not numbers.any()
    numbers[:] = range(64)
    words.write(64)
    kernel("threads", "scale", factor=3)[2, 32](words.array)
    words.read(2)[:] = -1
    words.write(2)
    assert words.read(4).tolist() == [-1, -1, 6, 9]


def test_put_and_get_copy(device):
    original = np.arange(12, dtype=np.int32).reshape(3, 4)
    there = device.put(original.T)
    original[:] = 0
    back = device.get(there)
    there[:] = -1
    assert np.array_equal(back, np.arange(12).reshape(3, 4).T)


def test_a_forked_process_can_launch_too(host):
    (count,) = host.kernels(HERE / "threads", "count")
    counts = np.zeros(1 << 18, np.int32)
    count[1024, 256](counts.size, counts)  # starts OS threads, which a child does not inherit
    child = os.fork()
    if child == 0:
        count[1024, 256](counts.size, counts)
        os._exit(0 if (counts == 2).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (counts == 1).all()


def test_a_million_threads_without_a_barrier_are_a_plain_loop(host):
    """Switching stacks would cost far more than the few nanoseconds of a loop's iteration."""
    count, together = host.kernels(HERE / "threads", "count", "count_together")
    counts = np.zeros(1 << 20, np.int32)

    def best(kernel):
        def once():
            begin = time.perf_counter()
            kernel[counts.size // 256, 256](counts.size, counts)
            return time.perf_counter() - begin

        return min(once() for _ in range(5))

    assert best(together) > 3 * best(count)
    assert (counts == 10).all()
