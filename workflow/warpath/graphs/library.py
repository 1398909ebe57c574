"""Call the C++ under native/ through ctypes. Calls release Python's lock, so threads run them in parallel."""

import ctypes
import functools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from warpath.base import compiler

FOLDER = Path(__file__).with_name("native")
RARE = {"gap", "parse_others"}  # compiled when a graph needs them
SLICES = 256  # that threads take one by one
_OPTIONS = ("-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror=return-type")


@functools.cache
def load(name, folder=FOLDER):
    """The library of <name>.cpp, compiled on first use."""
    file = folder / f"{name}.cpp"
    contents = [path.read_bytes() for path in compiler.included(file, folder)]
    return compiler.load(compiler.library(name, _OPTIONS, [file], contents))


def load_usual():
    """Load what most graphs need, so that what has to be compiled is compiled side by side."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(load, {file.stem for file in FOLDER.glob("*.cpp")} - RARE))


def call(name, function, *arguments):
    """Call a C++ function: arrays by their addresses, whole numbers in 64 bits, of which it takes what it needs."""
    native = getattr(load(name), function)
    native.restype = ctypes.c_int64
    return native(*map(_passed, arguments))


def _passed(argument):
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    return ctypes.c_int64(int(argument)) if isinstance(argument, int | np.integer) else argument


def in_slices(pool, work, end, begin=0):
    """Return what `work(begin, end)` returns for slices of [begin, end), in the pool."""
    bounds = np.linspace(begin, end, min(SLICES, end - begin) + 1).astype(int).tolist()
    return list(pool.map(work, bounds[:-1], bounds[1:]))


def bitmap(bits):
    """An array of clear bits. Untouched pages take no memory."""
    return np.zeros((bits + 63) // 64, np.uint64)
