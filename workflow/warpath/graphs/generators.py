"""Generate graphs. Each family is a function of its parameters and a seed, with the same bits on every machine."""

import numpy as np

from warpath.base.errors import UserError
from warpath.graphs import blocks, draws, gap, library, networks, points, timed
from warpath.graphs.blocks import LARGEST

ROUNDING = 1e-9  # of the sum of three fractions


def generate(spec):
    share = sum(spec.get(quadrant, 0) for quadrant in "abc")
    if share > 1 + ROUNDING:
        found = f"generator rmat: a + b + c is {share:g}"
        raise UserError(f"{found}; it is at most 1, and the rest is the last quadrant's share")
    parameters = {key: value for key, value in spec.items() if key not in ("kind", "shuffle", "numbers")}
    families = timed.FAMILIES if "numbers" in spec else FAMILIES
    generated = families[spec["kind"]](**parameters)
    if "shuffle" in spec:
        numbers = np.argsort(draws.words(spec["shuffle"], 0, generated.ids), kind="stable").astype(np.uint32)
        for block in generated.blocks:
            block.tails[:] = numbers[block.tails]
            block.targets[:] = numbers[block.targets]
    return generated


def edges(vertices, edges):
    """The given edges, each [from, to] or [from, to, weight]."""
    if any(end >= vertices for edge in edges for end in edge[:2]) or len({len(edge) for edge in edges}) > 1:
        raise UserError(f"generator edges: vertices must be below {vertices}, and all edges or none need a weight")
    return blocks.of_arrays(vertices, *np.array(edges, np.int64).reshape(len(edges), -1).T)


def complete(vertices):
    return blocks.of_arrays(vertices, *np.triu_indices(vertices, 1))


def road(rows, columns, edges, express=0, seed=1, both_ways=False):
    """Join the points of a grid by a random spanning tree, and by further edges of the grid up to `edges`.

    The grid's edges are taken in a random order. Degrees are 1 to 4, most of them 2 and 3, and the diameter is near
    that of the grid. `express` roads join each point whose row and column are multiples of it to the next such points.
    With `both_ways` each road is an edge and its reverse, for graphs that are read as directed.
    """
    every, fast = _ends(networks.grid(rows, columns)), np.empty((2, 0), np.uint32)
    if express:
        ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)[::express, ::express]
        fast = ids.ravel()[_ends(networks.grid(*ids.shape))]
    least, most = rows * columns - 1 + fast.shape[1], every.shape[1] + fast.shape[1]
    if not least <= edges <= most:
        raise UserError(f"generator road: {edges} edges, but {rows} x {columns} points take {least} to {most}")
    every = every.take(np.argsort(_draws(seed, every.shape[1]), kind="stable"), axis=1)
    in_tree = np.empty(every.shape[1], np.uint8)
    library.call("generate", "spanning_forest", rows * columns, len(in_tree), *every, in_tree)
    chosen = np.sort(np.concatenate([np.flatnonzero(in_tree), np.flatnonzero(in_tree == 0)[: edges - least]]))
    ends = np.concatenate([every[:, chosen], fast], axis=1)
    return blocks.of_arrays(rows * columns, *(np.concatenate([ends, ends[::-1]], axis=1) if both_ways else ends))


def _ends(edges):
    return np.concatenate([block[:2] for block in edges.blocks], axis=1)


def rmat(scale, edge_factor=16, seed=1, a=0.57, b=0.19, c=0.19):
    """Choose one of four quadrants for each bit of an edge's ends, then shuffle the vertices."""
    quadrants = (np.cumsum([a, b, c]) * 2.0**32).astype(np.int64).clip(0, 2**32 - 1).astype(np.uint32)
    return _drawn("rmat", 1 << scale, round(edge_factor * (1 << scale)), seed, scale, *quadrants)


def hairs(scale, hairs, length, edge_factor=16, seed=1):
    """Hang paths of `length` vertices from an R-MAT graph, at the tails of its first edges."""
    core, roots = rmat(scale, edge_factor, seed), _ends(rmat(scale, hairs / (1 << scale), seed))[0]
    vertices = core.ids + hairs * length
    targets = np.arange(core.ids, vertices)
    tails = targets - 1
    tails[::length] = roots
    return blocks.joined([blocks.of_arrays(vertices, tails, targets), core])


