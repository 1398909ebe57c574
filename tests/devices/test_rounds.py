"""The native loop over launches."""

import ctypes
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from warpath.devices import rounds
from warpath.devices.errors import KernelFault, UnsupportedLaunch


@pytest.fixture
def count_down(kernel):
    return kernel("rounds", "count_down")


@pytest.fixture
def counting_down(device, count_down):
    """Bind launches that count two numbers down in turn; each sets the flag until their sum is 0."""

    def bind(first, second):
        changed = device.flag()
        left = [device.put(np.array([number], np.int32)) for number in (first, second)]
        bound = [count_down.bound((1, 32), own, other, changed.array) for own, other in (left, left[::-1])]
        return changed, bound, lambda: [device.get(number).item() for number in left]

    return bind


@pytest.mark.parametrize(
    ("numbers", "options", "most", "rounds_made", "left"),
    [
        ((3, 2), {}, {}, 5, [0, 0]),
        ((3, 2), {}, {"most": 3}, 3, [1, 1]),
        ((3, 2), {"clocked": False}, {}, 5, [0, 0]),
        ((3, 3), {"of_a_round": 2}, {}, 4, [-1, -1]),  # the first launch of the third round leaves one
    ],
)
def test_rounds_end_when_one_leaves_the_flag_unset_or_there_were_so_many(
    device, counting_down, numbers, options, most, rounds_made, left
):
    changed, bound, numbers_left = counting_down(*numbers)
    before = device.launches
    assert device.loop(changed, *bound, **options)(**most) == rounds_made
    assert device.launches == before + rounds_made * options.get("of_a_round", 1)
    assert numbers_left() == left


def test_the_clock_has_all_rounds_and_the_last_one(device, counting_down):
    changed, bound, _ = counting_down(3, 2)
    loop = device.loop(changed, *bound)
    loop()
    assert 0 < loop.last_round_milliseconds() < loop.milliseconds()
    loop()  # the sum falls below 0 at once
    assert loop.last_round_milliseconds() == loop.milliseconds() > 0


def test_launches_are_repeated_in_turn(device, counting_down):
    _, bound, left = counting_down(9, 9)
    before = device.launches
    device.repeat(*bound)(5)
    assert device.launches == before + 10
    assert left() == [4, 4]


def test_launches_are_checked_when_they_are_bound(count_down):
    with pytest.raises(UnsupportedLaunch, match="at most 1024"):
        count_down.bound((1, 2048), None, None, None)
    with pytest.raises(TypeError, match="count_down takes 3 arguments, not 1"):
        count_down.bound((1, 32), None)


def test_a_fault_ends_the_loop_with_its_message(host):
    (trap,) = host.kernels(Path(__file__).with_name("faults.cu"), "trap")
    bound = trap.bound((1, 96), np.zeros(1, np.int32))
    for loop in (host.loop(host.flag(), bound), lambda: host.repeat(bound)(3)):
        with pytest.raises(KernelFault, match="trap"):
            loop()


@pytest.mark.parametrize("how", ["clocked", "unclocked", "without a flag"])
@pytest.mark.parametrize("error", [0, 719])
def test_calls_of_the_driver(error, how):
    """What a GPU's driver is asked for in each round, by functions in its place that note how they are called."""

    def note(name, *types, answer=lambda *_: 0):
        def called(*given):
            calls.append((name, *given))
            return answer(*given)

        return ctypes.CFUNCTYPE(ctypes.c_int, *types)(called)

    def read(pinned, *_):
        ctypes.c_int.from_address(pinned).value = int(len(calls) < 5)  # the second round is the last
        return 0

    address, number, size, there = ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_uint64
    functions = [
        note("launch", address, *[number] * 7, *[address] * 3, answer=lambda *_: error),
        note("set", there, address, size, answer=lambda _, source, size: ctypes.c_int.from_address(source).value),
        note("read", address, there, size, answer=read),
        note("fill", there, number, size, address),
    ]
    calls, flag, driver = [], 0xABC, (address * 4)(*(ctypes.cast(function, address).value for function in functions))
    shape = (2, 3, 4), (5, 6, 7), 8
    launches = (rounds.CudaLaunch * 2)(*(rounds.CudaLaunch(number, 50 + number, *shape) for number in (1, 2)))
    pinned, made, most = ctypes.c_int(9), rounds.Rounds(), 2 if how == "without a flag" else 0
    where = ctypes.c_uint64(0 if most else flag), ctypes.byref(pinned), ctypes.c_int(how == "clocked")
    numbers = [ctypes.c_longlong(number) for number in (2, 1, most)]
    ended = rounds.native().rounds_on_cuda(driver, launches, *numbers[:2], *where, numbers[2], ctypes.byref(made))
    expected = []
    for number in (1, 2):
        clear = ("set", flag, mock.ANY, 4) if how == "clocked" else ("fill", flag, 0, 1, None)
        launch = "launch", number, 2, 3, 4, 5, 6, 7, 8, None, 50 + number, None
        expected.append([launch] if most else [clear, launch, ("read", ctypes.addressof(pinned), flag, 4)])
    assert (ended, made.count) == ((0, 2) if not error else (error, 0))
    assert calls == ([step for steps in expected for step in steps] if not error else expected[0][: 1 if most else 2])
