"""Find the algorithms under kernels/ and the code files of each.

Uses the standard library only: planning imports every algorithm, and must stay fast.
"""

import functools
import importlib.util
import os
from pathlib import Path

from warpath.algorithms.description import Algorithm
from warpath.algorithms.problems import PROBLEMS
from warpath.base.errors import UserError
from warpath.base.places import ROOT

KERNELS = ROOT / "kernels"


def find(folder=KERNELS):
    """Return every algorithm under `folder`, by id."""
    return {described.id: described for described in map(_load, _files(folder))}


def named(id, folder=KERNELS):
    """Return one algorithm without importing the others."""
    problem, _, name = id.partition("/")
    file = Path(folder, problem, f"{name}.py")
    if problem not in PROBLEMS or not _is_algorithm(file.name) or not file.is_file():
        raise UserError(f"no algorithm '{id}' under {folder}")
    return _load(file)


def _files(folder):
    folders = [path for problem in PROBLEMS if (path := Path(folder, problem)).is_dir()]
    return [file for path in folders for file in sorted(path.iterdir()) if _is_algorithm(file.name)]


def _is_algorithm(name):
    return name.endswith(".py") and "a" <= name[0] <= "z"


def _load(file):
    status = file.stat()
    return _loaded(file, (status.st_ino, status.st_size, status.st_mtime_ns))  # processes outlive edits


@functools.cache
def _loaded(file, _):
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


def code_files(described, folder=KERNELS):
    """Return the algorithm's Python file, its CUDA or C++ file, and every header that is included directly or not."""
    python = Path(folder, described.problem, described.name + ".py")
    code = python.with_suffix(".cpp" if described.device == "cpu" else ".cu")
    return [python, *included(code, Path(folder, "include"))] if code.exists() else [python]


def included(file, include):
    """Return `file` and every local header that it reaches through #include "..."."""
    seen, queue = [], [Path(file)]
    while queue:
        file = queue.pop()
        if file in seen:
            continue
        seen.append(file)
        for name in _quoted_includes(file):
            candidates = [path for path in (file.parent / name, Path(include, name)) if path.exists()]
            queue.extend(Path(os.path.normpath(path)) for path in candidates[:1])
    return seen


def _quoted_includes(file):
    for line in file.read_text().splitlines():
        words = line.replace("#", "# ").split()
        if words[:2] == ["#", "include"] and len(words) > 2 and words[2].startswith('"'):
            yield words[2].strip('"')
