"""Call a program's three functions, as kernels/programs/warpath.h declares them."""

import ctypes
import math
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

_PREPARE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
_SOLVE = ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p
_STATUSES = {"unsupported": UnsupportedLaunch, "out of memory": OutOfMemory}


class _Arrays(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in ("offsets", "narrow_offsets", "targets", "weights"))


class _Graph(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("vertices", "arcs")),
        *((name, ctypes.c_int32) for name in ("directed", "max_weight", "threads")),
        ("problem", ctypes.c_char_p),
        *((name, _Arrays) for name in ("host", "card")),
    )


def prepare(program, values, problem, device, graph, launch):
    """Load the program, give it the graph, and return the function that solves."""
    before, started = graph.upload_s, perf_counter()
    library = ctypes.CDLL(str(build.built(program)))
    begin, search = _function(library, "prepare", *_PREPARE), _function(library, "solve", *_SOLVE)
    release = _function(library, "release", ctypes.c_void_p)
    given, arrays = _graph(program, problem, device, graph)
    xp, point, handle = np if program.answers_on == "host" else device.xp, text(launch).encode(), ctypes.c_void_p()
    answer, is_unchecked = Answer(xp, device, values, shape_of(graph, problem)), values == "none"
    graph.upload_s = before + perf_counter() - started  # with all else that is not the program's
    _check(begin(ctypes.addressof(given), point, ctypes.addressof(handle)))
    handle, address = handle.value, answer.address

    def solve(source):
        if error := search(handle, -1 if source is None else source, address):
            _check(error)
        return Solution(None if is_unchecked else lambda: answer.take(source), iterations=1)

    weakref.finalize(solve, lambda *kept: _check(release(handle)), given, arrays, point)  # kept until then
    return solve


def _function(library, name, *types):
    function = getattr(library, name)
    function.restype, function.argtypes = ctypes.c_char_p, types
    return function


def shape_of(graph, problem):
    """The shape of an answer: a number for each vertex, or for each pair."""
    return (graph.vertices,) * (2 if PROBLEMS[problem].all_pairs else 1)


def text(launch):
    return " ".join(f"{axis}={value}" for axis, value in launch.parameters.items())


def _check(error):
    if error:
        refuse(error.decode(errors="replace"))


def refuse(message):
    """End the run as the program's message says."""
    raise next((kind for begin, kind in _STATUSES.items() if message.startswith(begin)), UserError)(message)


def _graph(program, problem, device, graph):
    """The graph as a program gets it, and the arrays that it points to, of which the judge has its own."""
    weighted = PROBLEMS[problem].weighted
    if weighted and graph.on_host.weights.dtype.kind == "f":
        raise UnsupportedLaunch("weights are fractional, and programs get whole ones")
    given = _Graph(graph.vertices, graph.arcs, graph.directed, graph.max_weight if weighted else 1, processor.cores())
    given.problem, kept = problem.encode(), []
    for place in program.arrays:
        is_own = (program.device == "gpu") == (place == "card")  # the memory of the device
        put = device.put if is_own else np.array
        narrow = put(graph.on_host.offsets.astype(np.int32)) if graph.arc_type == "int32" else None
        targets, weights = (
            (graph.targets, graph.weights) if is_own else map(put, (graph.on_host.targets, graph.on_host.weights))
        )
        kept += [put(graph.on_host.offsets), narrow, targets, weights if weighted else None]
        setattr(given, place, _Arrays(*map(address, kept[-4:])))
    return given, kept


def address(array):
    """Where an array of NumPy or CuPy begins; None stays None."""
    if array is None:
        return None
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr


class Answer:
    """The memory that a program writes its answers to, with some around that it must not touch."""

    def __init__(self, xp, device, values, shape):
        self._xp, self._device, self._values, self._shape = xp, device, values, shape
        self._memory = xp.empty(math.prod(shape) + 2 * BEYOND, "float32" if values == "floats" else "int32")
        device.overwrite(self._memory)
        self._inner = self._memory[BEYOND:-BEYOND]
        self.address = address(self._inner)

    def take(self, source):
        """Return the answer as ours, and overwrite it. Not timed."""
        around = np.concatenate([self._device.get(part) for part in (self._memory[:BEYOND], self._memory[-BEYOND:])])
        if (around.view("uint8") != launching.NO_ANSWER).any():
            raise UserError("the program wrote beyond its answer")
        taken = self._inner.copy().reshape(self._shape)
        self._device.overwrite(self._memory)
        return answers.of_program(self._xp, self._values, taken, source)
