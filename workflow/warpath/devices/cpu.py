"""The cpu device: sequential C++ baselines, `extern "C"` functions that take arrays and integers."""

import ctypes

import numpy as np

from warpath.base import compiler
from warpath.devices import code, host, rounds

_OPTIONS = ("-std=c++20", "-O3", "-march=native", "-pthread")

CACHES = 64 << 20  # bytes, more than what a core keeps of a graph


class Device(host.Device):
    kind = "cpu"

    def begin(self):
        super().begin()
        self.calls = 1  # of a function where it is called once

    def flush(self):
        np.full(CACHES, 1, "uint8")
        return True

    def kernels(self, stem, *names, **defines):
        library = compiler.load(compiled(stem, names, defines))
        return tuple(self._function(library[name]) for name in names)

    def _function(self, function):
        function.restype = ctypes.c_longlong

        def call(*arguments):
            self.launches += 1
            if self.calls == 1:
                return function(*map(_convert, arguments))
            return _repeat(function, arguments, self.calls)

        return call


def compiled(stem, names, defines, architecture=None):
    files = code.files(stem, ".cpp")
    options = [*_OPTIONS, *host.sanitizers(), *code.options(defines)]
    sources = [f"-I{code.include(files[0])}", files[0]]
    return compiler.library(files[0].stem, options, sources, code.contents(files, names))


def _repeat(function, arguments, calls):
    values = (ctypes.c_longlong * len(arguments))(*(_convert(argument).value for argument in arguments))
    repeat = rounds.native().repeat_calls
    repeat.restype = ctypes.c_bool
    if not repeat(ctypes.cast(function, ctypes.c_void_p), values, *map(ctypes.c_longlong, (len(arguments), calls))):
        raise TypeError(f"a baseline takes at most 16 arguments, not {len(arguments)}")


def _convert(argument):
    if isinstance(argument, np.ndarray) and argument.flags.c_contiguous:
        return ctypes.c_void_p(argument.__array_interface__["data"][0])
    if isinstance(argument, (int, np.integer)):
        return ctypes.c_longlong(int(argument))
    raise TypeError(f"a baseline takes contiguous arrays and integers, not {type(argument).__name__}")
