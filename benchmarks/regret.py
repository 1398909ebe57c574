"""How many times as long our default launch takes as the best launch of an earlier commit, source by source.

    git worktree add ../base COMMIT
    python benchmarks/regret.py ../base [--graphs zoo-web-256k,...] [--device cuda]

From 64 random vertices of each graph and the 8 farthest ones found: the median of two solves, after one. Each checkout
is measured by its own code, in a process of its own. What preparing takes is not part of it.
"""

import argparse
import contextlib
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = ("bfs/persistent", "sssp/near_far")
SOURCES, FARTHEST, REPETITIONS = 64, 8, 2


def main():
    options = _options()
    if options.side:
        return _measure(Path(options.base), options.side == "base", options)
    import zoo  # beside this file

    names = options.graphs.split(",") if options.graphs else [name for name in zoo.entries() if name.endswith("-256k")]
    zoo.prepare_to_make()
    options.problems, options.sources = "bfs,sssp", 1
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("fork").Pool() as pool:
        files = [str(file) for file, _ in pool.imap(zoo.made, [(name, options, folder) for name in names])]
        sides = [_measured(side, root, files, options) for side, root in (("base", options.base), ("ours", ROOT))]
    for algorithm in OURS:
        _report(algorithm, *({name: rows[algorithm] for name, rows in side.items()} for side in sides))


def _options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("base", help="a folder with an earlier checkout")
    parser.add_argument("--graphs", default="", help="of the catalogue, by default the zoo's of 256k vertices")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--files", nargs="*", help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(side, root, files, options):
    """Measure with the code in `root`; return milliseconds by graph, algorithm and source."""
    command = [sys.executable, __file__, str(root), "--side", side, "--device", options.device, "--files", *files]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = [line for line in process.stdout if line.startswith("{")]
    if process.returncode:
        sys.exit(process.returncode)
    return {row["graph"]: row["times"] for row in map(json.loads, lines)}


def _measure(root, every_launch, options):
    sys.path.insert(0, str(root / "workflow"))
    import numpy as np

    from warpath import devices
    from warpath.algorithms import discovery
    from warpath.devices.errors import UnsupportedLaunch
    from warpath.graphs import csr
    from warpath.runs.operand import Operand

    device, known = devices.open(options.device), discovery.find(root / "kernels")
    for file in map(Path, options.files):
        with np.load(file) as stored:
            arrays = stored["offsets"], stored["targets"], stored["weights"]
            graph = csr.Graph(file.stem, *arrays, np.arange(len(arrays[0]) - 1), bool(stored["directed"]))
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
                    for source in sources + far:
                        best[source] = min(best.get(source, np.inf), _median(device.timer(), solve, source))
        print(json.dumps({"graph": graph.name, "times": times}), flush=True)


def _farthest(device, solve, sources):
    """Return vertices that are far from one of the first few sources."""
    import numpy as np

    from warpath.algorithms import UNREACHABLE

    found = np.stack([device.get(solve(source).distance).astype(np.int64) for source in sources[:FARTHEST]])
    return np.argsort(-np.where(found < UNREACHABLE, found, -1).max(axis=0), kind="stable")[:FARTHEST].tolist()


def _median(timer, solve, source):
    taken = []
    for _ in range(1 + REPETITIONS):
        timer.start()
        solve(source)
        timer.stop()
        taken.append(timer.milliseconds())
    return statistics.median(taken[1:])


def _report(algorithm, base, ours):
    """Print the median of all ratios and, the worst first, graphs on which one is above 2."""
    by_graph = {name: [times[source] / base[name][source] for source in times] for name, times in ours.items()}
    ratios = [ratio for each in by_graph.values() for ratio in each]
    above = sum(ratio > 2 for ratio in ratios)
    print(f"{algorithm}: median {statistics.median(ratios):.2f}, above 2 from {above} of {len(ratios)} sources")
    for name, each in sorted(by_graph.items(), key=lambda item: -statistics.median(item[1])):
        if max(each) > 2:
            print(f"  {name:34} median {statistics.median(each):.2f}, largest {max(each):.2f}")


if __name__ == "__main__":
    main()
