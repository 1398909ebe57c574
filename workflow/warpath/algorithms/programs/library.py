"""Call a program's three functions, as kernels/programs/warpath.h declares them."""

import ctypes
import math
import os
import weakref
from time import perf_counter

import numpy as np

from warpath.algorithms import Solution
from warpath.algorithms.peers import answers
from warpath.algorithms.programs import build
from warpath.base import processor
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS
from warpath.devices import launch as launching
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch

BEYOND = 64  # numbers before and after an answer that a program must leave alone

_STATUSES = {b"unsupported": UnsupportedLaunch, b"out of memory": OutOfMemory}


class _Arrays(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in ("offsets", "narrow_offsets", "targets", "weights"))


class _Graph(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("vertices", "arcs")),
        *((name, ctypes.c_int32) for name in ("directed", "max_weight", "threads")),
        ("problem", ctypes.c_char_p),
        *((name, _Arrays) for name in ("host", "card")),
    )


def prepare(program, problem, device, graph, point, shape):
    """Load the program, give it the graph, and return the function that solves."""
    before, started = graph.upload_s, perf_counter()
    library = ctypes.CDLL(str(build.built(program)))
    for function in (library.prepare, library.solve, library.release):
        function.restype = ctypes.c_char_p
    given, arrays = _graph(program, problem, device, graph)
    point, handle, values, own = point.encode(), ctypes.c_void_p(), program.answer[problem], os.getpid()
    address, take = _answer(np if program.answers_on == "host" else device.xp, device, values, shape)
    graph.upload_s = before + perf_counter() - started  # with all else that is not the program's
    check(library.prepare(ctypes.byref(given), point, ctypes.byref(handle)), own)

    def solve(source):
        check(library.solve(handle, ctypes.c_int64(-1 if source is None else source), address), own)
        return Solution(None if values == "none" else lambda: take(source), iterations=1)

    weakref.finalize(solve, lambda *kept: check(library.release(handle), own), given, arrays, point)  # kept until then
    return solve


def check(error, own=None):
    """End the run as the program's message says, if there is one; end a process other than `own`, which it forked."""
    if own and os.getpid() != own:
        os._exit(0)
    if error:
        kind = next((kind for begin, kind in _STATUSES.items() if error.startswith(begin)), UserError)
        raise kind(error.decode(errors="replace"))


def _graph(program, problem, device, graph):
    """The graph as a program gets it, and the arrays that it points to, of which the judge has its own."""
    weighted, host, kept = PROBLEMS[problem].weighted, graph.on_host, []
    if weighted and host.weights.dtype.kind == "f":
        raise UnsupportedLaunch("weights are fractional, and programs get whole ones")
    given = _Graph(graph.vertices, graph.arcs, graph.directed, graph.max_weight if weighted else 1, processor.cores())
    given.problem = problem.encode()
    for place in program.arrays:
        is_own = (program.device == "gpu") == (place == "card")  # the memory of the device
        put = device.put if is_own else np.array
        names = ("targets", "weights") if weighted else ("targets",)
        arrays = {"offsets": put(host.offsets)}
        if not graph.arc_width:  # otherwise only those of 64 bits hold them
            arrays["narrow_offsets"] = put(host.offsets.astype(np.int32))
        arrays |= {name: getattr(graph, name) if is_own else put(getattr(host, name)) for name in names}
        setattr(given, place, _Arrays(**{name: _address(array) for name, array in arrays.items()}))
        kept.append(arrays)
    return given, kept


def _address(array):
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr


def _answer(xp, device, values, shape):
    """Where a program writes its answers, with some around that it must not touch, and how one is taken."""
    memory = xp.empty(math.prod(shape) + 2 * BEYOND, "float32" if values == "floats" else "int32")
    inner = memory[BEYOND:-BEYOND]
    device.overwrite(memory)

    def take(source):
        """Return the answer as ours, and overwrite it. Not timed."""
        around = np.concatenate([device.get(part) for part in (memory[:BEYOND], memory[-BEYOND:])])
        if (around.view("uint8") != launching.NO_ANSWER).any():
            raise UserError("the program wrote beyond its answer")
        taken = inner.copy().reshape(shape)
        device.overwrite(memory)
        return answers.of_program(xp, values, taken, source)

    return ctypes.c_void_p(_address(inner)), take
