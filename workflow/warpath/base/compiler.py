"""Compile C++ to shared libraries on first use: the loops over graphs, the host device's kernels and the baselines."""

import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path

from warpath.base import cache, processor
from warpath.base.errors import UserError

_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def command():
    """The compiler of all C++: CXX, or g++. It must accept the options of g++."""
    return os.environ.get("CXX") or "g++"


def library(name, options, files, ingredients, code=""):
    """Return the path of the library compiled from `files`, in which "-" stands for `code`; build it if not cached.

    Its name is a digest of the compiler, the options, and `ingredients`: the contents of every file that it depends on.
    Where these files are is not in it, so that copies of a checkout share what is compiled.
    """
    path = cache.path(name, ".so", [identity(), *options, *ingredients])
    return cache.built(path, lambda output: compile_to(output, ["-shared", "-fPIC", *options, *files], code))


def compile_to(output, arguments, code=""):
    """Run the compiler; `code` is its standard input. An error is its first message, with all of them as a note."""
    whole = [_executable(), *map(str, arguments), "-o", str(output)]
    finished = subprocess.run(whole, input=code, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise UserError(_summary(finished.stderr), finished.stderr)


def included(file, include):
    """Return `file` and every local header that it reaches through #include "..."."""
    seen, queue = [], [Path(file)]
    while queue:
        file = queue.pop()
        if file in seen:
            continue
        seen.append(file)
        for name in _INCLUDE.findall(file.read_text()):
            candidates = [path for path in (file.parent / name, Path(include, name)) if path.exists()]
            queue.extend(Path(os.path.normpath(path)) for path in candidates[:1])
    return seen


def load(library):
    try:
        return ctypes.CDLL(str(library))
    except OSError:
        folder = Path(library).parent
        if os.statvfs(library).f_flag & os.ST_NOEXEC:
            message = f"{folder}: is mounted noexec; set WARPATH_CACHE to a folder that code may run from"
            raise UserError(message) from None
        raise


def identity():
    """Identify the compiler, and the processor, for -march=native, without starting a process."""
    path = Path(_executable())
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns} {processor.kind()}"


def version():
    answer = subprocess.run([_executable(), "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.partition("\n")[0]


def _executable():
    path = shutil.which(command())
    if path is None:
        raise UserError(f"{command()}: not found (needed to compile C++); apt install g++, or name a compiler in CXX")
    return path


def _summary(diagnostics):
    """The first error with its place, and the number of further errors, in one line."""
    if full := re.search(r"^.*No space left on device.*$|ld terminated with signal 7\b.*$", diagnostics, re.MULTILINE):
        advice = "No space left on device, free some in the temporary folder and the cache"
        return f"{command()} failed: {advice} ({full[0]})"
    errors = re.findall(r"^(\S+?:\d+(?::\d+)?): (?:fatal )?error: (.*)$", diagnostics, re.MULTILINE)
    if not errors:
        return f"{command()} failed: " + (diagnostics.strip().splitlines() or ["without a message"])[-1]
    (place, message), *more = errors
    return f"{place.removeprefix(f'{Path.cwd()}/')}: {message}" + (f" (and {len(more)} more errors)" if more else "")
