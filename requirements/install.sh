#!/bin/sh
# install.sh PYTHON SET: create .venv if it is missing and install requirements/SET.txt with the CuPy that fits the driver;
# for the set `peers`, also cuGraph.
set -eu
python=$1 set=$2

say() { echo "warpath: $*" >&2; }
fail() { say "$*"; exit 1; }

command -v "$python" > /dev/null || fail "$python not found; install Python 3.11 to 3.14 (apt install python3 python3-venv)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$("$python" --version) is too old; use 3.11 to 3.14 (PYTHON=python3.12 make run)"
"$python" -c 'import sys; sys.exit(sys.version_info >= (3, 15))' ||
    fail "$("$python" --version) is too new: NumPy and SciPy have no wheels for it; use 3.14 or older" \
        "(PYTHON=python3.13 make run)"
"$python" -c '
import sys, sysconfig, pathlib
sys.exit(sys.version_info >= (3, 14) and not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' ||
    fail "$("$python" --version) lacks its headers, and immutables (needed by Snakemake) has no wheel for it;" \
        "apt install python3-dev, or use an older one (PYTHON=python3.13 make run)"
cxx=${CXX:-g++}
command -v "$cxx" > /dev/null || fail "$cxx not found (needed to compile C++); apt install g++, or name a compiler in CXX"

if [ ! -x .venv/bin/pip ]; then
    say "setting up .venv (once, about a minute)"
    "$python" -m venv --clear .venv || { rm -rf .venv; fail "Python's venv module is incomplete; apt install python3-venv"; }
fi
# Lets `python -m warpath` import the package of this checkout.
pwd | sed 's|$|/workflow|' > "$(.venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/warpath.pth"
ln -sfn ../../workflow/bin/warpath .venv/bin/warpath
install() { .venv/bin/pip install -qq --disable-pip-version-check -c requirements/constraints.txt -r "$1"; }

install "requirements/$set.txt"
gpu=$(PYTHONPATH=workflow .venv/bin/python -m warpath.devices.wheel)
if [ -n "$gpu" ] && [ "$set" = peers ]; then
    gpu=$(echo "$gpu" | sed 's/cupy/cugraph/')
    say "installing cuGraph, which takes gigabytes"
fi
[ -z "$gpu" ] || install "$gpu"
# What the first run would wait for: all C++, compiled, and the list of fonts. What fails here is told when it is needed.
.venv/bin/python -c '
import matplotlib.font_manager
from warpath.base import compiler, places
from warpath.devices import cpu
from warpath.graphs import library
from warpath.warm import client
compiler.program("client", client.SOURCE)
library.load_usual()
for file in sorted(places.KERNELS.glob("*/cpu_*.cpp")):
    cpu.compiled(file, [], {})' 2> /dev/null || :
touch ".venv/$set"
