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
from warpath.graphs import generators

SEARCHES = {"bfs": ALGORITHMS["bfs/persistent"], "sssp": ALGORITHMS["sssp/near_far"]}
DIRECTED_WAYS = {"stretching", "walking", "two sets", "window", "buckets"}
COUNTS_IN_64_BITS = ("stretching", "buckets")
SMALL_BLOCKS = {"BLOCK": 64}  # which the emulation of a GPU takes less time for
MOST_VERTICES = {"host": 2000, "cuda": 40_000}


def forced_bfs(draw, device, way):
    return {"likely": lambda *_: (way, "stretching"), "PIECE": int(draw.choice([16, 512]))}


def forced_sssp(draw, device, way):
    chosen = way, int(2 ** draw.integers(0, 10)) * (way != "window")
    return {"likely": lambda graph: chosen}


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
        searched[way] += 1
    print(searched)


# ---- graphs


def random_graph(draw, most):
    """Draw a graph of one of the package's families; its vertices may be shuffled, its arcs directed and loops."""
    n, seed = int(draw.integers(2, most if draw.random() < 0.8 else 300)), int(draw.integers(2**31))
    few, edges, side = int(draw.integers(1, 7)), int(n * draw.choice([0.7, 1.5, 3, 8])), int(n**0.5) + 1
    families = {
        "uniform": {"vertices": n, "edges": edges, "seed": seed},
        "rmat": {"scale": n.bit_length(), "edge_factor": few, "seed": seed},
        "web": {"vertices": n, "degree": few, "seed": seed},
        "path": {"vertices": min(n, 4000)},
        "grid": {"rows": side, "columns": side},
        "mesh": {"sides": [few, side, few], "closed": True},
        "cliques": {"count": n // few + 1, "size": few},
        "hairs": {"scale": side.bit_length(), "hairs": few, "length": side, "seed": seed},
        "small_world": {"vertices": n, "reach": few, "shortcuts": int(draw.choice([0, n // 100, n])), "seed": seed},
        "random_tree": {"vertices": n, "reach": int(draw.choice([few, side, n])), "seed": seed},
        "caterpillar": {"spine": n // few + 1, "leaves": int(draw.choice([few, side])), "every": side},
        "bipartite": {"left": few, "right": n, "edges": 2 * n, "seed": seed},  # a few hubs
    }
    kind = str(draw.choice([*families]))
    made = generators.generate({"kind": kind, **families[kind]} | ({"shuffle": seed} if draw.random() < 0.5 else {}))
    tails, heads = (np.concatenate([getattr(block, end) for block in made.blocks]) for end in ("tails", "targets"))
    weights = WEIGHTS[draw.integers(len(WEIGHTS))](draw, len(tails), (UNREACHABLE - 1) // made.ids)
    directed, loops = (bool(draw.random() < share) for share in (0.25, 0.2))
    return from_edges(kind, tails, heads, weights, made.ids, directed, loops=loops)


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
