"""Write workflow/envs/warpath.yaml, the conda environment of every rule, from the pins in this folder.

    .venv/bin/python requirements/environment.py

Jobs need no Snakemake. CUDA 12's packages run with every driver since; `make` chooses by the driver instead.
"""

import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).resolve().parent
FILE = FOLDER.parent / "workflow/envs/warpath.yaml"
PYTHON = "3.13"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.M)
HEADER = f"""\
# What jobs need, for `snakemake --sdm conda`. Written by requirements/environment.py from the pins in requirements/.
channels:
  - conda-forge
  - nodefaults
dependencies:
  - python ={PYTHON}
  - pip
  - gxx
  - git
  - pip:
"""


def text():
    pinned, direct = pins("constraints.txt"), pins("run.txt") | pins("cupy-cuda12.txt")
    direct.pop("snakemake")
    needed = dict(direct)
    queue = list(direct)
    while queue:
        for name in _required(queue.pop()) - needed.keys():
            needed[name] = pinned[name]
            queue.append(name)
    return HEADER + "".join(f"      - {name}=={version}\n" for name, version in sorted(needed.items()))


def pins(file):
    """The pinned version of each package in a file of this folder, by its normal name."""
    return {str(canonicalize_name(name)): version for name, version in PIN.findall((FOLDER / file).read_text())}


def _required(name):
    """What a package needs. Those that are not installed here are CUDA's, which need what is listed."""
    try:
        lines = metadata.requires(name) or ()
    except metadata.PackageNotFoundError:
        return set()
    on = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0", "extra": ""}
    required = map(Requirement, lines)
    return {str(canonicalize_name(each.name)) for each in required if not each.marker or each.marker.evaluate(on)}


if __name__ == "__main__":
    FILE.write_text(text())
