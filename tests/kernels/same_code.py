r"""Compare the compiled code of every algorithm in two checkouts, and record the algorithms whose code is unchanged.

    .venv/bin/python tests/kernels/same_code.py /tmp/before . --declare 'bfs/*' 'adds a lower bound, which no run reads'

Runs are kept for a digest of an algorithm's code files, so an edit that changes no instruction would have it measured
again. An algorithm is unchanged if its .py is the same program (python_code.py) and everything that its launches
compile is the same machine code (machine_code.py). Unchanged algorithms whose files differ are appended to
kernels/unchanged.tsv of the second checkout.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "workflow"), str(ROOT / "tests" / "kernels")]

import machine_code  # noqa: E402
import python_code  # noqa: E402

from warpath.runs import provenance  # noqa: E402

COLUMNS = ("algorithm", "before", "after", "evidence")
DIFFERENT = "DIFFERENT"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("before", type=Path, help="a checkout")
    parser.add_argument("after", type=Path, help="another one, whose kernels/unchanged.tsv is appended to")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="which algorithms, such as 'apsp/fw_*'")
    parser.add_argument(
        "--declare",
        nargs=2,
        action="append",
        default=[],
        metavar=("PATTERN", "REASON"),
        help="take the .py of these algorithms as unchanged, for a reason that is recorded",
    )
    parser.add_argument("-O", "--parallel", type=int, default=2, metavar="N", help="compile N files at once")
    parser.add_argument("--dry-run", action="store_true", help="record nothing")
    options = parser.parse_args()

    before, after = (described(checkout.resolve()) for checkout in (options.before, options.after))
    names = [name for name in sorted(before.keys() & after.keys()) if fnmatch(name, options.only)]
    pairs = {name: paired(before[name], after[name]) for name in names}
    differences = compare_code(set().union(*pairs.values()), options.parallel)
    rows, changed = [], []
    for name in names:
        python = compare_python(name, before[name], after[name], options.declare)
        compiled = [f"{pair[1]}: {differences[pair]}" for pair in pairs[name] if differences[pair]]
        verdict = DIFFERENT if compiled else f"same in {len(pairs[name])} configurations" if pairs[name] else "nothing"
        print(f"{name:30} compiled: {verdict:26} python: {python}", *compiled, sep="\n    ")
        if DIFFERENT in (python, verdict):
            changed.append(name)
        elif before[name]["digest"] != after[name]["digest"]:
            evidence = f"compiled: {verdict}, {machine_code.compilers()}; python: {python}"
            rows.append((name, before[name]["digest"], after[name]["digest"], evidence))
    print(f"{len(names)} algorithms, {len(changed)} different: {' '.join(changed)}")
    if not options.dry_run:
        record(options.after / "kernels" / "unchanged.tsv", rows)
    return 1 if changed else 0


def described(checkout):
    """The code files of every algorithm of a checkout and what its launches compile, by the checkout's own package."""
    script = Path(__file__).with_name("configurations.py")
    environment = os.environ | {"PYTHONPATH": str(checkout / "workflow")}
    output = subprocess.run([sys.executable, script], env=environment, stdout=subprocess.PIPE, check=True)
    algorithms = json.loads(output.stdout)
    for algorithm in algorithms.values():
        algorithm["digest"] = provenance.digest(algorithm["files"])
    return algorithms


def paired(before, after):
    """Each configuration of an algorithm beside its counterpart; both lists are in order of graphs and launches.

    A launch that only one checkout has has no runs to keep, and is left out.
    """
    launches = [{launch for launch, *_ in algorithm["configurations"]} for algorithm in (before, after)]
    both = [
        [
            (source, tuple(map(tuple, defines)))
            for launch, source, defines in algorithm["configurations"]
            if launch in launches[0] & launches[1]
        ]
        for algorithm in (before, after)
    ]
    return list(dict.fromkeys(zip_longest(*both)))


def compare_code(pairs, parallel):
    """What differs between each two configurations, or None."""
    pairs = sorted(pairs, key=str)
    with ProcessPoolExecutor(parallel) as pool:
        return dict(zip(pairs, pool.map(_difference, pairs), strict=True))


def _difference(pair):
    return machine_code.difference(*pair) if all(pair) else "only in one checkout"


def compare_python(name, before, after, declarations):
    sources = [Path(algorithm["files"][0]).read_text() for algorithm in (before, after)]
    if verdict := python_code.compare(*sources):
        return verdict
    reasons = [reason for pattern, reason in declarations if fnmatch(name, pattern)]
    return f"declared: {reasons[0]}" if reasons else DIFFERENT


def record(table, rows):
    """Append the rows that the table does not have yet."""
    lines = table.read_text().splitlines() if table.exists() else ["\t".join(COLUMNS)]
    known = {tuple(line.split("\t")[:3]) for line in lines}
    lines += ["\t".join(row) for row in rows if row[:3] not in known]
    table.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
