"""C++ built at first use and kept: the same source, options and compiler give the same file, which is built once."""

import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from warpath.errors import UserError
from warpath.files import atomic

OPTIONS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror=return-type")
SEAL = hashlib.sha256().digest_size


def cache():
    return Path(os.environ.get("WARPATH_CACHE", "results/.cache")) / "native"


def build(source, options=()):
    """The path of the shared library made from `source`, built now unless an intact one is kept already."""
    source = Path(source)
    options = (*OPTIONS, *options)
    key = hashlib.sha256(repr((_texts(source), options, _compiler(), platform.machine())).encode()).hexdigest()
    library = cache().resolve() / f"{source.stem}-{key[:24]}.so"
    if not _intact(library):
        with atomic(library) as temporary:
            _compile(source, options, temporary)
            with open(temporary, "rb+") as file:  # what follows an ELF file's sections is ignored by the loader
                file.write(hashlib.sha256(file.read()).digest())
    return library


def _intact(library):
    try:
        content = library.read_bytes()
    except FileNotFoundError:
        return False
    return len(content) > SEAL and hashlib.sha256(content[:-SEAL]).digest() == content[-SEAL:]


def _texts(source):
    """The source and the headers that it includes from its own folder."""
    text = source.read_text()
    return [text, *(_texts(source.with_name(name)) for name in re.findall(r'^#include "(.+)"', text, re.MULTILINE))]


@functools.cache
def _compiler():
    command = os.environ.get("CXX", "g++")
    if not shutil.which(command):
        raise UserError(f"no C++ compiler: {command} is not on the PATH; install it (apt install g++) or set CXX")
    return command, subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout


def _compile(source, options, library):
    command = [_compiler()[0], *options, "-o", str(library), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr.strip()[:200])
        raise UserError(f"{source}: {command[0]} cannot build it ({reason})")
