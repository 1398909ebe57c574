"""Generate graphs. Each family is a function of its parameters and a seed, with the same bits on every machine."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import processor
from warpath.foundation.errors import UserError
from warpath.graphs import gap, library
from warpath.graphs.edges import LARGEST, Block, EdgeList
from warpath.graphs.library import int64, pointer, uint32, uint64

EDGES_PER_BLOCK = 1 << 20
ONE = 1 << 31  # the side of the unit square, an integer so that no rounding differs between machines


def generate(spec):
    """Generate the graph that a catalogue entry's key `generator` describes."""
    parameters = {key: value for key, value in spec.items() if key != "kind"}
    return FAMILIES[spec["kind"]](**parameters)


def edges(vertices, edges):
    """The given edges, each [from, to] or [from, to, weight]."""
    if any(end >= vertices for edge in edges for end in edge[:2]) or len({len(edge) for edge in edges}) > 1:
        raise UserError(f"generator edges: vertices must be below {vertices}, and all edges or none need a weight")
    return _from_arrays(vertices, *np.array(edges, np.int64).reshape(len(edges), -1).T)


def path(vertices):
    ids = np.arange(vertices, dtype=np.uint32)
    return _from_arrays(vertices, ids[:-1], ids[1:])


def star(vertices):
    leaves = np.arange(1, vertices, dtype=np.uint32)
    return _from_arrays(vertices, np.zeros_like(leaves), leaves)


def complete(vertices):
    return _from_arrays(vertices, *np.triu_indices(vertices, 1))


def grid(rows, columns):
    """Join each vertex to the next one in its row and in its column."""
    if rows * columns > LARGEST:
        raise UserError(f"generator grid: {rows} * {columns} vertices; the limit is 2^31 - 1")
    ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    right, down = (ids[:, :-1], ids[:, 1:]), (ids[:-1], ids[1:])
    ends = (np.concatenate([a.ravel(), b.ravel()]) for a, b in zip(right, down, strict=True))
    return _from_arrays(rows * columns, *ends)


def road(rows, columns, edges, express=0, seed=1):
    """Join the points of a grid by a random spanning tree, and by further edges of the grid up to `edges`.

    The grid's edges are taken in a random order. Degrees are 1 to 4, most of them 2 and 3, and the diameter is near
    that of the grid. `express` roads join each point whose row and column are multiples of it to the next such points.
    """
    every = _ends(grid(rows, columns))
    fast = _express(rows, columns, express) if express else (every[0][:0],) * 2
    least = rows * columns - 1 + len(fast[0])
    if not least <= edges <= len(every[0]) + len(fast[0]):
        most = len(every[0]) + len(fast[0])
        raise UserError(f"generator road: {edges} edges, but {rows} x {columns} points take {least} to {most}")
    order = np.argsort(_draws(seed, len(every[0])), kind="stable")
    tails, targets = (np.ascontiguousarray(ends[order]) for ends in every)
    in_tree = np.empty(len(order), np.uint8)
    arrays = map(pointer, (tails, targets, in_tree))
    library.load("generate").spanning_forest(int64(rows * columns), int64(len(order)), *arrays)
    chosen = np.sort(np.concatenate([np.flatnonzero(in_tree), np.flatnonzero(in_tree == 0)[: edges - least]]))
    return _from_arrays(rows * columns, *(np.append(a[chosen], b) for a, b in zip((tails, targets), fast, strict=True)))


def _express(rows, columns, step):
    ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)[::step, ::step]
    return _ends(grid(*ids.shape), ids.ravel())


def _ends(edges, ids=None):
    """Both ends of all edges as arrays; `ids` are the numbers of the vertices, if others."""
    ends = (np.concatenate([block[end] for block in edges.blocks]) for end in range(2))
    return [each if ids is None else ids[each] for each in ends]


def rmat(scale, edge_factor=16, seed=1, a=0.57, b=0.19, c=0.19):
    """Choose one of four quadrants for each bit of an edge's ends, then shuffle the vertices."""
    quadrants = (np.cumsum([a, b, c]) * 2.0**32).astype(np.int64).clip(0, 2**32 - 1).astype(np.uint32)
    return _drawn("rmat", 1 << scale, round(edge_factor * (1 << scale)), seed, np.uint32(scale), *quadrants)


def uniform(vertices, edges, seed=1):
    return _drawn("uniform", vertices, edges, seed, np.uint32(vertices))


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
    return _from_arrays(vertices, tails, vertices - (ends[tails] - chosen))


