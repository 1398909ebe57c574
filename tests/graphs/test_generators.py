"""Generated graphs have the same bits on every machine, and the properties of their family."""

import hashlib
import tracemalloc

import numpy as np
import pytest

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import blocks, csr, draws, gap, generators, memory, networks, points, timed, xorwow
from warpath.graphs.clean import clean
from warpath.graphs.edges import Drawn
from warpath.graphs.generators import generate
from warpath.graphs.prepare import prepare

EXAMPLES = [  # of each family, with the first letters of their digests
    ({"kind": "rmat", "scale": 10, "edge_factor": 8, "seed": 3}, "ecea74f99fd03734"),
    ({"kind": "rmat", "scale": 9, "a": 0.25, "b": 0.25, "c": 0.25}, "21cc7683a8c2ac02"),
    ({"kind": "rmat", "scale": 5, "a": 0.57, "b": 0.33, "c": 0.1}, "123a1ad43df65199"),
    ({"kind": "uniform", "vertices": 1000, "edges": 4000, "seed": 3}, "b57f3898651f7504"),
    ({"kind": "dense", "vertices": 90, "edges": 2500, "seed": 3}, "8458ea2d943a6953"),
    ({"kind": "dense", "vertices": 90, "edges": 4005}, "a2dd86d83b498da4"),
    (
        {"kind": "scale_free", "vertices": 5000, "degree": 6, "hubs": 0.01, "hub_degree": 100, "seed": 3},
        "3192cd3cafa66434",
    ),
    ({"kind": "geometric", "vertices": 900, "seed": 3}, "0a012ece3d1c031d"),
    ({"kind": "small_world", "vertices": 500, "reach": 2, "shortcuts": 40, "seed": 3}, "6d7f1e5fabac7fc2"),
    ({"kind": "web", "vertices": 300, "degree": 4, "seed": 3}, "103322392a263902"),
    ({"kind": "web", "vertices": 300, "degree": 4, "copied": 0}, "1231b0e68d7b727e"),
    ({"kind": "bipartite", "left": 50, "right": 200, "edges": 700, "seed": 3}, "8d84c82807a20b04"),
    ({"kind": "nearest", "vertices": 300, "neighbours": 4, "dimensions": 3, "seed": 3}, "934fd22b8bc9df98"),
    ({"kind": "delaunay", "vertices": 300, "seed": 3}, "6668da01fc0c223f"),
    ({"kind": "random_tree", "vertices": 400, "reach": 20, "seed": 3}, "26ee152e193b1b1f"),
    ({"kind": "random_tree", "vertices": 400}, "6de288d03ce7c811"),
    ({"kind": "grid", "rows": 9, "columns": 11}, "524a469fbb253132"),
    ({"kind": "road", "rows": 9, "columns": 11, "edges": 130, "express": 3, "seed": 3}, "1a6b52f4cb35de8b"),
    ({"kind": "road", "rows": 9, "columns": 11, "edges": 110, "both_ways": True}, "0815aeea381eb0a0"),
    ({"kind": "mesh", "sides": [5, 7, 9]}, "e265e1f8cd5b559e"),
    ({"kind": "hypercube", "dimension": 6}, "af1b0ae64e4c8365"),
    ({"kind": "tree", "vertices": 300, "children": 3}, "4feddab12ca313eb"),
    ({"kind": "tree", "vertices": 6}, "4f31ec42c6b09b7c"),
    ({"kind": "caterpillar", "spine": 60, "leaves": 5, "every": 2}, "fd8e135ebd9d9d68"),
    ({"kind": "caterpillar", "spine": 3, "leaves": 0}, "7acccfef7a7e85ef"),
    ({"kind": "layered", "levels": [1, 3, 4, 2], "extra": 5, "seed": 3}, "efa4d68647aa6534"),
    ({"kind": "path", "vertices": 50}, "41276ff2e3f1aa15"),
    ({"kind": "star", "vertices": 50}, "443a9613188d850f"),
    ({"kind": "complete", "vertices": 20}, "694f960fdc806a3b"),
    ({"kind": "edges", "vertices": 4, "edges": [[0, 1], [3, 1]]}, "80a474eccb050508"),
    ({"kind": "gap_kron", "scale": 10, "edge_factor": 8}, "3834f10d923e5bbc"),
    ({"kind": "gap_urand", "scale": 10, "edge_factor": 8}, "80051d04a9cd9e11"),
    ({"kind": "rmat", "scale": 12, "edge_factor": 4, "numbers": "cupy"}, "a24dac7233a5edec"),
    ({"kind": "uniform", "vertices": 1000, "edges": 4000, "seed": 3, "numbers": "cupy"}, "2705b0d625a5e8e5"),
    (
        {"kind": "small_world", "vertices": 50, "reach": 2, "shortcuts": 9, "seed": 3, "numbers": "cupy"},
        "bccbde744585c977",
    ),
    ({"kind": "geometric", "vertices": 300, "radius": 0.1, "seed": 4, "numbers": "numpy"}, "f171c3ae5aa48162"),
    ({"kind": "delaunay", "vertices": 300, "seed": 4, "numbers": "numpy"}, "e5e7632fa86fd064"),
]


