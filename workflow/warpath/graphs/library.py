"""Call the C++ under native/ through ctypes. Calls release Python's lock, so threads run them in parallel."""

import ctypes
import functools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from warpath.base import compiler

FOLDER = Path(__file__).with_name("native")
RARE = {"gap", "parse_others"}  # compiled when a graph needs them
_OPTIONS = ("-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror=return-type")

int64, uint64, uint32 = ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint32


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


def pointer(array):
    """The address of an array's data, or null for None."""
    return None if array is None else ctypes.c_void_p(array.ctypes.data)


def bitmap(bits):
    """An array of clear bits. Untouched pages take no memory."""
    return np.zeros((bits + 63) // 64, np.uint64)
