"""Generated graphs have the same bits on every machine, and the properties of their family."""

import hashlib

import numpy as np
import pytest

from warpath.foundation.errors import UserError
from warpath.graphs import catalogue, csr, generators
from warpath.graphs.generators import generate
from warpath.graphs.prepare import prepare

SPECS = {
    "rmat": {"scale": 10, "edge_factor": 8, "seed": 3},
    "uniform": {"vertices": 1000, "edges": 4000, "seed": 3},
    "dense": {"vertices": 90, "edges": 2500, "seed": 3},
    "scale_free": {"vertices": 5000, "degree": 6, "hubs": 0.01, "hub_degree": 100, "seed": 3},
    "geometric": {"vertices": 900, "seed": 3},
    "grid": {"rows": 9, "columns": 11},
    "road": {"rows": 9, "columns": 11, "edges": 130, "express": 3, "seed": 3},
    "layered": {"levels": [1, 3, 4, 2], "extra": 5, "seed": 3},
    "path": {"vertices": 50},
    "star": {"vertices": 50},
    "complete": {"vertices": 20},
    "edges": {"vertices": 4, "edges": [[0, 1], [3, 1]]},
    "gap_kron": {"scale": 10, "edge_factor": 8},
    "gap_urand": {"scale": 10, "edge_factor": 8},
}
DIGESTS = {
    "rmat": "ecea74f99fd03734",
    "uniform": "b57f3898651f7504",
    "dense": "8458ea2d943a6953",
    "scale_free": "3192cd3cafa66434",
    "geometric": "0a012ece3d1c031d",
    "grid": "524a469fbb253132",
    "road": "1a6b52f4cb35de8b",
    "layered": "efa4d68647aa6534",
    "path": "41276ff2e3f1aa15",
    "star": "443a9613188d850f",
    "complete": "694f960fdc806a3b",
    "edges": "80a474eccb050508",
    "gap_kron": "3834f10d923e5bbc",
    "gap_urand": "80051d04a9cd9e11",
}


def ends(edges):
    return tuple(np.concatenate([block[i] for block in edges.blocks]).astype(np.int64) for i in range(2))


def digest(edges):
    return hashlib.sha256(np.concatenate(ends(edges)).astype("<i8").tobytes()).hexdigest()[:16]


def test_every_family_is_tested():
    assert SPECS.keys() == generators.FAMILIES.keys()


@pytest.mark.parametrize("kind", SPECS)
def test_same_bits_everywhere(kind, monkeypatch):
    assert digest(generate({"kind": kind, **SPECS[kind]})) == DIGESTS[kind]
    monkeypatch.setenv("WARPATH_THREADS", "5")
    monkeypatch.setattr(generators, "EDGES_PER_BLOCK", 100)
    assert digest(generate({"kind": kind, **SPECS[kind]})) == DIGESTS[kind]


@pytest.mark.parametrize("kind", [kind for kind in SPECS if "seed" in SPECS[kind]])
def test_another_seed_is_another_graph(kind):
    assert digest(generate({"kind": kind, **SPECS[kind], "seed": 4})) != DIGESTS[kind]


def test_rmat_is_skewed_as_its_probabilities_say():
    edges = generators.rmat(14, 16, seed=1)
    tails, _ = ends(edges)
    assert len(tails) == 16 << 14
    degrees = np.bincount(tails, minlength=1 << 14)
    heaviest = 0.76**14 * len(tails)  # the vertex whose bits all fell into the upper half
    assert abs(degrees.max() - heaviest) < 5 * heaviest**0.5
    assert degrees.argmax() != 0, "vertices are not shuffled"
    even = generators.rmat(14, 16, a=0.25, b=0.25, c=0.25)
    assert np.bincount(ends(even)[0]).max() < 50


def test_rmat_shuffles_one_to_one():
    edges = generators.rmat(5, 2000, a=0.25, b=0.25, c=0.25)
    assert set(ends(edges)[0].tolist()) == set(range(32))


def test_uniform_is_uniform():
    tails, targets = ends(generators.uniform(16, 160_000))
    for drawn in (tails, targets):
        assert abs(np.bincount(drawn, minlength=16) - 10_000).max() < 500
    assert abs(np.corrcoef(tails, targets)[0, 1]) < 0.01


def test_dense_has_the_exact_number_of_distinct_pairs():
    for vertices, edges in ((90, 2500), (90, 4005), (2, 1), (5, 0)):
        tails, targets = ends(generators.dense(vertices, edges))
        assert (tails < targets).all() and targets.max(initial=0) < vertices
        assert len(set(zip(tails.tolist(), targets.tolist(), strict=True))) == edges
    with pytest.raises(UserError, match="4005 pairs"):
        generators.dense(90, 4006)


