"""How many times as long our default launch takes as the best launch of an earlier commit, source by source.

    git worktree add ../base COMMIT
    python benchmarks/regret.py ../base [--graphs zoo-web-256k,...] [--device cuda]

From 64 random vertices of each graph and the 8 farthest ones found: the median of two solves, after one, which is all
where it takes thrice the best of other launches. A launch that takes PATIENCE seconds and is the best from no vertex is
given up. Each checkout is measured by its own code, in a process of its own, graph by graph in turns. What preparing
takes is not part of it.
"""

import argparse
import contextlib
import json
import math
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import zoo  # beside this file

ROOT = Path(__file__).resolve().parents[1]
OURS = ("bfs/persistent", "sssp/near_far")
SOURCES, FARTHEST, REPETITIONS = 64, 8, 2
PATIENCE = 2


def main():
    options = _options()
    if options.side:
        return _measure(Path(options.base), options.side == "base", options.device)

    names = options.graphs.split(",") if options.graphs else [name for name in zoo.entries() if name.endswith("-256k")]
    zoo.prepare_to_make()
    options.problems, options.sources = "bfs,sssp", 1
    found = {algorithm: {} for algorithm in OURS}
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("fork").Pool(4) as pool:
        sides = [_started(side, root, options.device) for side, root in (("base", options.base), ("ours", ROOT))]
        for file, _ in pool.imap_unordered(zoo.made, [(name, options, folder) for name in names]):
            base, ours = (_asked(side, file) for side in sides)
            file.unlink()
            for algorithm in OURS:
                found[algorithm][file.stem] = [ours[algorithm][at] / base[algorithm][at] for at in base[algorithm]]
                print(_summary(f"{algorithm} {file.stem}", found[algorithm][file.stem]), flush=True)
    for algorithm, by_graph in found.items():
        print(_summary(f"{algorithm} all", [ratio for ratios in by_graph.values() for ratio in ratios]))


def _options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("base", help="a folder with an earlier checkout")
    parser.add_argument("--graphs", default="", help="of the catalogue, by default the zoo's of 256k vertices")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--side", help=argparse.SUPPRESS)
    return parser.parse_args()


def _started(side, root, device):
    """A process with the code in `root` that answers the name of a file with the times of its graph."""
    command = [sys.executable, __file__, str(root), "--side", side, "--device", device]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _asked(process, file):
    """Milliseconds by algorithm and source."""
    print(file, file=process.stdin, flush=True)
    for line in process.stdout:
        if line.startswith("{"):
            return json.loads(line)
    sys.exit("a side ended early")


def _measure(root, every_launch, kind):
    sys.path.insert(0, str(root / "workflow"))  # before ours
    import numpy as np

    from warpath import devices
    from warpath.algorithms import discovery
    from warpath.devices.errors import UnsupportedLaunch
    from warpath.runs.operand import Operand

    device, known = devices.open(kind), discovery.find(root / "kernels")
    for line in sys.stdin:
        graph, _ = zoo.loaded(Path(line.strip()))
        starts = np.flatnonzero(np.diff(graph.offsets))
        sources, far = np.random.RandomState(7).choice(starts, SOURCES).tolist(), []
        operand, times = Operand(graph, device), {}
        for algorithm in map(known.get, OURS):
            best = times[algorithm.id] = {}
            launches = [launch for launch in algorithm.launches if "tree" not in launch.parameters]
            for launch in launches if every_launch else launches[:1]:
                with contextlib.suppress(UnsupportedLaunch):
                    solve = algorithm.prepare(device, operand, launch)
                    far = far or _farthest(device, solve, sources)
                    _improve(best, sources + far, device.timer(), solve)
        print(json.dumps(times), flush=True)


def _farthest(device, solve, sources):
    """Return vertices that are far from one of the first few sources."""
    import numpy as np

    from warpath.algorithms import UNREACHABLE

    found = np.stack([device.get(solve(source).distance).astype(np.int64) for source in sources[:FARTHEST]])
    return np.argsort(-np.where(found < UNREACHABLE, found, -1).max(axis=0), kind="stable")[:FARTHEST].tolist()


def _improve(best, sources, timer, solve):
    """Lower the best times by source to those of one launch."""
    solve(sources[0])
    spent, improved = 0, False
    for source in sources:
        taken = []
        while len(taken) <= REPETITIONS and not (taken and taken[0] > 3 * best.get(source, math.inf)):
            timer.start()
            solve(source)
            timer.stop()
            taken.append(timer.milliseconds())
        median, spent = statistics.median(taken[1:] or taken), spent + sum(taken)
        improved |= median < best.get(source, math.inf)
        best[source] = min(best.get(source, math.inf), median)
        if spent > 1000 * PATIENCE and not improved:
            return


def _summary(what, ratios):
    above, middle = sum(ratio > 2 for ratio in ratios), statistics.median(ratios)
    return f"{what:44} median {middle:.2f}, largest {max(ratios):.2f}, above 2 from {above} of {len(ratios)} sources"


if __name__ == "__main__":
    main()
