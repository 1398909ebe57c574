"""Launch each kernel of planted.cu in a process that has the sanitizers' runtime; what it reports goes to a file."""

import os
import sys
from pathlib import Path

import numpy as np

from warpath import devices


def launch(device, name, at):
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


if __name__ == "__main__":
    folder, at, *names = sys.argv[1:]
    for name in names:
        if not (child := os.fork()):
            os.dup2(os.open(f"{folder}/{name}", os.O_CREAT | os.O_WRONLY), 2)
            launch(devices.open("host"), name, int(at))
            os._exit(0)
        print(name, os.waitpid(child, 0)[1])
