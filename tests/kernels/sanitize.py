r"""Run every algorithm once on a few small graphs and check the answers, as a short program for a sanitizer.

    compute-sanitizer --tool memcheck .venv/bin/python tests/kernels/sanitize.py --device cuda
    compute-sanitizer --tool racecheck .venv/bin/python tests/kernels/sanitize.py --device cuda \
        --without sssp/racy apsp/batched

Arguments choose algorithms by the beginning of their id; all of them without any.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / place) for place in ("workflow", "tests", "tests/kernels")]

import tiny_graphs  # noqa: E402
from trial import OURS, check_from  # noqa: E402

from warpath.runs import operand  # noqa: E402

GRAPHS = ("random_directed_100", "random_undirected_130", "star", "disconnected", "no_arcs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("chosen", nargs="*", default=[""], help="beginnings of ids: bfs, sssp/tpe, ...")
    parser.add_argument("--without", nargs="*", default=[], help="beginnings of ids to leave out")
    parser.add_argument("--device", choices=["host", "cuda"], default="host")
    parser.add_argument("--all-launches", action="store_true", help="every launch instead of the middle one")
    parser.add_argument("--wide-arcs", action="store_true", help="number arcs in 64 bits")
    asked = parser.parse_args()
    if asked.wide_arcs:
        operand.MOST_NARROW_ARCS = -1
    wrong = 0
    for id, described in OURS.items():
        if not id.startswith(tuple(asked.chosen)) or (asked.without and id.startswith(tuple(asked.without))):
            continue
        for label in [launch.label for launch in described.launches] if asked.all_launches else [None]:
            wrong += not runs(described, label, asked.device)
    return 1 if wrong else 0


def runs(described, label, kind):
    try:
        for graph in GRAPHS:
            check_from([0], described, tiny_graphs.GRAPHS[graph], label, kind)
    except AssertionError as error:
        print(f"{described.id} {label or ''}: WRONG\n{error}", flush=True)
        return False
    print(f"{described.id} {label or ''}: right", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
