"""Build a program from its repository at its commit, our edits and its adapter; the cache has it by what made it."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from warpath.base import cache, compiler, outcome, places, processor
from warpath.base.errors import UserError
from warpath.devices import driver
from warpath.devices.errors import UnsupportedLaunch


def path(program):
    """Where the program is, once it is built: for this GPU, or for all."""
    content = [part for file in program.files for part in (file.name, file.read_bytes())]
    paths = [cache.path(program.name, "", [compiler.identity(), each, *content]) for each in _architectures(program)]
    return next((path for path in paths if path.exists()), paths[0])


def built(program):
    """Where the program is; where it is not built, that is all that the run has to say."""
    if not (place := path(program)).exists():
        reason = outcome.error(places.program(program.name)) or f"`{program.how}` builds it"
        raise UnsupportedLaunch(f"{program.origin} is not built: {reason}")
    return place


def why_absent(program):
    """Say in a few words why the program cannot be measured; None where it is built, or may be."""
    if path(program).exists() or not program.sources:
        return None
    fetching = "" if program.licence == "none" else ", or the setting `programs: fetch`"
    return f"{program.origin} is not built: `{program.how}`{fetching}"


def build(program, given):
    """Return the path of the program, built if it is not; `given` has local copies of repositories, by variable."""

    def make(output):
        if program.licence == "none" and "SOURCE" not in given:
            lines = f"`git clone {program.repository} theirs`, then `{program.how} --source theirs`"
            raise UserError(f"{program.title} has no licence that lets others fetch it for you: {lines}")
        with tempfile.TemporaryDirectory(prefix=f"warpath-{program.name}-") as folder:
            variables = {variable: str(Path(folder, variable.lower())) for variable in program.sources}
            variables |= {"INCLUDE": str(program.files[-1].parent), "OUTPUT": str(output), "CXX": compiler.command()}
            variables |= {"CORES": str(processor.cores()), "NVCC": "nvcc", "ARCH": _architectures(program)[0]}
            for variable, (repository, commit) in program.sources.items():
                _copy(given.get(variable, repository), commit, variables[variable])
            options, bash = {"env": os.environ | variables}, ["bash", "-e", "-o", "pipefail"]
            if program.edits:
                _run([*bash, str(program.folder / program.edits)], cwd=variables["SOURCE"], **options)
            _run([*bash, "-c", program.build], cwd=program.folder, **options)
            if not output.is_file() or not output.stat().st_size:
                raise UserError(f"{program.folder}: build: wrote no $OUTPUT")
            if not program.command:
                functions = f"from ctypes import CDLL; its = CDLL({str(output)!r}); its.prepare, its.solve, its.release"
                _run([sys.executable, "-c", functions])  # in a process of its own: loading runs code of the library

    return cache.built(path(program), make)


def _architectures(program):
    """The architectures that serve, as nvcc has them, that of this machine's GPU first."""
    own = [f"sm_{driver.properties()['architecture']}"] if program.device == "gpu" and driver.gpus() else []
    return [*own, "all-major"]


def _copy(source, commit, folder):
    """Have the files of a commit in the folder: of a repository, which may be a local clone, or of a local archive."""
    if Path(source).is_file():
        return _unpack(source, commit, folder)
    if not shutil.which("git"):
        raise UserError("git: not found (needed to copy a repository); apt install git")
    _run(["git", "init", "-q", folder])
    try:
        _run(["git", "-C", folder, "-c", "core.askPass=true", "fetch", "-q", "--depth", "1", source, commit])
    except UserError as error:
        advice = "without a network, --source names a local clone or archive"
        raise UserError(f"{source}: commit {commit[:12]} cannot be fetched ({error}); {advice}") from None
    return _run(["git", "-C", folder, "checkout", "-q", "FETCH_HEAD"])


def _unpack(archive, commit, folder):
    """Unpack an archive that git has made of the commit, whose number is in its header."""
    try:
        with tarfile.open(archive) as packed:
            found = packed.pax_headers.get("comment", "no commit")
    except tarfile.TarError as error:
        raise UserError(f"{archive}: not an archive that can be read ({error})") from None
    if found != commit:
        raise UserError(f"{archive}: is of {found[:12]}, not of commit {commit[:12]}")
    Path(folder).mkdir()
    _run(["tar", "-xf", archive, "--strip-components=1", "-C", folder])


def _run(command, **options):
    """Run a command whose messages are the note of an error, and the one that tells most the error."""
    options |= {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace"}
    done = subprocess.run(command, check=False, **options)
    if done.returncode:
        lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        told = [line for line in lines if re.search("error|fatal|not found", line, re.IGNORECASE)] or lines[-1:]
        raise UserError(told[0] if told else f"{command[0]} ended with {done.returncode}", "\n".join(lines))
