"""Run `snakemake --lint` and fail on every complaint but one.

Snakemake wants a conda or container directive in each rule. All rules of this workflow share the pinned environment
that `make` sets up, so that a GPU job does not wait for an environment of its own.
"""

import subprocess
import sys

ACCEPTED = "Specify a conda environment or container for each rule."


def complaints(text):
    """The lines with a complaint, which start with an asterisk."""
    return [line.strip() for line in text.splitlines() if line.strip().startswith("*")]


def main():
    command = [sys.executable, "-m", "snakemake", "--lint"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    text = result.stdout + result.stderr
    lines = complaints(text)
    unexpected = [line for line in lines if ACCEPTED not in line]
    if unexpected or (result.returncode and not lines):
        sys.exit(text)
    print(f"snakemake --lint: no complaints, except {len(lines)} rules without a conda environment, as intended")


if __name__ == "__main__":
    main()
