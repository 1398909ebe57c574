"""The sub-command programs: what there is, and building it."""

from pathlib import Path

from warpath.algorithms import discovery
from warpath.base import places
from warpath.base.errors import UserError, did_you_mean


def add_to(subparsers):
    programs = subparsers.add_parser("programs", help="list the programs of others that can be measured, or build one")
    programs.set_defaults(command=_list)
    build = programs.add_subparsers(metavar="build").add_parser(
        "build", help="fetch a program's repository and build it"
    )
    build.add_argument("program", help="its name under kernels/programs, or the folder of one of yours")
    about = "a local clone or archive instead of the repository; NAME=PATH for a further one"
    build.add_argument("--source", action="append", default=[], metavar="PATH", help=about)
    build.set_defaults(command=_build)


def _list(arguments):
    from warpath.algorithms.programs import build

    for file in sorted(discovery.KERNELS.glob(discovery.PROGRAM.format("*"))):
        program = discovery.of_program(file)[0].program
        built = "built" if build.path(program).exists() else "not built"
        print(f"{program.name:12}{', '.join(program.problems):12}{built:12}{build.origin(program)}")


def _build(arguments):
    from warpath.algorithms.programs import build

    known = {file.parent.name: file for file in discovery.KERNELS.glob(discovery.PROGRAM.format("*"))}
    file = known.get(arguments.program, Path(arguments.program, "program.yaml"))
    if not file.is_file():
        raise UserError(
            f"{arguments.program}: no such folder with a program.yaml.{did_you_mean(arguments.program, known)}"
        )
    program, given = discovery.of_program(file)[0].program, {}
    for source in arguments.source:
        name, _, path = source.rpartition("=")
        variable = f"SOURCE_{name.upper()}" if name else "SOURCE"
        if variable not in program.sources or not Path(places.own(path)).exists():
            raise UserError(f"--source {source}: no such clone or archive, or no such repository of {program.title}")
        given[variable] = places.own(path)
    print(f"building {build.origin(program)}", flush=True)
    print(f"{program.title}: {build.build(program, given)}")
