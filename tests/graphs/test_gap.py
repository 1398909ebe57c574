"""Graphs, weights and sources are those of the GAP Benchmark Suite.

The digests are of files that its reference code wrote (b5e3e19, GCC 12.2): `converter -g14 -k8 -wb graph.wsg`, and -u
for uniform graphs. The sources are those that its searches began from.
"""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from warpath.graphs import gap, generators
from warpath.graphs.blocks import Block
from warpath.graphs.clean import clean
from warpath.graphs.csr import Graph
from warpath.runs import commands
from warpath.runs.sources import choose_sources

CLEANING = {"self_loops": "drop", "largest_component": False, "relabel": True}
SUITE = {  # by kind, scale and edge factor: the first letters of the file's digest, the sources
    ("gap_kron", 10, 16): ("4b62539bf406c0aba9b12980", [351, 895, 656, 206, 468, 620]),
    ("gap_kron", 14, 8): ("9fd5ada62ee6f8ac420b5fad", [1598, 15861, 16324, 8642, 13521, 13959]),
    ("gap_kron", 16, 16): ("a8dd8d1ff136ca3a523daa79", [64863, 35711, 18064, 30164, 1014, 22488]),
    ("gap_urand", 16, 16): ("94595867fb1b4c289c596ba2", [64863, 35711, 18064, 53454, 30164, 61036]),
}


def generated(kind, scale, edge_factor):
    edges = generators.generate({"kind": kind, "scale": scale, "edge_factor": edge_factor})
    return clean(edges, CLEANING, False, "gap", "g")


def serialized(graph):
    """The graph in the suite's format for weighted graphs."""
    arcs = np.stack([graph.targets, graph.weights], axis=1)
    return b"\0" + np.array([graph.arcs, graph.vertices]).tobytes() + graph.offsets.tobytes() + arcs.tobytes()


@pytest.mark.parametrize("chosen", SUITE, ids=str)
def test_graphs_and_sources_are_those_of_the_suite(chosen):
    graph, (digest, sources) = generated(*chosen), SUITE[chosen]
    assert hashlib.sha256(serialized(graph)).hexdigest().startswith(digest)
    assert choose_sources(graph, commands.sources("gap:6"), seed=1) == sources


def test_a_source_that_is_drawn_again_is_searched_from_once():
    graph = generated("gap_urand", 3, 1)
    assert sorted(gap.sources(graph, 500)) == np.flatnonzero(np.diff(graph.offsets)).tolist()
    assert gap.sources(Graph("empty", np.zeros(4, np.int64), graph.targets[:0], graph.weights[:0], None, True), 4) == []


@pytest.mark.parametrize("size", [30_000, (1 << 18) + 5])
def test_weights_depend_on_the_place_of_an_edge_alone(size):
    count = (1 << 19) + 100
    ends = np.zeros(count, np.uint32)
    with ThreadPoolExecutor(2) as pool:
        cut = [Block(ends[begin : begin + size], ends[begin : begin + size]) for begin in range(0, count, size)]
        drawn = np.concatenate([block.weights for block in gap.weighted(pool, cut)])
        np.testing.assert_array_equal(drawn, gap.weighted(pool, [Block(ends, ends)])[0].weights)
        assert len(gap.weighted(pool, [Block(ends[:0], ends[:0])])[0].weights) == 0
    assert (drawn.min(), drawn.max()) == (1, 255)
