"""Search random graphs for some time and check every answer and tree.

    .venv/bin/python tests/kernels/fuzz.py bfs --device cuda --seconds 300 --seed 11

Each graph is searched from two sources by one of the ways of this project's own search, which is forced, or by one of
its launches. Some graphs number their arcs in 64 bits.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / place) for place in ("workflow", "tests", "tests/kernels")]

from small_graphs import from_edges  # noqa: E402
from trial import ALGORITHMS, check_from, device_of_kind  # noqa: E402

from warpath.algorithms import UNREACHABLE  # noqa: E402
from warpath.devices.errors import UnsupportedLaunch  # noqa: E402
from warpath.runs import operand  # noqa: E402

SEARCHES = {"bfs": "bfs/persistent", "sssp": "sssp/near_far"}
DIRECTED_WAYS = ("stretching", "long stretches", "walking", "walking in pairs")


class NotPossibleError(Exception):
    """The way that was forced does not suit the graph."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("problem", choices=SEARCHES)
    parser.add_argument("--device", choices=["host", "cuda"], default="host")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vertices", type=int, default=40_000, help="of a graph, at most")
    asked = parser.parse_args()
    draw, device = np.random.default_rng(asked.seed), device_of_kind(asked.device)
    described = ALGORITHMS[SEARCHES[asked.problem]]
    force = {"bfs": force_bfs, "sssp": force_sssp}[asked.problem]
    if asked.device == "host":
        settings(described).update(BLOCK=64, **({"ROAD_BLOCK": 64} if asked.problem == "sssp" else {}))
    searched, refused, wrong, end = Counter(), 0, 0, time.monotonic() + asked.seconds
    while time.monotonic() < end:
        graph = random_graph(draw, asked.vertices)
        try:
            way, label = force(draw, described, device, graph)
            sources = draw.integers(graph.vertices, size=2).tolist()
            check_from(sources, described, graph, label, asked.device)
        except AssertionError as error:
            wrong += 1
            size = f"{graph.vertices} vertices and {graph.arcs} arcs"
            print(f"WRONG: {way}, {label} on {graph.name} of {size}, from {sources}: {error}", flush=True)
        except (NotPossibleError, UnsupportedLaunch, TypeError) as error:
            if isinstance(error, TypeError) and "NoneType" not in str(error):
                raise  # it does not tell of regions that do not fit, which only `fastest` passes over
            refused += 1
            continue
        searched[f"{way}, {label}"] += 1
    print(*(f"{count:6} {name}" for name, count in sorted(searched.items())), sep="\n")
    print(
        f"{asked.problem}, seed {asked.seed}: {searched.total()} graphs, {wrong} wrong answers, {refused} not possible"
    )
    return 1 if wrong else 0


# ---- graphs


def random_graph(draw, most):
    vertices = int(draw.integers(2, most if draw.random() < 0.8 else 300))
    shape = SHAPES[draw.integers(len(SHAPES))]
    vertices, tails, heads = shape(draw, vertices)
    heaviest = (UNREACHABLE - 1) // vertices
    weights = WEIGHTS[draw.integers(len(WEIGHTS))](draw, len(tails), heaviest)
    directed, loops = (bool(draw.random() < share) for share in (0.25, 0.2))
    return from_edges(shape.__name__, tails, heads, weights, vertices, directed, loops=loops)


def edge_count(draw, vertices):
    return int(vertices * draw.choice([0.7, 1.5, 3, 8]))


def uniform(draw, n):
    count = edge_count(draw, n)
    return n, draw.integers(0, n, count), draw.integers(0, n, count)


def nearby(draw, n):
    tails = draw.integers(0, n, edge_count(draw, n))
    return n, tails, np.clip(tails + draw.integers(-4, 5, len(tails)), 0, n - 1)


def skewed(draw, n):
    count = edge_count(draw, n)
    return n, (draw.random(count) ** 6 * n).astype(int), draw.integers(0, n, count)


def path(_, n):
    n = min(n, 4000)
    return n, np.arange(n - 1), np.arange(1, n)


def shuffled_ring(draw, n):
    names, tails = draw.permutation(n), np.repeat(np.arange(n), 4)
    return n, names[tails], names[(tails + np.tile([1, 2, 3, 150], n)) % n]


