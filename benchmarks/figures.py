"""Measure what each figure of published studies costs in a workflow: the command, forked from a warm process.

    python benchmarks/figures.py docs/h200/*/ [--keep FOLDER]

CPU seconds, which are comparable between busy machines. The figures are drawn into a folder that is removed, unless
`--keep` names one.
"""

import argparse
import contextlib
import gc
import importlib
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath import cli
from warpath.warm import server
from warpath.warm import start as warm


def forked(arguments):
    """CPU seconds of a command of warpath in a fork of this process; None if it failed."""
    process = os.fork()
    if not process:
        status = 1
        with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
            status = cli.main(arguments) or 0
        os._exit(status)
    _, status, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime if status == 0 else None


def drawn(folder, output):
    """Yield (figure, CPU seconds) for each figure that a published study has."""
    for svg in sorted(folder.glob("*.svg")):
        tables = ["--timings", str(folder / "timings.parquet"), "--summary", str(folder / "summary.csv")]
        yield svg.stem, forked(["figure", svg.stem, *tables, "--output", str(output / folder.name)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="+", type=Path)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    cli.parser()  # once, as the server does
    os.environ |= server.ONE_THREAD
    for name in warm.MODULES:
        importlib.import_module(name)
    gc.freeze()  # as the server does
    with tempfile.TemporaryDirectory() as temporary:
        output = arguments.keep or Path(temporary)
        for folder in arguments.studies:
            if (folder / "timings.parquet").exists():
                (output / folder.name).mkdir(parents=True, exist_ok=True)
                for name, seconds in drawn(folder, output):
                    said = "failed" if seconds is None else f"{seconds:.2f} s"
                    print(f"{folder.name:12} {name:24} {said}", flush=True)


if __name__ == "__main__":
    main()
