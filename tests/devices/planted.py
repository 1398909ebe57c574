"""Launch one kernel of planted.cu, in a process that has the sanitizers' runtime preloaded."""

import sys
from pathlib import Path

import numpy as np

from warpath import devices


def main(name, at):
    device = devices.open("host")
    (kernel,) = device.kernels(Path(__file__), name)
    out = device.xp.zeros(64, np.int32)
    match name:
        case "write_global":
            kernel[2, 64](64, at, out)
        case "read_global":
            kernel[2, 64](64, at, device.put(np.arange(64, dtype=np.int32)), out)
        case "dynamic_shared_memory":
            kernel[3, 64, 64 * 4](at, out)
        case "misaligned":
            kernel[1, 1](at, device.put(np.zeros(64, np.int8)), out.view(np.int64))
        case _:
            kernel[3, 64](at, out)
    print("finished", out[:3])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
