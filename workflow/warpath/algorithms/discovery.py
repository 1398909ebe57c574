"""Find the algorithms under kernels/ and their files, by the standard library alone: planning must stay fast."""

import functools
import importlib.util
from pathlib import Path

from warpath.algorithms.description import Algorithm
from warpath.algorithms.programs import description
from warpath.base import compiler
from warpath.base.errors import UserError
from warpath.base.files import state
from warpath.base.places import KERNELS
from warpath.base.problems import PROBLEMS


def find(folder=KERNELS):
    """Return every algorithm under `folder`, by id."""
    files = [file for problem in PROBLEMS for file in sorted(Path(folder, problem).glob("[a-z]*.py"))]
    of_programs = [each for file in programs(folder).values() for each in of_program(file)]
    return {described.id: described for described in (*of_programs, *map(_load, files))}


def programs(folder=KERNELS):
    """Return the file that describes each program under `folder`, by the program's name."""
    return {file.parent.name: file for file in sorted(Path(folder).glob("programs/*/program.yaml"))}


def of_program(file):
    """Return the algorithms of the program that this program.yaml describes."""
    return description.algorithms(file, state(file))  # processes outlive edits


def named(id, folder=KERNELS, program=None):
    """Return one algorithm without importing the others: that of a `program` in a folder of its own, if given."""
    problem, _, name = id.partition("/")
    described = Path(program, "program.yaml") if program else Path(folder, "programs", name, "program.yaml")
    if program or described.is_file():
        for algorithm in of_program(described):
            if algorithm.id == id:
                return algorithm
    file = Path(folder, problem, f"{name}.py")
    if problem not in PROBLEMS or not "a" <= name[:1] <= "z" or not file.is_file():
        raise UserError(f"no algorithm '{id}' under {folder}")
    return _load(file)


def _load(file):
    return _loaded(file, state(file))  # processes outlive edits


@functools.cache
def _loaded(file, _):
    problem, name = file.parent.name, file.stem
    spec = importlib.util.spec_from_file_location(f"warpath_kernels.{problem}.{name}", file)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        prepare = getattr(module, name, None)
        if hasattr(prepare, "described"):
            return Algorithm(problem, name, prepare, **prepare.described)
    except Exception as error:
        raise UserError(f"{file}: cannot be imported: {error!r}") from error
    raise UserError(f"{file}: needs a function named '{name}' marked with @algorithm")


def code_files(described, folder=KERNELS):
    """Return the algorithm's Python file, its CUDA or C++ file, and all headers; of a program all of its files."""
    if described.program:
        return described.program.files
    python = Path(folder, described.problem, described.name + ".py")
    code = python.with_suffix(".cpp" if described.device == "cpu" else ".cu")
    return [python, *compiler.included(code, Path(folder, "include"))] if code.exists() else [python]
