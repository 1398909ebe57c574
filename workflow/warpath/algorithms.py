"""What a file under kernels/ needs to describe an algorithm, and how those files are found.

An algorithm is a function that prepares and returns a function that solves; only the second is timed. Everything
here is standard library, because planning thousands of runs imports every algorithm without running any.
"""

import functools
import importlib.util
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from warpath import processor
from warpath.errors import UserError

PROBLEMS = ("bfs", "sssp", "apsp")
KERNELS = Path(__file__).resolve().parents[2] / "kernels"

# Devices that occupy a GPU: our kernels on CUDA, and libraries that run there.
ON_GPU = ("cuda", "peer_gpu")

# The largest int32. Distances are uint32, so UNREACHABLE + UNREACHABLE still fits: no kernel needs a guard.
UNREACHABLE = 2**31 - 1

NOBODY = -1  # the parent of a vertex that has none

# Threads a block, as the papers' kernels are swept; and Rejaud's, with the number of blocks beside them.
BLOCK_SIZES = [64, 128, 256, 512, 1024]
CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]

_LETTERS = {
    "block": "b",
    "grid": "g",
    "coarsening": "c",
    "tile": "t",
    "delta": "d",
    "alpha": "a",
    "beta": "be",
    "width": "w",
}


class Solution(NamedTuple):
    """What a solve returns. `phases`, asked later, splits its time in milliseconds where a paper reports it split."""

    distance: Any
    iterations: int
    parents: Any = None
    phases: Callable | None = None


@dataclass(frozen=True)
class Launch:
    """One point of a launch space; its axes are attributes: `launch.block`."""

    parameters: dict = field(default_factory=dict)

    def __getattr__(self, axis):
        try:
            return self.__dict__["parameters"][axis]
        except KeyError:
            raise AttributeError(f"this launch has no axis '{axis}', only {list(self.parameters)}") from None

    @property
    def label(self):
        return "-".join(_label(axis, value) for axis, value in self.parameters.items()) or "default"


def _label(axis, value):
    return value if isinstance(value, str) else f"{_LETTERS.get(axis, axis)}{value}"


def sweep(**axes):
    """Every combination of the axes' values, as a list; add two lists for a union."""
    return [dict(zip(axes, point, strict=True)) for point in itertools.product(*axes.values())]


def configurations(**axes):
    """Rejaud's launch configurations with every combination of the axes' values."""
    return [{"block": block, "grid": grid} | rest for block, grid in CONFIGURATIONS for rest in sweep(**axes)]


def blocks_for(threads, block):
    """How many blocks of `block` threads hold `threads`: at least one, for no device launches none."""
    return max(1, -(-threads // block))


def reset(array, source, there=0, elsewhere=UNREACHABLE):
    """What a solve begins with: one value at the source, another everywhere else."""
    array.fill(elsewhere)
    array[source] = there


def rounds_until_unchanged(flag, one_round, most=None):
    """Does rounds, which get their number, until one leaves the flag as it was. Returns how many there were."""
    number, changing = 0, True
    while changing and number != most:
        flag.clear()
        one_round(number)
        changing = flag.read()
        number += 1
    return number


class Laps:
    """Device time of what is done many times, added up at the end: to read a timer is to wait for the device."""

    def __init__(self, device):
        self._new, self._timers, self._done = device.timer, [], 0

    def begin(self):
        self._done = 0

    def start(self):
        if self._done == len(self._timers):
            self._timers.append(self._new())
        self._timers[self._done].start()

    def stop(self):
        self._timers[self._done].stop()
        self._done += 1

    def milliseconds(self):
        return sum(timer.milliseconds() for timer in self._timers[: self._done])


def answer_matrix(vertices):
    """Room for all pairs on the host, or MemoryError at once: Linux promises pages that it does not have."""
    import numpy as np

    wanted, free = 4 * vertices**2, processor.free_bytes()
    if wanted > free:
        raise MemoryError(f"the answer takes {wanted / 1e9:.3g} GB and the host has {free / 1e9:.3g} GB free")
    return np.empty((vertices, vertices), "uint32")


@dataclass(frozen=True)
class Algorithm:
    problem: str
    name: str
    prepare: Any
    launches: tuple
    paper: str | None
    device: str  # "kernel": a .cu for cuda and host; "cpu": a sequential .cpp; "peer", "peer_gpu": somebody's library
    parents: bool
    exact: bool
    library: str | None

    @property
    def id(self):
        return f"{self.problem}/{self.name}"

    @property
    def summary(self):
        return (self.prepare.__doc__ or "").strip().split("\n")[0]

    def launch(self, label):
        for launch in self.launches:
            if launch.label == label:
                return launch
        known = ", ".join(launch.label for launch in self.launches)
        raise UserError(f"{self.id} has no launch '{label}'; it has {known}")


def algorithm(launches=({},), paper=None, device="kernel", parents=False, exact=True, library=None):
    """Mark the function of a kernels/<problem>/<name>.py that prepares a solve.

    `library` is the module of the library that a peer calls; where it is not installed, studies go without.
    """

    def mark(prepare):
        prepare.described = {
            "launches": tuple(Launch(parameters) for parameters in launches),
            "paper": paper,
            "device": device,
            "parents": parents,
            "exact": exact,
            "library": library,
        }
        return prepare

    return mark


def find(folder=KERNELS):
    """Every algorithm under `folder`, by id. A new pair of files is all that it takes to be here."""
    return {described.id: described for described in map(_load, _files(folder))}


def named(id, folder=KERNELS):
    """One of them, without importing the others: a run has no time to lose."""
    for file in _files(folder):
        if f"{file.parent.name}/{file.stem}" == id:
            return _load(file)
    raise UserError(f"there is no algorithm '{id}' under {folder}")


def _files(folder):
    return [file for problem in PROBLEMS for file in sorted(Path(folder, problem).glob("[a-z]*.py"))]


@functools.cache
def _load(file):
    problem, name = file.parent.name, file.stem
    spec = importlib.util.spec_from_file_location(f"warpath_kernels.{problem}.{name}", file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{file}: cannot be imported: {error!r}") from error
    prepare = getattr(module, name, None)
    if not hasattr(prepare, "described"):
        raise UserError(f"{file}: needs a function named '{name}' marked with @algorithm")
    return Algorithm(problem=problem, name=name, prepare=prepare, **prepare.described)


def sources(described, folder=KERNELS):
    """The files that this algorithm alone is made of: its pair and the headers that they include, however deep."""
    python = Path(folder, described.problem, described.name + ".py")
    code = python.with_suffix(".cpp" if described.device == "cpu" else ".cu")
    return [python, *included(code, Path(folder, "include"))] if code.exists() else [python]


def included(file, include):
    """`file` and every local header it reaches through #include "..."."""
    seen, queue = [], [Path(file)]
    while queue:
        file = queue.pop()
        if file in seen:
            continue
        seen.append(file)
        for name in _quoted_includes(file):
            found = [path for path in (file.parent / name, Path(include, name)) if path.exists()]
            queue.extend(Path(os.path.normpath(path)) for path in found[:1])
    return seen


def _quoted_includes(file):
    for line in file.read_text().splitlines():
        words = line.replace("#", "# ").split()
        if words[:2] == ["#", "include"] and len(words) > 2 and words[2].startswith('"'):
            yield words[2].strip('"')