def scale_free(vertices, degree=6, hubs=0.001, hub_degree=1000, seed=1):
    """Spread hubs evenly, with degrees drawn up to `hub_degree`; all other edges join vertices that are not hubs."""
    count, number = round(vertices * degree / 2), round(vertices * hubs)
    lowest = min(round(degree), hub_degree)
    degrees = lowest + _draws(seed + 1, number) % (hub_degree - lowest + 1)
    ends = np.cumsum(degrees, dtype=np.int64)
    if number and (ends[-1] > count or 2 * number > vertices):
        raise UserError(
            f"generator scale_free: {number} hubs take {ends[-1]} edges of {count}; lower hubs or hub_degree"
        )
    spacing = vertices // max(number, 1)
    return _drawn("scale_free", vertices, count, seed, vertices, number, spacing, extra=pointer(ends))


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
    return _from_arrays(int(begins[-1]), tails, targets)


def geometric(vertices, radius=None, seed=1):
    """Join points of the unit square that are within `radius` of each other; points are numbered cell by cell."""
    radius = 0.55 * np.sqrt(np.log(vertices) / vertices) if radius is None else radius
    reach = max(1, round(radius * ONE))
    cells = int(min(max(1, ONE // reach), np.sqrt(vertices) + 1))
    points = _points(vertices, cells, seed)
    rows = np.unique(np.linspace(0, cells, min(cells, 256) + 1).astype(int)).tolist()
    with ThreadPoolExecutor(processor.cores()) as pool:
        blocks = list(pool.map(lambda bounds: _near_pairs(points, cells, bounds, reach), itertools.pairwise(rows)))
    return EdgeList(blocks, vertices, all_ids=True)


def _points(vertices, cells, seed):
    """Return the coordinates of random points, sorted by cell, and the first point of each cell."""
    x, y = np.empty(vertices, np.uint32), np.empty(vertices, np.uint32)
    starts = np.zeros(cells * cells + 1, np.int64)
    arrays = map(pointer, (x, y, starts))
    library.load("generate").geometric_points(uint64(seed), int64(vertices), int64(cells), *arrays)
    return x, y, starts


def _near_pairs(points, cells, rows, reach):
    """Return the pairs within `reach` whose first point lies in these rows of cells."""
    native = library.load("generate")
    native.geometric_edges.restype = int64

    def search(tails, targets):
        grid = *map(pointer, points), int64(cells)
        return native.geometric_edges(*grid, *map(int64, rows), int64(reach), pointer(tails), pointer(targets))

    block = _empty_block(search(None, None))
    search(*block[:2])
    return block


def _draws(seed, count):
    """`count` random numbers below 2^31 - 1."""
    ends = _empty_block(count)[:2]
    arguments = uint64(seed), int64(0), int64(count), None, uint32(LARGEST)
    library.load("generate").uniform(*arguments, *map(pointer, ends))
    return ends[0].astype(np.int64)


def _empty_block(count):
    return Block(np.empty(count, np.uint32), np.empty(count, np.uint32))


def _from_arrays(vertices, tails, targets, weights=None):
    """Cut arrays of edges into blocks."""
    blocks = []
    for begin in range(0, max(len(tails), 1), EDGES_PER_BLOCK):
        part = slice(begin, begin + EDGES_PER_BLOCK)
        ends = (np.array(ids[part], np.uint32) for ids in (tails, targets))
        blocks.append(Block(*ends, None if weights is None else np.array(weights[part], np.int32)))
    return EdgeList(blocks, vertices, all_ids=True)


def _drawn(family, vertices, edges, seed, *parameters, extra=None):
    """Draw edges in native/generate.cpp, where edge i depends on the seed and i alone."""
    draw = getattr(library.load("generate"), family)
    parameters = [uint32(int(value)) for value in parameters]

    def fill(begin):
        block = _empty_block(min(EDGES_PER_BLOCK, edges - begin))
        ends = map(pointer, block[:2])
        draw(uint64(seed), int64(begin), int64(len(block.tails)), extra, *parameters, *ends)
        return block

    with ThreadPoolExecutor(processor.cores()) as pool:
        return EdgeList(list(pool.map(fill, range(0, max(edges, 1), EDGES_PER_BLOCK))), vertices, all_ids=True)


FAMILIES = {
    family.__name__: family
    for family in (rmat, uniform, dense, scale_free, geometric, grid, road, layered, path, star, complete, edges)
}
FAMILIES |= {family.__name__: family for family in (gap.gap_kron, gap.gap_urand)}
