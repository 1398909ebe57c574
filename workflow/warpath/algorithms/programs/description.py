"""What program.yaml says of a program, and the algorithms that the program gives.

A program has the keys of program.yaml, as workflow/schemas/program.schema.yaml describes them, each with a value, and
beside them its `folder` and `name`; `place`, which is the folder unless it is beside our own algorithms; `files`, all
that it is made of here; `sources`, pairs of a repository and a commit by the variable that the build has for them; and
as text `origin`, whose code it is, and `how` to build it.
"""

import functools
import re
from types import SimpleNamespace

from warpath.algorithms.description import Algorithm
from warpath.algorithms.launches import Launch, sweep
from warpath.base.errors import UserError
from warpath.base.places import KERNELS
from warpath.base.problems import PROBLEMS

HEADER = KERNELS / "programs" / "warpath.h"


@functools.cache
def algorithms(file, state):
    """The algorithms of the program that the file describes in that state, one for each of its problems."""
    program = _read(file)
    return tuple(_algorithm(program, problem) for problem in program.problems)


def _algorithm(program, problem):
    def prepare(device, graph, launch):
        from warpath.algorithms.programs import command, library

        kind, shape = command if program.command else library, (graph.vertices,) * (1 + PROBLEMS[problem].all_pairs)
        point = " ".join(f"{axis}={value}" for axis, value in launch.parameters.items())
        return kind.prepare(program, problem, device, graph, point, shape)

    prepare.__doc__ = f"{program.title}: {problem}."
    spaces = program.launches.get(problem, {})
    points = [point for axes in (spaces if isinstance(spaces, list) else [spaces]) for point in sweep(**axes)]
    device = "peer_gpu" if program.device == "gpu" else "peer"
    return Algorithm(problem, program.name, prepare, tuple(map(Launch, points)), device=device, program=program)


def _read(file):
    from warpath.base import schemas  # reads YAML, which algorithms of our own do without

    folder, fields = file.parent.absolute(), schemas.read(file, "program")
    if not re.fullmatch("[a-z][a-z0-9_]*", folder.name):
        raise UserError(f"{file}: '{folder.name}' names its algorithms: lower-case letters, digits and _, please")
    problems, answer = fields["problems"], fields["answer"]
    for key in ("launches", "answer"):
        if others := fields[key].keys() - problems:
            raise UserError(f"{file}: {key}: '{min(others)}' is not among its problems")
    if "parents" in (answer.get(problem) for problem in ("sssp", "apsp")):
        raise UserError(f"{file}: answer: parents are an answer of bfs alone; the others give distances or floats")
    if fields["edits"] and not (folder / fields["edits"]).is_file():
        raise UserError(f"{file}: edits: {folder / fields['edits']} does not exist")
    usual = "card" if fields["device"] == "gpu" else "host"
    arrays, sources = fields["arrays"] or usual, {"SOURCE": fields} if fields["repository"] else {}
    sources |= {f"SOURCE_{name.upper()}": other for name, other in fields["also"].items()}
    files = sorted(each for each in folder.rglob("*") if each.is_file() and not each.name.startswith("."))
    place = "" if folder.parent == HEADER.parent else str(folder)
    of = f"{fields['repository']} at {fields['commit'][:12]}, " if fields["repository"] else ""
    changed = {
        "answer": dict.fromkeys(problems, "distances") | answer,
        "arrays": ("host", "card") if arrays == "both" else (arrays,),
        "answers_on": fields["answers_on"] or usual,
        "place": place,
        "origin": f"{fields['title']} ({of}licence {fields['licence']})",
        "how": f"warpath programs build {place or folder.name}",
        "files": [*files, HEADER],
        "sources": {variable: (other["repository"], other["commit"]) for variable, other in sources.items()},
    }
    return SimpleNamespace(folder=folder, name=folder.name, **fields | changed)