def ends(edges):
    return tuple(np.concatenate([block[i] for block in edges.blocks]).astype(np.int64) for i in range(2))


def pairs(generated):
    return sorted(zip(*map(np.ndarray.tolist, ends(generated)), strict=True))


def digest(edges):
    columns = [np.concatenate(column) for column in zip(*edges.blocks, strict=True) if column[0] is not None]
    return hashlib.sha256(np.concatenate(columns).astype("<i8").tobytes()).hexdigest()[:16]


def test_every_family_is_tested():
    for families, numbers in ((generators.FAMILIES, False), (timed.FAMILIES, True)):
        assert {spec["kind"] for spec, _ in EXAMPLES if ("numbers" in spec) == numbers} == families.keys()


@pytest.mark.parametrize(("spec", "expected"), EXAMPLES, ids=[spec["kind"] for spec, _ in EXAMPLES])
def test_same_bits_everywhere(spec, expected, entry, monkeypatch):
    described = entry(generator=spec)
    spec = described.generator
    generated, (vertices, edges) = generate(spec), memory.size(described)
    assert digest(generated) == expected
    assert vertices == generated.ids and edges >= generated.edges
    monkeypatch.setenv("WARPATH_THREADS", "5")
    monkeypatch.setattr(blocks, "EDGES_PER_BLOCK", gap.BLOCK if spec["kind"].startswith("gap") else 100)
    assert digest(generate(spec)) == expected
    assert "seed" not in spec or digest(generate(spec | {"seed": 5})) != expected


def test_shuffled_vertices_are_the_same_graph_in_another_order():
    ordered, shuffled = (generate({"kind": "grid", "rows": 9, "columns": 11, **more}) for more in ({}, {"shuffle": 5}))
    numbers = draws.permutation(5, ordered.ids)
    assert sorted(numbers.tolist()) == list(range(ordered.ids)) != numbers.tolist()
    assert [ids.tolist() for ids in ends(shuffled)] == [numbers[ids].tolist() for ids in ends(ordered)]


@pytest.mark.parametrize("shuffle", [{}, {"shuffle": 1}])
@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "mesh", "sides": [30, 30, 30]},
        {"kind": "small_world", "vertices": 12_000},
        {"kind": "web", "vertices": 8000},
        {"kind": "bipartite", "left": 2000, "right": 3000, "edges": 60_000},
        {"kind": "random_tree", "vertices": 60_000},
        {"kind": "rmat", "scale": 12, "numbers": "cupy"},
        {"kind": "uniform", "vertices": 10_000, "edges": 60_000, "numbers": "cupy"},
    ],
    ids=lambda spec: spec.get("kind"),
)
def test_no_more_memory_is_taken_than_asked_for(spec, shuffle, entry, monkeypatch):
    monkeypatch.setattr(blocks, "EDGES_PER_BLOCK", 1000)
    monkeypatch.setattr(xorwow, "AT_ONCE", xorwow.LANES)
    spec = entry(generator=spec | shuffle).generator
    generate(spec)  # what stays for the process
    tracemalloc.start()
    generate(spec)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < memory._bytes_to_generate(spec) + 2**19


def test_one_vertex_has_no_edge():
    assert networks.path(1).edges == networks.star(1).edges == networks.mesh([1, 1]).edges == 0


