"""The launches that hand a search over from one cluster of blocks to all of them, at every size of inbox and vertex."""

import pytest
import tiny_graphs
from trial import FOUND, check_from

IDS = ("bfs/persistent", "sssp/near_far")
NAMES = ("grid", "star", "complete", "random_directed_100", "random_undirected_130", "zero_weights")
GRAPHS = [tiny_graphs.GRAPHS[name] for name in NAMES] + [tiny_graphs.WIDE["random_directed_3000"]]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
@pytest.mark.parametrize(("capacity", "most_arcs"), [(2, 64), (6, 64), (18, 64), (128, 0), (128, 4)])
def test_a_search_goes_on_where_the_cluster_gave_up(monkeypatch, id, graph, capacity, most_arcs):
    described = FOUND[id]
    monkeypatch.setitem(described.prepare.__globals__, "CAPACITY", capacity)
    monkeypatch.setitem(described.prepare.__globals__, "MOST_ARCS", most_arcs)
    check_from([0, 0], described, graph, described.launches[0].label)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("blocks", [1, 2, 4])
def test_every_size_of_cluster(monkeypatch, id, blocks):
    described = FOUND[id]
    monkeypatch.setitem(described.prepare.__globals__, "cluster_of", lambda device: (blocks, 227 * 1024))
    for graph in GRAPHS:
        check_from([0], described, graph, described.launches[0].label)


@pytest.mark.parametrize("id", IDS)
def test_without_room_in_shared_memory_all_blocks_begin(monkeypatch, id):
    described = FOUND[id]
    monkeypatch.setitem(described.prepare.__globals__, "cluster_of", lambda device: (4, 100))
    for graph in GRAPHS:
        check_from([0], described, graph, described.launches[0].label)