def test_scale_free_has_few_hubs_and_the_right_average():
    tails, targets = ends(generators.scale_free(100_000, seed=1))
    degrees = np.bincount(np.concatenate([tails, targets]), minlength=100_000)
    assert degrees.mean() == 6
    hubs = degrees[:: 100_000 // 100]
    assert hubs.max() <= 1000 and hubs.mean() > 400
    assert np.delete(degrees, np.arange(0, 100_000, 1000)).max() < 30
    with pytest.raises(UserError, match="hubs"):
        generators.scale_free(1000, degree=2, hubs=0.1)


def test_roads_are_connected_and_of_degree_2_to_3():
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components, shortest_path

    tails, targets = ends(generators.road(40, 50, 2500, seed=1))
    assert len(set(zip(tails.tolist(), targets.tolist(), strict=True))) == 2500
    degrees = np.bincount(np.concatenate([tails, targets]), minlength=2000)
    assert degrees.max() == 4 and np.isin(degrees, (2, 3)).mean() > 0.6
    matrix = coo_array((np.ones(2500), (tails, targets)), (2000, 2000)).tocsr()
    assert connected_components(matrix)[0] == 1
    assert 88 <= shortest_path(matrix, directed=False, unweighted=True).max() < 130
    fast = coo_array((np.ones(2500), ends(generators.road(40, 50, 2500, express=5))), (2000, 2000)).tocsr()
    assert shortest_path(fast, directed=False, unweighted=True).max() < 60
    with pytest.raises(UserError, match="take 1999 to 3910"):
        generators.road(40, 50, 1998)


@pytest.mark.parametrize(
    ("vertices", "radius"), [(500, 0.07), (300, 0.9), (50, 1), (1, None), (3000, 0.01), (700, None)]
)
def test_geometric_joins_all_near_points(vertices, radius):
    from warpath.graphs import library

    edges = generators.geometric(vertices, radius)
    reach = round((0.55 * np.sqrt(np.log(vertices) / vertices) if radius is None else radius) * generators.ONE) or 1
    cells = int(min(max(1, generators.ONE // reach), np.sqrt(vertices) + 1))
    x, y = np.empty(vertices, np.uint32), np.empty(vertices, np.uint32)
    starts = np.zeros(cells * cells + 1, np.int64)
    library.load("generate").geometric_points(
        library.uint64(1), library.int64(vertices), library.int64(cells), *map(library.pointer, (x, y, starts))
    )
    points = np.stack([x, y], axis=1).astype(np.int64)
    apart = ((points[:, None] - points[None]) ** 2).sum(-1)
    near = np.argwhere(np.triu(apart <= reach**2, 1))
    assert set(zip(*map(np.ndarray.tolist, ends(edges)), strict=True)) == set(map(tuple, near.tolist()))
    assert edges.edges == len(near)


def test_grid_and_the_small_families():
    tails, targets = ends(generators.grid(2, 3))
    assert sorted(zip(tails, targets, strict=True)) == [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]
    assert len(ends(generators.complete(20))[0]) == 190
    assert ends(generators.star(4))[1].tolist() == [1, 2, 3]
    assert generators.path(1).edges == generators.star(1).edges == 0
    with pytest.raises(UserError, match=r"2\^31"):
        generators.grid(1 << 16, 1 << 16)


def levels(graph):
    """The number of vertices at each distance from vertex 0."""
    distance, frontier = {0: 0}, [0]
    for vertex in frontier:
        for target in graph.targets[graph.offsets[vertex] : graph.offsets[vertex + 1]].tolist():
            if target not in distance:
                distance[target] = distance[vertex] + 1
                frontier.append(target)
    assert len(distance) == graph.vertices
    return np.bincount(list(distance.values())).tolist()


@pytest.mark.parametrize(
    ("name", "vertices", "calls"), [("singh-5", 5, 3), ("singh-10", 10, 5), ("singh-22", 22, 7), ("singh-64", 64, 13)]
)
def test_layers_give_the_paper_s_kernel_calls(tmp_path, name, vertices, calls):
    entry = catalogue.load(catalogue.schemas.SCHEMAS.parents[1] / "config" / "graphs.yaml")[name]
    prepare(entry, [], tmp_path)
    graph = csr.read(tmp_path)
    assert graph.vertices == vertices
    assert len(levels(graph)) == calls
    if entry.generator["kind"] == "layered":
        assert levels(graph) == entry.generator["levels"]


def test_edges_outside():
    with pytest.raises(UserError, match="below 4"):
        generators.edges(4, [[0, 4]])
    with pytest.raises(UserError, match="all edges or none need a weight"):
        generators.edges(4, [[0, 1], [0, 2, 3]])