@pytest.mark.parametrize(
    ("vertices", "radius"), [(500, 0.07), (300, 0.9), (50, 1), (1, None), (1000, 0.01), (700, None)]
)
def test_geometric_joins_all_near_points(vertices, radius):
    edges = points.geometric(vertices, radius)
    reach = round((0.55 * np.sqrt(np.log(vertices) / vertices) if radius is None else radius) * points.ONE) or 1
    cells = int(min(max(1, points.ONE // reach), np.sqrt(vertices) + 1))
    drawn = draws.words(1, 0, vertices)
    places = np.stack([drawn & np.uint64(points.ONE - 1), drawn >> np.uint64(33)], axis=1).astype(np.int64)
    places = places[np.lexsort(places.T * cells // points.ONE)]
    apart = ((places[:, None] - places[None]) ** 2).sum(-1)
    assert pairs(edges) == sorted(map(tuple, np.argwhere(np.triu(apart <= reach**2, 1)).tolist()))


@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_nearest_points_are_joined(dimensions):
    places = points._along_a_curve(80, dimensions, 1)
    apart = ((places[:, None] - places[None]) ** 2).sum(-1)
    expected = {(i, j) for i, row in enumerate(apart) for j in np.argsort(row)[1:4].tolist()}
    assert set(pairs(points.nearest(80, 3, dimensions))) == expected
    assert points.nearest(3, neighbours=5).edges == 6


REFUSED = [
    ({"kind": "dense", "vertices": 90, "edges": 4006}, "4005 pairs"),
    ({"kind": "scale_free", "vertices": 1000, "degree": 2, "hubs": 0.1}, "hubs"),
    ({"kind": "road", "rows": 40, "columns": 50, "edges": 1998}, "take 1999 to 3910"),
    ({"kind": "edges", "vertices": 4, "edges": [[0, 4]]}, "below 4"),
    ({"kind": "edges", "vertices": 4, "edges": [[0, 1], [0, 2, 3]]}, "all edges or none need a weight"),
    ({"kind": "rmat", "scale": 5, "a": 0.5, "b": 0.3, "c": 0.3}, r"rmat: a \+ b \+ c is 1.1; it is at most 1"),
]


@pytest.mark.parametrize(("spec", "words"), REFUSED)
def test_impossible_graphs_are_refused(spec, words):
    with pytest.raises(UserError, match=words):
        generate(spec)


@pytest.mark.parametrize(
    ("spec", "vertices"),
    [
        ({"kind": "grid", "rows": 1 << 16, "columns": 1 << 16}, "4,294,967,296"),
        ({"kind": "layered", "levels": [1 << 30, 1 << 30]}, "2,147,483,648"),
        ({"kind": "caterpillar", "spine": 10**6, "leaves": 5000, "every": 2}, "2,501,000,000"),
    ],
)
def test_more_vertices_than_ids_are_refused(spec, vertices, entry):
    with pytest.raises(UserError, match=rf"g: generator {spec['kind']}: {vertices} vertices; the limit is 2\^31 - 1"):
        memory.holds(entry(generator=spec))


@pytest.mark.parametrize("kind", memory.IN_PIECES)
@pytest.mark.parametrize("policy", ["gap", "1..9"])
def test_edges_that_memory_does_not_hold_are_drawn_each_time(kind, policy, monkeypatch):
    size = {"vertices": 3000, "edges": 600_000} if kind == "uniform" else {"scale": 13, "edge_factor": 64}
    graphs = []
    for held in (True, False):
        edges = generators.generate({"kind": kind, **size}, held)
        assert all(isinstance(block, Drawn) != held for block in edges.blocks)
        graphs.append(
            clean(edges, {"self_loops": "drop", "largest_component": True, "relabel": True}, False, policy, "g")
        )
    assert csr.digest(graphs[0]) == csr.digest(graphs[1])


def test_a_graph_is_drawn_in_pieces_only_where_memory_does_not_hold_it(monkeypatch, entry, tmp_path):
    small = {"scale": 10, "edge_factor": 16}
    entries = [entry(generator={"kind": "rmat", **small} | more) for more in ({}, {"shuffle": 1})]
    assert [memory.holds(each) for each in entries] == [True, True]
    monkeypatch.setattr(processor, "free_bytes", lambda: 100_000)
    assert not memory.holds(entries[0])
    with pytest.raises(UserError, match=r"g: 1,024 vertices, about 16,384 edges: needs 0\.0 GB"):
        memory.holds(entries[1])
    monkeypatch.setattr(processor, "free_bytes", lambda: 1000)
    with pytest.raises(
        UserError, match=r"g: 1,024 vertices, about 16,384 edges: needs 0\.0 GB of memory, and 0\.0 GB are"
    ):
        prepare(entries[0], [], tmp_path)
