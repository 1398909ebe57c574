"""Find the algorithms under kernels/ and the files that each is made of.

Standard library only: planning thousands of runs imports every algorithm without running any.
"""

import functools
import importlib.util
import os
from pathlib import Path

from warpath.algorithms.description import Algorithm
from warpath.algorithms.problems import PROBLEMS
from warpath.foundation.errors import UserError
from warpath.foundation.places import ROOT

KERNELS = ROOT / "kernels"


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
