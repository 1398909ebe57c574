#!/bin/sh
# install.sh PYTHON SET: make .venv where it is missing and put requirements/SET.txt into it, with the CuPy wheel that fits.
# For the set `peers`, cuGraph's wheel too.
set -eu
python=$1 set=$2

say() { echo "warpath: $*" >&2; }
missing() { say "$*"; exit 1; }

command -v "$python" > /dev/null || missing "$python not found; install Python 3.11 or later (apt install python3 python3-venv)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    missing "$("$python" --version) is too old; 3.11 or later is needed (PYTHON=python3.12 make run)"
command -v g++ > /dev/null || missing "g++ not found; it compiles the CPU baselines (apt install g++)"

if [ ! -x .venv/bin/pip ]; then
    say "setting up .venv (once, about a minute)"
    "$python" -m venv --clear .venv || { rm -rf .venv; missing "python's venv module is incomplete; apt install python3-venv"; }
fi
# `python -m warpath` finds the package of this checkout.
pwd | sed 's|$|/workflow|' > "$(.venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/warpath.pth"
install() { .venv/bin/pip install --quiet --disable-pip-version-check -c requirements/constraints.txt -r "$1"; }

install "requirements/$set.txt"
gpu=$(PYTHONPATH=workflow .venv/bin/python -m warpath.devices.wheel)
if [ -n "$gpu" ] && [ "$set" = peers ]; then
    gpu=$(echo "$gpu" | sed 's/cupy/cugraph/')
    say "installing cuGraph, which takes gigabytes"
fi
[ -z "$gpu" ] || install "$gpu"
touch ".venv/$set"
