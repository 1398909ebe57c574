"""List the pinned packages that have no wheel for a version of Python, so that pip would compile them.

    python benchmarks/wheels.py [3.14 ...]

Asks the index that pip is configured for, for this kind of machine; nothing is installed. Exits with 1 if one is
missing that is not known.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement

FOLDER = Path(__file__).resolve().parents[1] / "requirements"
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]
TOO_NEW = {"3.15"}  # for install.sh
KNOWN = {
    "immutables",  # from Python 3.14 on, for which install.sh asks for the headers
    "connection_pool",  # pure Python, never as a wheel
}
MISSING = re.compile(r"No matching distribution found for (\S+?)==")


def pins(folder=FOLDER):
    """Every pinned package, once. What constraints.txt repeats has its marker, if any, in another file."""
    files = {file.stem: _pins(file) for file in folder.glob("*.txt")}
    constraints = files.pop("constraints")
    direct = {str(pin): pin for pins in files.values() for pin in pins}
    named = {pin.name for pin in direct.values()}
    return [*direct.values(), *(pin for pin in constraints if pin.name not in named)]


def _pins(file):
    lines = file.read_text().splitlines()
    return [Requirement(line) for line in lines if "==" in line and not line.startswith("#")]


def wanted(pins, python):
    """Those that this Python gets, without the marker that says so: pip would ask it of the Python that runs pip."""
    version = {"python_version": python, "python_full_version": f"{python}.0"}
    chosen = [pin for pin in pins if not pin.marker or pin.marker.evaluate(version)]
    return sorted(f"{pin.name}{pin.specifier}" for pin in chosen)


def missing(wanted, python):
    """The packages without a wheel. pip names one at a time."""
    absent = []
    while message := _complaint([pin for pin in wanted if pin.split("==")[0] not in absent], python):
        name = MISSING.search(message)
        if not name:
            sys.exit(message)
        absent.append(name[1])
    return absent


def _complaint(pins, python):
    """What pip says if it cannot have wheels of all of these; empty if it can."""
    options = ["--dry-run", "--ignore-installed", "--no-deps", "--only-binary", ":all:", "--python-version", python]
    with tempfile.TemporaryDirectory() as target:
        command = [sys.executable, "-m", "pip", "install", "--quiet", *options, "--target", target, *pins]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return asked.stderr if asked.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", default=PYTHONS)
    unknown = set()
    for python in parser.parse_args().pythons:
        asked = wanted(pins(), python)
        absent = missing(asked, python)
        unknown |= set(absent) - KNOWN if python not in TOO_NEW else set()
        print(f"Python {python}: {len(asked)} pins, without a wheel: {', '.join(absent) or 'none'}", flush=True)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
