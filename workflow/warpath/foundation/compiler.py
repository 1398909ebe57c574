"""C++ made into shared libraries at first use: the loops of the graphs, the host device's kernels and the baselines."""

import re
import shutil
import subprocess
from pathlib import Path

from warpath.foundation import cache, processor
from warpath.foundation.errors import UserError


def library(name, options, sources, ingredients, code="", command="g++"):
    """The path of the library made of `sources`, of which "-" stands for `code`, built unless it is kept already.

    Its name depends on the compiler, on the options with the places that they name, and on what `ingredients` hold.
    """
    return cache.built(
        name,
        ".so",
        [identity(command), *options, *ingredients],
        lambda output: compile_library([*options, *sources], output, code, command),
    )


def identity(command="g++"):
    """What decides, beside the sources, which machine code comes out; found without running anything.

    The processor does too: the cache may be on a disk that several machines share.
    """
    path = Path(executable(command))
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns} {processor.kind()}"


def version(command="g++"):
    """What the compiler calls itself. Kept: starting it takes longer than many a run."""
    told = cache.built("compiler", ".txt", [identity(command)], lambda output: output.write_text(_told(command)))
    return cache.content(told).decode()


def _told(command):
    whole = [executable(command), "--version"]
    return subprocess.run(whole, capture_output=True, text=True, check=True).stdout.partition("\n")[0]


def executable(command):
    found = shutil.which(command)
    if not found:
        advice = "apt install g++" if command == "g++" else "install it, or unset CXX, which names it"
        raise UserError(f"{command} was not found, and C++ cannot be compiled without it: {advice}")
    return found


def compile_library(arguments, output, code="", command="g++"):
    whole = [executable(command), "-shared", "-fPIC", *map(str, arguments), "-o", str(output)]
    finished = subprocess.run(whole, input=code, capture_output=True, text=True, check=False)
    if finished.returncode:
        error = UserError(_summary(finished.stderr, command))
        error.add_note(finished.stderr)
        raise error


def _summary(diagnostics, command):
    """The first error as one line that names its place, and how many more there are."""
    errors = re.findall(r"^(\S+?:\d+(?::\d+)?): (?:fatal )?error: (.*)$", diagnostics, re.MULTILINE)
    if not errors:
        return f"{command} failed: " + (diagnostics.strip().splitlines() or ["it said nothing"])[-1]
    (place, message), *more = errors
    return f"{place.removeprefix(f'{Path.cwd()}/')}: {message}" + (f" (and {len(more)} more errors)" if more else "")
