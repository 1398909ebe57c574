"""Run `snakemake --lint` and fail on every complaint but one.

Snakemake wants a conda or container directive in each rule. This workflow runs in the one pinned environment that
`make` sets up, on purpose: a GPU job must not wait for an environment of its own.
"""

import subprocess
import sys

ACCEPTED = "Specify a conda environment or container for each rule."


def complaints(text):
    """The lines that name a complaint: they start with an asterisk."""
    return [line.strip() for line in text.splitlines() if line.strip().startswith("*")]


def main():
    command = [sys.executable, "-m", "snakemake", "--lint"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    text = result.stdout + result.stderr
    found = complaints(text)
    unexpected = [line for line in found if ACCEPTED not in line]
    if unexpected or (result.returncode and not found):
        sys.exit(text)
    print(f"snakemake --lint: nothing but {len(found)} rules without a conda environment, which is meant")


if __name__ == "__main__":
    main()
