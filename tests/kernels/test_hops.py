"""Rounds that a block does by itself: short lists, few hops, none or all of the rounds, and many in a row."""

import pytest
import tiny_graphs
from trial import ALGORITHMS, check_from

NAMES = ("path", "grid", "star", "complete", "random_directed_100", "random_undirected_130", "zero_weights")
GRAPHS = [*(tiny_graphs.GRAPHS[name] for name in NAMES), *tiny_graphs.WIDE.values(), *tiny_graphs.DEEP.values()]
LISTS = [{}, {"HOP_ARCS": 3}, {"LOCAL_ARCS": 0}, {"LOCAL_ARCS": 16}]
WALKS = {"TRIED": ("walking",)}
REGIONS = {"TRIED": ("regions",)}
BOUNDS = {
    "bfs/persistent": [
        *LISTS,
        *({"STEADY": 1, "STRETCH": levels, "HOPS": levels} for levels in (1, 2, 100)),
        *(WALKS | bounds for bounds in ({}, {"WALKED_ARCS": 0}, {"WALKED_ARCS": 16}, {"QUEUED_ARCS": 32})),
        WALKS | {"QUEUED_DEGREE": 3},
        {"TRIED": ("walking in pairs",), "SMALL_SHARE": 1, "LEAST_SHARE": 1, "GROWTH": 0},
        *({"HUBS": hubs} for hubs in (0, 2)),
        {"TRIED": ("exchanging",)},
        *({"TRIED": ("slices",), "LEAST_SLICED": 0, "SLICED_SHARE": share} for share in (5, 10**6)),
        *(REGIONS | bounds for bounds in ({}, {"REGION_QUEUE": 8, "LANES": 2}, {"IMBALANCE": 10**6})),
    ],
    "sssp/near_far": [bounds | {"MEAN_ARCS": 10**6} for bounds in (*LISTS, {"HOPS": 0}, {"HOPS": 2})],
}
SAMPLE = (
    {"LOCAL_ARCS": 16},
    {"WALKED_ARCS": 16},
    {"HOPS": 2},
    {"TRIED": ("exchanging",)},
)  # bounds that each is compiled with before every commit


def case(id, bounds):
    in_sample = any(sample.items() <= bounds.items() for sample in SAMPLE)
    name = "-".join([id, *(f"{name}={number}" for name, number in bounds.items())])
    return pytest.param(id, bounds, id=name, marks=[] if in_sample else pytest.mark.slow)


CASES = [case(id, bounds) for id, chosen in BOUNDS.items() for bounds in chosen]


@pytest.mark.parametrize(("id", "bounds"), CASES)
def test_answers_do_not_depend_on_the_bounds(monkeypatch, id, bounds):
    described = ALGORITHMS[id]
    for name, value in ({"BLOCK": 64} | bounds).items():
        monkeypatch.setitem(described.prepare.__globals__, name, value)
    for graph in GRAPHS:
        for launch in (described.launches[0], described.launches[-1]):
            check_from([0, 0], described, graph, launch.label)
