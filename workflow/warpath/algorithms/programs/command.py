"""Run a program that cannot be loaded: a command that is started for each solve, and has a clock of its own.

It gets four arguments: a folder with the graph, a file with a source in each line, the file for its answers, which are
one after the other, and the launch. For each solve it prints a line of JSON, with `solve_ms` or with an `error`.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from warpath.algorithms import Solution
from warpath.algorithms.peers import answers
from warpath.algorithms.programs import build, library
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS


def prepare(program, problem, device, graph, point, shape):
    """Write the graph where the command finds it, and return the function that solves."""
    folder, values, host = Path(tempfile.mkdtemp(prefix=f"{program.name}-")), program.answer[problem], graph.on_host
    sources, answer = folder / "sources.txt", folder / "answers.bin"
    arrays = {"offsets": host.offsets, "targets": host.targets.astype(np.int32, copy=False)}
    if PROBLEMS[problem].weighted:
        arrays["weights"] = host.weights
    about = {"problem": problem, "vertices": graph.vertices, "arcs": graph.arcs, "directed": graph.directed}
    for name, array in arrays.items():
        about[name] = {"file": f"{name}.bin", "type": array.dtype.name}
        array.tofile(folder / about[name]["file"])
    (folder / "graph.json").write_text(json.dumps(about))
    command = [*map(str, (build.built(program), folder, sources, answer)), point]

    def solve(source):
        sources.write_text(f"{-1 if source is None else source}\n")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        told = _told(done, program)
        return Solution(None if values == "none" else take, told.get("iterations", 1), reported_ms=told["solve_ms"])

    def take():
        dtype = np.float32 if values == "floats" else np.int32
        found = np.fromfile(answer, dtype) if answer.exists() else np.empty(0, dtype)
        answer.unlink(missing_ok=True)
        if found.size != np.prod(shape):
            raise UserError(f"{program.title} wrote {found.size:,} numbers as its answer, not {np.prod(shape):,}")
        return answers.of_program(np, values, found.reshape(shape), int(sources.read_text()))

    return solve


def _told(done, program):
    """What the last line of JSON says; other lines are for the log."""
    found = {}
    for line in done.stdout.decode(errors="replace").splitlines():
        try:
            found = {**json.loads(line)}
        except (TypeError, ValueError):
            print(line, file=sys.stderr)
    library.check(str(found.get("error", "")).encode())
    time = found.get("solve_ms")
    if done.returncode or not isinstance(time, int | float) or not 0 <= time < math.inf:
        raise UserError(f"{program.title} ended with {done.returncode}, and solve_ms is {time}; see the log")
    return found
