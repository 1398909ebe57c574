"""Gates that count wrongly: a GPU would wait without end, or crash, where the host device names the mistake."""

from pathlib import Path

import numpy as np
import pytest

from warpath.devices.errors import KernelFault

BYTES = 64 * 4


def copied(host, shift, expected_bytes, late):
    (copy,) = host.kernels(Path(__file__).with_name("gates.py"), "copy_through_gate")
    words = np.zeros(128 + 4, np.uint32)
    words = words[-words.ctypes.data // 4 % 4 :]  # from a multiple of 16 bytes on
    words[:] = np.arange(len(words))
    target = np.zeros(64, np.uint32)
    copy[1, 64](shift, expected_bytes, late, words, target)
    return target


def test_a_block_awaits_what_one_thread_copies(host):
    np.testing.assert_array_equal(copied(host, 4, BYTES, 0), np.arange(4, 68))


@pytest.mark.parametrize(
    ("shift", "expected_bytes", "late", "message"),
    [
        (0, BYTES // 2, 0, "a gate expects other bytes than were copied"),
        (1, BYTES, 0, "a bulk copy does not begin or end at a multiple of 16 bytes"),
        (0, BYTES, 1, "a gate is more than a round ahead of a thread that awaits it"),
    ],
)
def test_a_mistake_is_a_fault(host, shift, expected_bytes, late, message):
    with pytest.raises(KernelFault, match=message):
        copied(host, shift, expected_bytes, late)
