"""The native loop over launches."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

from warpath.devices import rounds
from warpath.devices.errors import KernelFault, UnsupportedLaunch

HERE = Path(__file__).parent


def loop_over(device, first, second):
    """A loop that counts two numbers down in turn until their sum is 0."""
    (count_down,) = device.kernels(HERE / "rounds", "count_down")
    changed = device.flag()
    left = [device.put(np.array([number], np.int32)) for number in (first, second)]
    bound = [count_down.bound((1, 32), own, other, changed.array) for own, other in (left, left[::-1])]
    return device.loop(changed, *bound), left


def test_rounds_end_when_one_leaves_the_flag_unset(device):
    loop, left = loop_over(device, 3, 2)
    before = device.launches
    assert loop() == 5
    assert device.launches == before + 5
    assert [device.get(number).item() for number in left] == [0, 0]


def test_a_round_may_have_several_launches(device):
    (count_down,) = device.kernels(HERE / "rounds", "count_down")
    changed, before = device.flag(), device.launches
    left = [device.put(np.array([number], np.int32)) for number in (3, 3)]
    bound = [count_down.bound((1, 32), own, other, changed.array) for own, other in (left, left[::-1])]
    assert device.loop(changed, *bound, of_a_round=2)() == 4  # the first launch of the third round leaves one
    assert device.launches == before + 8
    assert [device.get(number).item() for number in left] == [-1, -1]


def test_at_most_so_many_rounds(device):
    loop, left = loop_over(device, 3, 2)
    assert loop(most=3) == 3
    assert [device.get(number).item() for number in left] == [1, 1]


def test_the_clock_has_all_rounds_and_the_last_one(device):
    loop, _ = loop_over(device, 3, 2)
    loop()
    assert 0 < loop.last_round_milliseconds() < loop.milliseconds()
    loop()  # the sum falls below 0 at once
    assert loop.last_round_milliseconds() == loop.milliseconds() > 0


def test_launches_are_checked_when_they_are_bound(device):
    (count_down,) = device.kernels(HERE / "rounds", "count_down")
    with pytest.raises(UnsupportedLaunch, match="at most 1024"):
        count_down.bound((1, 2048), None, None, None)
    with pytest.raises(TypeError, match="count_down takes 3 arguments, not 1"):
        count_down.bound((1, 32), None)


def test_a_fault_ends_the_loop_with_its_message(host):
    (trap,) = host.kernels(HERE / "faults", "trap")
    with pytest.raises(KernelFault, match="trap"):
        host.loop(host.flag(), trap.bound((1, 96), np.zeros(1, np.int32)))()


def test_launches_are_repeated_in_turn(device, monkeypatch):
    monkeypatch.setattr(rounds, "PORTION", 2)
    (count_down,) = device.kernels(HERE / "rounds", "count_down")
    left = [device.put(np.array([number], np.int32)) for number in (9, 9)]
    flag, before = device.flag(), device.launches
    bound = [count_down.bound((1, 32), own, other, flag.array) for own, other in (left, left[::-1])]
    device.repeat(*bound)(5)
    assert device.launches == before + 10
    assert [device.get(number).item() for number in left] == [4, 4]


def test_a_fault_ends_the_repetitions_with_its_message(host):
    (trap,) = host.kernels(HERE / "faults", "trap")
    with pytest.raises(KernelFault, match="trap"):
        host.repeat(trap.bound((1, 96), np.zeros(1, np.int32)))(3)


LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3)
TO_DEVICE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
TO_HOST = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t)
FILL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p)


@pytest.mark.parametrize("clocked", [True, False])
@pytest.mark.parametrize("error", [0, 719])
def test_calls_of_the_driver(error, clocked):
    """What a GPU's driver is asked for in each round, by functions in the place of the driver's."""
    calls, flag = [], 0xABC

    def launch(function, *rest):
        calls.append((function, rest))
        return error

    def to_device(destination, source, size):
        calls.append(("set", destination, ctypes.c_int.from_address(source).value, size))
        return 0

    def to_host(destination, source, size):
        ctypes.c_int.from_address(destination).value = int(len(calls) < 5)  # the second round is the last
        calls.append(("read", source, size))
        return 0

    def fill(destination, value, words, stream):
        calls.append(("fill", destination, value, words, stream))
        return 0

    kept = LAUNCH(launch), TO_DEVICE(to_device), TO_HOST(to_host), FILL(fill)
    driver = (ctypes.c_void_p * 4)(*(ctypes.cast(function, ctypes.c_void_p).value for function in kept))
    shape = (2, 3, 4), (5, 6, 7), 8
    launches = (rounds.CudaLaunch * 2)(*(rounds.CudaLaunch(number, 50 + number, *shape) for number in (1, 2)))
    pinned, made = ctypes.c_int(9), rounds.Rounds()
    native = rounds.native().rounds_on_cuda
    where = ctypes.c_uint64(flag), ctypes.byref(pinned), ctypes.c_int(clocked)
    counts = ctypes.c_longlong(2), ctypes.c_longlong(1)
    ended = native(driver, launches, *counts, *where, ctypes.c_longlong(0), ctypes.byref(made))
    expected = [
        step
        for number in (1, 2)
        for step in (
            ("set", flag, 0, 4) if clocked else ("fill", flag, 0, 1, None),
            (number, (2, 3, 4, 5, 6, 7, 8, None, 50 + number, None)),
            ("read", flag, 4),
        )
    ]
    assert (ended, made.count) == ((0, 2) if not error else (error, 0))
    assert calls == (expected if not error else expected[:2])


@pytest.mark.parametrize("error", [0, 719])
def test_repeated_launches_of_the_driver(error):
    made = []

    def launch(function, *rest):
        made.append(function)
        return error

    kept = LAUNCH(launch)
    driver = (ctypes.c_void_p * 4)(ctypes.cast(kept, ctypes.c_void_p).value, None, None, None)
    launches = (rounds.CudaLaunch * 2)(*(rounds.CudaLaunch(number, 50, (1, 1, 1), (1, 1, 1), 0) for number in (1, 2)))
    counts = ctypes.c_longlong(2), ctypes.c_longlong(2)
    without_flag = ctypes.c_uint64(0), None, ctypes.c_int(1)
    ended = rounds.native().rounds_on_cuda(
        driver, launches, *counts, *without_flag, ctypes.c_longlong(3), ctypes.byref(rounds.Rounds())
    )
    assert (ended, made) == ((0, [1, 2] * 3) if not error else (error, [1]))
