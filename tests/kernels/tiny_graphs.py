"""Small graphs with everything that graph kernels tend to get wrong, and their right answers."""

import functools

import numpy as np
from small_graphs import distances, from_edges

from warpath.algorithms import UNREACHABLE


def path(vertices=40):
    steps = np.arange(vertices - 1)
    return from_edges("path", steps, steps + 1, 1 + steps % 7, vertices)


def directed_cycle():
    steps = np.arange(33)
    return from_edges("directed_cycle", steps, (steps + 1) % 33, 1 + steps % 3, 33, directed=True)


def star(leaves=60):
    """The hub is neither the first vertex nor the last."""
    hub = leaves // 2
    ends = np.delete(np.arange(leaves + 1), hub)
    return from_edges("star", np.full(leaves, hub), ends, 1 + ends % 5, leaves + 1)


def big_star(leaves):
    return from_edges("big_star", np.zeros(leaves, int), np.arange(1, leaves + 1), None, leaves + 1)


def complete():
    sources, targets = np.triu_indices(33, 1)
    return from_edges("complete", sources, targets, 1 + (sources * 7 + targets * 3) % 50)


def grid(side=9):
    number = np.arange(side * side).reshape(side, side)
    sources = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    targets = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    return from_edges("grid", sources, targets, 1 + (sources * targets) % 9)


def large_weights():
    """Distances up to the largest that an answer can hold; sums of two do not fit an int. The last arc is far away."""
    vertices = 21
    steps = np.arange(vertices - 1)
    heaviest = (UNREACHABLE - 1) // (vertices - 1)
    sources, targets = np.append(steps, [0, 3, 5, 198]), np.append(steps + 1, [vertices - 1, 17, 198, 199])
    weights = [*np.full(vertices + 1, heaviest), 7, 0]
    return from_edges("large_weights", sources, targets, weights, 200, directed=True)


def detour():
    """The direct arcs come first and are the longest, so distances fall many times before they are right."""
    vertices = 24
    sources, targets = np.triu_indices(vertices, 1)
    return from_edges("detour", sources, targets, (targets - sources) ** 2, vertices, directed=True)


def random(vertices, edges, directed, seed, weights=100):
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, vertices, (2, edges))
    name = f"random_{'directed' if directed else 'undirected'}_{vertices}"
    return from_edges(name, *ends, draw.integers(0, weights + 1, edges), vertices, directed)


def lattice(rows, columns, hub=None):
    at = np.arange(rows * columns).reshape(rows, columns)
    draw = np.random.default_rng(7)
    spokes = (np.full(60, hub), draw.integers(0, at.size, 60)) if hub else ([], [])
    pairs = [(at[:, :-1].ravel(), at[:, 1:].ravel()), (at[:-1].ravel(), at[1:].ravel()), spokes]
    sources, targets = np.concatenate(pairs, axis=1).astype(int)
    return from_edges(f"lattice_{rows}_{columns}", sources, targets, draw.integers(1, 100, len(sources)), at.size)


def of_levels(vertices, levels):
    """A graph whose search from vertex 0 has this many levels; the vertices left over are in the second."""
    chain = np.arange(levels - 1)
    leaves = np.arange(levels, vertices)
    sources, targets = np.append(chain, np.zeros(len(leaves), int)), np.append(chain + 1, leaves)
    return from_edges(f"of_{levels}_levels", sources, targets, None, vertices)


_SMALL = [
    path(),
    directed_cycle(),
    star(),
    complete(),
    grid(),
    # Two paths, a vertex of its own between them, one more at the end.
    from_edges("disconnected", [0, 1, 2, 5, 6], [1, 2, 3, 6, 7], [3, 1, 4, 1, 5], 9),
    from_edges("one_vertex", [], [], [], 1),
    from_edges("no_arcs", [], [], [], 2),
    # No vertex that is reached leads back to the source; vertex 3 does, and is not reached.
    from_edges("one_way_out", [0, 0, 1, 3], [1, 2, 2, 0], [5, 9, 3, 1], 4, directed=True),
    # Loops, which a catalogue's entry may keep: arcs like any other, and on no shortest path.
    from_edges(
        "kept_loops", [0, 0, 1, 1, 2, 3, 3, 4], [0, 1, 1, 2, 2, 3, 4, 4], [3, 1, 0, 2, 5, 1, 1, 9], 6, True, loops=True
    ),
    # Cycles of length zero, and shortest paths with different numbers of arcs.
    from_edges("zero_weights", [0, 1, 2, 3, 4, 2, 5], [1, 2, 0, 4, 3, 3, 0], [0, 0, 0, 0, 0, 1, 2]),
    large_weights(),
    detour(),
    random(100, 600, directed=True, seed=1),
    random(130, 260, directed=False, seed=2),
    from_edges("singh_figure_1", [0, 0, 1, 2, 2], [1, 2, 3, 3, 4], None, 5, directed=True),
]
GRAPHS = {graph.name: graph for graph in _SMALL}
# For one source: many levels with few vertices, which one block does by itself, and a hub too large for one block.
DEEP = {graph.name: graph for graph in (lattice(4, 400), lattice(40, 40), lattice(5, 300, hub=700))}


@functools.cache
def wide(kind):
    """For one source, as a matrix of all pairs would not be small. The hub has more neighbours than a grid threads."""
    star = big_star(400_000 if kind == "cuda" else 40_000)
    return {graph.name: graph for graph in (star, random(3000, 9000, directed=True, seed=3, weights=1000))}


@functools.cache
def _all_distances(name, weighted):
    return distances(GRAPHS[name], None, weighted)


def right_answer(graph, problem, source=None):
    """One row of distances for bfs and sssp, the matrix for apsp."""
    weighted = problem != "bfs"
    if GRAPHS.get(graph.name) is not graph:
        return distances(graph, source, weighted)
    rows = _all_distances(graph.name, weighted)
    return rows if problem == "apsp" else rows[source]