def grid(draw, n):
    side = int(n**0.5) + 1
    names = np.arange(side * side) if draw.random() < 0.5 else draw.permutation(side * side)
    names = names.reshape(side, side)
    ends = ((names[:-1], names[1:]), (names[:, :-1], names[:, 1:]))
    return side * side, *(np.concatenate([pair[end].ravel() for pair in ends]) for end in range(2))


def broom(draw, n):
    n = min(n, 6000)
    hub = np.zeros(n // 3, int)
    return n, np.append(np.arange(n - 1), hub), np.append(np.arange(1, n), draw.integers(0, n, len(hub)))


def tree(draw, n):
    heads = np.arange(1, n)
    return n, (heads * draw.random(n - 1) ** draw.choice([0.1, 1, 4])).astype(int), heads


def hubs(draw, n):
    of_hubs = draw.choice(draw.integers(0, n, 5), 2 * n)
    tails = np.append(draw.integers(0, n, edge_count(draw, n)), of_hubs)
    return n, tails, draw.integers(0, n, len(tails))


SHAPES = uniform, nearby, skewed, path, shuffled_ring, grid, broom, tree, hubs

WEIGHTS = (
    lambda draw, count, heaviest: np.zeros(count, int),
    lambda draw, count, heaviest: np.ones(count, int),
    lambda draw, count, heaviest: draw.integers(0, 2, count),
    lambda draw, count, heaviest: draw.integers(0, 11, count),
    lambda draw, count, heaviest: draw.integers(1, 1001, count),
    lambda draw, count, heaviest: np.where(draw.random(count) < 0.5, 0, draw.integers(0, 100, count)),
    lambda draw, count, heaviest: np.minimum(1 + draw.pareto(1.2, count) * 3, heaviest).astype(int),
    lambda draw, count, heaviest: draw.integers(0, min(heaviest, 1 << 22) + 1, count),
)


# ---- ways


def settings(described):
    """The module of an algorithm, as a dict: its numbers and its ways."""
    return described.prepare.__globals__


def number_arcs(draw, in_64_bits):
    """Say whether arcs are numbered in 64 bits, which takes the algorithm to think that 2^31 of them are few."""
    in_64_bits = in_64_bits and draw.random() < 0.33
    operand.MOST_NARROW_ARCS = -1 if in_64_bits else 2**31 - 1
    return " in 64 bits" if in_64_bits else ""


def force_bfs(draw, described, device, graph):
    module = settings(described)
    plain = module.setdefault("PLAIN", module["stretching"])
    ways = list(module["WAYS"])
    forced = "default" if draw.random() < 0.12 else str(draw.choice(DIRECTED_WAYS if graph.directed else ways))
    module["TRIED"] = tuple(ways) if forced == "default" else (forced,)
    module["stretching"] = refuse if forced in ("slices", "exchanging", "regions") else plain  # what they fall back on
    module["LEAST_SLICED"], module["IMBALANCE"] = 0, draw.choice([1.05, 1e6])
    module["SLICED_BYTES"] = device.shared_memory - 4 * (int(draw.integers(8, 400)) // 4 * 4) - 16
    return forced + number_arcs(draw, forced == "stretching"), str(draw.choice(labels(described)))


def force_sssp(draw, described, device, graph):
    module = settings(described)
    for name in ("fastest", "likely", "is_mesh"):
        module[name] = module.setdefault(f"PLAIN_{name}", module[name])
    forced = str(draw.choice([*module["WAYS"], "default", "launch"]))
    if graph.directed and forced == "regions":
        forced = "window"
    module["LEAST_REGION"] = int(draw.choice([1, 16]))
    if forced != "default":
        mesh = bool(draw.random() < 0.5)
        module["is_mesh"] = lambda graph: mesh
    if forced in module["WAYS"]:
        delta = 0 if forced == "window" else int(2 ** draw.integers(0, 10))
        module["likely" if device.kind == "host" else "fastest"] = lambda *_: (forced, delta)
    own = [label for label in labels(described) if (label in ("d0", "d0-tree")) == (forced != "launch")]
    return forced + number_arcs(draw, forced in ("buckets", "default")), str(draw.choice(own))


def labels(described):
    return [launch.label for launch in described.launches]


def refuse(*_, **__):
    raise NotPossibleError


if __name__ == "__main__":
    sys.exit(main())
