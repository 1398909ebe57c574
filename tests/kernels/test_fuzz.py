"""Our own searches on random graphs for some time, by every way and launch.

    FUZZ_SECONDS=300 FUZZ_SEED=11 .venv/bin/python -m pytest -m "gpu and slow" tests/kernels/test_fuzz.py

Each graph is searched from two sources. Some graphs number their arcs in 64 bits.
"""

import os
import time
from collections import Counter

import numpy as np
import pytest
from small_graphs import from_edges
from trial import ALGORITHMS, KINDS, check_from, device_of_kind

from warpath.algorithms import UNREACHABLE
from warpath.devices.errors import UnsupportedLaunch

SEARCHES = {"bfs": ALGORITHMS["bfs/persistent"], "sssp": ALGORITHMS["sssp/near_far"]}
DIRECTED_WAYS = {"stretching", "long stretches", "walking", "walking in pairs", "two sets", "window", "buckets"}
COUNTS_IN_64_BITS = ("stretching", "buckets")
SMALL_BLOCKS = {"BLOCK": 64, "ROAD_BLOCK": 64}  # which the emulation of a GPU takes less time for
MOST_VERTICES = {"host": 2000, "cuda": 40_000}


def forced_bfs(draw, device, way):
    bytes_of_a_slice = 4 * (int(draw.integers(8, 400)) // 4 * 4) + 16
    slices = {"LEAST_SLICED": 0, "SLICED_BYTES": device.shared_memory - bytes_of_a_slice}
    return slices | {"TRIED": (way,), "IMBALANCE": draw.choice([1.05, 1e6])}


def forced_sssp(draw, device, way):
    chosen, mesh = (way, int(2 ** draw.integers(0, 10)) * (way != "window")), bool(draw.random() < 0.5)
    choices = dict.fromkeys(["likely", "fastest"], lambda *_: chosen)
    return choices | {"is_mesh": lambda graph: mesh, "LEAST_REGION": int(draw.choice([1, 16]))}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("problem", "force"), [("bfs", forced_bfs), ("sssp", forced_sssp)], ids=SEARCHES)
def test_answers_are_right(configure, monkeypatch, problem, force, kind):
    described, device = SEARCHES[problem], device_of_kind(kind)
    draw, searched = np.random.default_rng(int(os.environ.get("FUZZ_SEED", "1"))), Counter()
    ways, labels = list(described.prepare.__globals__["WAYS"]), [launch.label for launch in described.launches]
    end = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "30"))
    while time.monotonic() < end or searched.keys() < set(ways):
        graph = random_graph(draw, MOST_VERTICES[kind])
        way = str(draw.choice([way for way in ways if not graph.directed or way in DIRECTED_WAYS]))
        label, sources = str(draw.choice(labels)), draw.integers(graph.vertices, size=2).tolist()
        wide = way in COUNTS_IN_64_BITS and draw.random() < 0.33
        configure(described, **SMALL_BLOCKS if kind == "host" else {}, **force(draw, device, way))
        monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1 if wide else 2**31 - 1)
        print(f"{way}, {label} on {graph.name} of {graph.vertices} vertices and {graph.arcs} arcs, from {sources}")
        try:
            check_from(sources, described, graph, label, kind)
        except UnsupportedLaunch:
            continue
        except TypeError as error:  # only `fastest` passes over regions that do not fit
            assert way == "regions" and "NoneType" in str(error)
            continue
        searched[way] += 1
    print(searched)


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
