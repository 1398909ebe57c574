"""The C++ of this layer through ctypes. Calls leave Python's lock, so that threads run them side by side."""

import ctypes
import functools
import os
from pathlib import Path

import numpy as np

from warpath.algorithms import discovery
from warpath.foundation import compiler

SOURCES = Path(__file__).with_name("native")
_OPTIONS = ("-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror=return-type")


@functools.cache
def load(name, folder=SOURCES):
    source = folder / f"{name}.cpp"
    contents = [path.read_bytes() for path in discovery.included(source, folder)]
    command = os.environ.get("CXX") or "g++"
    return ctypes.CDLL(str(compiler.library(name, _OPTIONS, [source], contents, command=command)))


def pointer(array):
    """The address of an array's data, or null for None."""
    return None if array is None else ctypes.c_void_p(array.ctypes.data)


def bitmap(bits):
    """All clear. Pages that nobody touches cost no memory."""
    return np.zeros((bits + 63) // 64, np.uint64)


int64, uint64, uint32 = ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint32