def uniform(vertices, edges, seed=1):
    return _drawn("uniform", vertices, edges, seed, vertices)


def dense(vertices, edges, seed=1):
    """Draw exactly `edges` distinct pairs with NumPy's legacy Mersenne Twister, whose stream never changes."""
    pairs = vertices * (vertices - 1) // 2
    if edges > pairs:
        raise UserError(f"generator dense: {edges} edges, but {vertices} vertices have {pairs} pairs")
    twister, drawn, first = np.random.RandomState(seed), np.empty(0, np.int64), np.empty(0, np.int64)
    while len(first) < edges:
        drawn = np.append(drawn, twister.randint(0, pairs, edges, dtype=np.int64))
        first = np.unique(drawn, return_index=True)[1]
    chosen = drawn[np.sort(first)[:edges]]
    ends = np.cumsum(np.arange(vertices - 1, 0, -1))  # the pairs of vertex 0, then those of vertex 1, ...
    tails = np.searchsorted(ends, chosen, side="right")
    return blocks.of_arrays(vertices, tails, vertices - (ends[tails] - chosen))


def scale_free(vertices, degree=6, hubs=0.001, hub_degree=1000, seed=1):
    """Spread hubs evenly, with degrees drawn up to `hub_degree`; all other edges join vertices that are not hubs."""
    count, number = round(vertices * degree / 2), round(vertices * hubs)
    lowest = min(round(degree), hub_degree)
    degrees = lowest + _draws(seed + 1, number) % (hub_degree - lowest + 1)
    ends = np.cumsum(degrees, dtype=np.int64)
    if number and (ends[-1] > count or 2 * number > vertices):
        raise UserError(f"generator scale_free: hubs take {ends[-1]} edges of {count}; lower hubs or hub_degree")
    spacing = vertices // max(number, 1)
    return _drawn("scale_free", vertices, count, seed, vertices, number, spacing, extra=ends)


def layered(levels, extra=0, seed=1):
    """Generate levels of these sizes, with each vertex joined to a vertex of the level above.

    `extra` further edges lead from a level to the next. If the first level has one vertex, breadth-first search from
    vertex 0 finds exactly these levels.
    """
    begins = np.concatenate([[0], np.cumsum(levels)])
    parents = [begins[i] + np.arange(size) * levels[i] // size for i, size in enumerate(levels[1:])]
    tails, targets = np.concatenate([*parents, []]).astype(np.int64), np.arange(levels[0], begins[-1])
    if extra and len(levels) > 1:
        extra_tails, draws = _draws(seed, extra) % begins[-2], _draws(seed + 1, extra)
        level = np.searchsorted(begins, extra_tails, side="right")
        tails = np.append(tails, extra_tails)
        targets = np.append(targets, begins[level] + draws % np.diff(begins)[level])
    return blocks.of_arrays(int(begins[-1]), tails, targets)


def _draws(seed, count):
    """`count` random numbers below 2^31 - 1."""
    return draws.below(draws.words(seed, 0, count), LARGEST).astype(np.int64)


def _drawn(family, vertices, edges, seed, *parameters, extra=None):
    """Draw edges in native/generate.cpp, where edge i depends on the seed and i alone."""

    def draw(begin, end):
        ends = np.empty((2, end - begin), np.uint32)
        library.call("generate", family, seed, begin, end - begin, extra, *parameters, *ends)
        return ends

    return blocks.drawn(vertices, edges, draw)


_HERE = (edges, complete, road, rmat, hairs, uniform, dense, scale_free, layered)
_NETWORKS = (networks.mesh, networks.grid, networks.hypercube, networks.path, networks.star, networks.tree)
_NETWORKS += (networks.random_tree, networks.caterpillar, networks.small_world, networks.web, networks.bipartite)
_NETWORKS += (networks.cliques,)
_OTHERS = (points.geometric, points.nearest, points.delaunay, gap.gap_kron, gap.gap_urand)
FAMILIES = {family.__name__: family for family in _HERE + _NETWORKS + _OTHERS}
