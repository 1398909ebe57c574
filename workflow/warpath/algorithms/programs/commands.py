"""The sub-command programs: what there is, and building it."""

from pathlib import Path

from warpath.algorithms import discovery
from warpath.algorithms.programs import build
from warpath.base import places
from warpath.base.errors import UserError, did_you_mean


def add_to(step):
    programs = step("programs", _list, "list the programs of others that can be measured, or build one")
    steps = programs.add_subparsers(metavar="build")
    making = steps.add_parser("build", help="fetch a program's repository and build it")
    making.add_argument("program", help="its name under kernels/programs, or the folder of one of yours")
    about = "a local clone or archive instead of the repository; NAME=PATH for a further one"
    making.add_argument("--source", action="append", default=[], metavar="PATH", help=about)
    making.set_defaults(command=_build)


def _list(arguments):
    for file in discovery.programs().values():
        program = discovery.of_program(file)[0].program
        built = "built" if build.path(program).exists() else "not built"
        print(f"{program.name:12}{', '.join(program.problems):12}{built:12}{program.origin}")


def _build(arguments):
    name, known = arguments.program, discovery.programs()
    if not (file := known.get(name, Path(name, "program.yaml"))).is_file():
        raise UserError(f"{name}: no such folder with a program.yaml.{did_you_mean(name, known)}")
    program, given = discovery.of_program(file)[0].program, {}
    for source in arguments.source:
        other, _, path = source.rpartition("=")
        variable, path = f"SOURCE_{other.upper()}" if other else "SOURCE", Path(places.own(path)).absolute()
        if variable not in program.sources or not path.exists():
            raise UserError(f"--source {source}: no such clone or archive, or no such repository of {program.title}")
        given[variable] = str(path)
    print(f"building {program.origin}", flush=True)
    print(f"{program.title}: {build.build(program, given)}")
