"""Answers of our own searches depend on no bound: room for lists, hops of a block by itself, when to pull."""

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

GRAPHS = [*tiny_graphs.GRAPHS.values(), *tiny_graphs.DEEP.values()]
NAMES = ("path", "grid", "star", "complete", "random_directed_100", "random_undirected_130", "zero_weights")
SOME = [*(tiny_graphs.GRAPHS[name] for name in NAMES), *tiny_graphs.wide("host").values(), *tiny_graphs.DEEP.values()]


def ring(vertices, reach, hubs=(), spokes=0):
    """A ring whose vertices know `reach` others ahead, and whose hubs know `spokes` more."""
    tails = np.concatenate([np.repeat(np.arange(vertices), reach), np.repeat(np.array(hubs, int), spokes)])
    steps = np.concatenate(
        [np.tile(np.arange(1, reach + 1), vertices), np.tile(np.arange(spokes) + reach + 1, len(hubs))]
    )
    return from_edges("ring", tails, (tails + steps) % vertices, 1 + (tails * 7 + steps * 31) % 255, vertices)


def weighted_hubs():
    """Two hubs with many arcs of all weights, which are searched for the first heavy one."""
    draw = np.random.default_rng(5)
    tails, heads = np.repeat([0, 1], 2000), draw.integers(0, 3000, 4000)
    return from_edges("weighted_hubs", tails, heads, draw.integers(0, 1000, 4000), 3000)


def looped_path():
    steps = np.arange(99)
    return from_edges("looped_path", np.append(steps, [7, 50]), np.append(steps + 1, [7, 50]), None, 100, loops=True)


LOOPED = [*SOME, looped_path()]
LOCKED_HUBS = ring(1500, 5, hubs=range(200, 1500, 300), spokes=200)  # more arcs than a block keeps in lockstep
MESHES = [*SOME, *map(tiny_graphs.GRAPHS.get, ("disconnected", "large_weights")), LOCKED_HUBS]


def exchanging(*_):
    return "exchanging", "stretching"


# How each way is forced: its algorithm, launches, graphs and settings. What compiles the same is compiled once.
BFS = "a16-be64", "a4-be64", "a16-be64-tree"
NEAR = {"MEAN_ARCS": 10**6, "LOCK_LANES": 8}
SMALL = NEAR | {"HOPS": 2}
WAYS = {
    "bfs": ("bfs/persistent", BFS, LOOPED, {"likely": lambda *_: ["stretching"]}),
    "bfs walking": ("bfs/persistent", BFS, LOOPED, {"likely": lambda *_: ["walking"]}),
    "bfs exchanging": ("bfs/persistent", BFS[::2], LOOPED, {"likely": exchanging}),
    "two sets": ("sssp/near_far", ("d0", "d512"), SOME, NEAR),
    "window": ("sssp/near_far", ("d0",), MESHES, SMALL | {"likely": lambda graph: ("window", 0)}),
    "buckets": ("sssp/near_far", ("d2-buckets", "d32-buckets"), [*GRAPHS, weighted_hubs()], SMALL),
}
NO_ROOM = {"ROOM": 2, "SLOT_SHARE": 1000, "NEAR_ROOM": 2}
ALWAYS, NEVER = 10**9, 0


BEFORE_EVERY_COMMIT = [
    ("bfs", {"LOCAL_ARCS": 16, "PIECE": 16}),
    ("bfs walking", {"LOCAL_ARCS": 16, "PIECE": 16}),
    ("bfs exchanging", {}),
    ("two sets", {"HOPS": 2}),
    ("window", NO_ROOM),
    ("buckets", {"PULL": ALWAYS}),
    ("buckets", {"PULL": NEVER}),
    ("buckets", {"LIST_ARCS": 20}),
    ("buckets", {"PATIENCE": 5, "PULL": ALWAYS}),
]
SLOW = [
    *((way, bounds) for way in ("bfs", "two sets") for bounds in ({}, {"HOP_ARCS": 3}, {"LOCAL_ARCS": 0})),
    *(("bfs", {"STRETCH": levels, "HOPS": levels}) for levels in (1, 2, 100)),
    *(("bfs walking", bounds) for bounds in ({}, {"LOCAL_ARCS": 0}, {"QUEUED_ARCS": 32}, {"QUEUED_DEGREE": 3})),
    ("bfs walking", {"GROUP": 2, "ROOM": 2}),
    *(("two sets", bounds) for bounds in ({"HOPS": 0}, {"LOCAL_ARCS": 16})),
    *(("window", bounds) for bounds in ({}, {"FOUND": 64, "REACH": 2})),
    ("window", NO_ROOM | {"ENOUGH_ARCS": 10}),
    ("window", {"REACH": 2, "LOCK_LANES": 16}),
]
CASES = [(*case, []) for case in BEFORE_EVERY_COMMIT] + [(*case, pytest.mark.slow) for case in SLOW]


@pytest.mark.parametrize(
    ("way", "bounds"),
    [
        pytest.param(way, bounds, marks=marks, id=f"{way} {[each for each in bounds.items() if not callable(each[1])]}")
        for way, bounds, marks in CASES
    ],
)
def test_answers_do_not_depend_on_the_bounds(configure, way, bounds):
    id, labels, graphs, forced = WAYS[way]
    configure(ALGORITHMS[id], **{"BLOCK": 64} | forced | bounds)
    for graph in graphs:
        for label in labels:
            check_from([0, 0], ALGORITHMS[id], graph, label)
