"""The cpu device: sequential C++ baselines, `extern "C"` functions of <name>.cpp called with arrays and integers."""

import ctypes
from pathlib import Path

import numpy as np

from warpath import algorithms
from warpath.devices import cache, compiler, host
from warpath.errors import UserError

_OPTIONS = ("-std=c++20", "-O3")


class Device(host.Device):
    kind = "cpu"

    def kernels(self, file, *names, **defines):
        source = Path(file).with_suffix(".cpp")
        if not source.exists():
            raise UserError(f"{source}: there is no such file, though {Path(file).name} asks for its functions")
        options = [*_OPTIONS, *host.sanitizers(), f"-I{host.INCLUDE}"]
        options += [f"-D{name.upper()}={value}" for name, value in defines.items()]
        files = algorithms.included(source, host.INCLUDE)
        ingredients = [compiler.identity(), *options, *(path.read_bytes() for path in files)]
        path = cache.built(
            source.stem, ".so", ingredients, lambda output: compiler.compile_library([*options, source], output)
        )
        library = ctypes.CDLL(str(path))
        return tuple(self._function(library, source, name) for name in names)

    def _function(self, library, source, name):
        try:
            function = getattr(library, name)
        except AttributeError:
            raise UserError(f'{source}: has no function `extern "C" {name}`') from None
        function.restype = ctypes.c_longlong

        def call(*arguments):
            self.launches += 1
            return function(*map(_convert, arguments))

        return call


def _convert(argument):
    if isinstance(argument, np.ndarray) and argument.flags.c_contiguous:
        return ctypes.c_void_p(argument.__array_interface__["data"][0])
    if isinstance(argument, (int, np.integer)):
        return ctypes.c_longlong(int(argument))
    raise TypeError(f"a baseline takes contiguous arrays and integers, not {type(argument).__name__}")
