"""Graphs made instead of read; each family is a function of its parameters and a seed, the same to the bit anywhere."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import processor
from warpath.foundation.errors import UserError
from warpath.graphs import library
from warpath.graphs.edges import Block, EdgeList

EDGES_A_BLOCK = 1 << 20
ONE = 1 << 31  # the side of the unit square in whole numbers, so that no rounding differs between machines


def generate(spec):
    parameters = {key: value for key, value in spec.items() if key != "kind"}
    return FAMILIES[spec["kind"]](**parameters)


def edges(vertices, edges):
    """Given one by one, each [from, to] or [from, to, weight]."""
    if any(end >= vertices for edge in edges for end in edge[:2]) or len({len(edge) for edge in edges}) > 1:
        raise UserError(f"generator edges: each needs ends below {vertices}, and all or none a weight")
    return _listed(vertices, *np.array(edges, np.int64).reshape(len(edges), -1).T)


def path(vertices):
    ids = np.arange(vertices, dtype=np.uint32)
    return _listed(vertices, ids[:-1], ids[1:])


def star(vertices):
    leaves = np.arange(1, vertices, dtype=np.uint32)
    return _listed(vertices, np.zeros_like(leaves), leaves)


def complete(vertices):
    return _listed(vertices, *np.triu_indices(vertices, 1))


def grid(rows, columns):
    """Every vertex is joined to the next in its row and in its column."""
    if rows * columns >= 2**31:
        raise UserError(f"generator grid: {rows} times {columns} vertices; a graph here has at most 2^31 - 1")
    ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    right, down = (ids[:, :-1], ids[:, 1:]), (ids[:-1], ids[1:])
    return _listed(rows * columns, *(np.concatenate([a.ravel(), b.ravel()]) for a, b in zip(right, down, strict=True)))


def rmat(scale, edge_factor=16, seed=1, a=0.57, b=0.19, c=0.19):
    """Each bit of both ends falls into one of four quadrants; then the vertices are shuffled (native/generate.cpp)."""
    quadrants = (np.cumsum([a, b, c]) * 2.0**32).astype(np.int64).clip(0, 2**32 - 1).astype(np.uint32)
    return _drawn("rmat", 1 << scale, round(edge_factor * (1 << scale)), seed, np.uint32(scale), *quadrants)


def uniform(vertices, edges, seed=1):
    return _drawn("uniform", vertices, edges, seed, np.uint32(vertices))


def dense(vertices, edges, seed=1):
    """Exactly so many distinct pairs, drawn by the Mersenne Twister in its legacy form, whose stream NumPy keeps."""
    pairs = vertices * (vertices - 1) // 2
    if edges > pairs:
        raise UserError(f"generator dense: {edges} edges, but {vertices} vertices have {pairs} pairs")
    twister, drawn, first = np.random.RandomState(seed), np.empty(0, np.int64), np.empty(0, np.int64)
    while len(first) < edges:
        drawn = np.append(drawn, twister.randint(0, pairs, edges, dtype=np.int64))
        first = np.unique(drawn, return_index=True)[1]
    chosen = drawn[np.sort(first)[:edges]]
    ends = np.cumsum(np.arange(vertices - 1, 0, -1))  # the pairs of vertex 0, then those of vertex 1, ...
    sources = np.searchsorted(ends, chosen, side="right")
    return _listed(vertices, sources, vertices - (ends[sources] - chosen))


def scale_free(vertices, degree=6, hubs=0.001, hub_degree=1000, seed=1):
    """A few hubs, spread evenly, with degrees drawn up to `hub_degree`; the other edges join vertices that are none."""
    count, number = round(vertices * degree / 2), round(vertices * hubs)
    lowest = min(round(degree), hub_degree)
    degrees = lowest + _draws(seed + 1, number) % (hub_degree - lowest + 1)
    ends = np.cumsum(degrees, dtype=np.int64)
    if number and (ends[-1] > count or 2 * number > vertices):
        raise UserError(
            f"generator scale_free: {number} hubs take {ends[-1]} edges of {count}; lower hubs or hub_degree"
        )
    apart = vertices // max(number, 1)
    return _drawn("scale_free", vertices, count, seed, vertices, number, apart, extra=library.pointer(ends))


def layered(levels, extra=0, seed=1):
    """Each vertex is reached from one of the level above, so that a search from vertex 0 finds exactly these levels
    when the first has one vertex; `extra` edges more lead from a level to the next."""
    begins = np.concatenate([[0], np.cumsum(levels)])
    above = [begins[i] + np.arange(size) * levels[i] // size for i, size in enumerate(levels[1:])]
    sources, targets = np.concatenate([*above, []]).astype(np.int64), np.arange(levels[0], begins[-1])
    if extra and len(levels) > 1:
        first, second = _draws(seed, extra) % begins[-2], _draws(seed + 1, extra)
        level = np.searchsorted(begins, first, side="right")
        sources, targets = (
            np.append(sources, first),
            np.append(targets, begins[level] + second % np.diff(begins)[level]),
        )
    return _listed(int(begins[-1]), sources, targets)


def geometric(vertices, radius=None, seed=1):
    """Points of the unit square, numbered cell by cell; those within `radius` of each other are joined."""
    radius = 0.55 * np.sqrt(np.log(vertices) / vertices) if radius is None else radius
    reach = max(1, round(radius * ONE))
    cells = int(min(max(1, ONE // reach), np.sqrt(vertices) + 1))
    native = library.load("generate")
    native.geometric_edges.restype = library.int64
    x, y = np.empty(vertices, np.uint32), np.empty(vertices, np.uint32)
    starts = np.zeros(cells * cells + 1, np.int64)
    native.geometric_points(library.uint64(seed), library.int64(vertices), library.int64(cells),
                            *map(library.pointer, (x, y, starts)))  # fmt: skip

    def block(bounds):
        def find(sources, targets):
            return native.geometric_edges(*map(library.pointer, (x, y, starts)), library.int64(cells),
                                          *map(library.int64, bounds), library.int64(reach),
                                          library.pointer(sources), library.pointer(targets))  # fmt: skip

        count = find(None, None)
        made = Block(np.empty(count, np.uint32), np.empty(count, np.uint32))
        find(*made[:2])
        return made

    rows = np.unique(np.linspace(0, cells, min(cells, 256) + 1).astype(int)).tolist()
    with ThreadPoolExecutor(processor.cores()) as pool:
        blocks = list(pool.map(block, itertools.pairwise(rows)))
    return EdgeList(blocks, vertices, all_ids=True)


def _draws(seed, count):
    """So many numbers below 2^31 - 1."""
    drawn = np.empty(2 * count, np.uint32)
    library.load("generate").uniform(library.uint64(seed), library.int64(0), library.int64(count), None,
                                     library.uint32(2**31 - 1), library.pointer(drawn[:count]),
                                     library.pointer(drawn[count:]))  # fmt: skip
    return drawn[:count].astype(np.int64)


def _listed(vertices, sources, targets, weights=None):
    """Blocks of edges that are there as arrays."""
    blocks = []
    for begin in range(0, max(len(sources), 1), EDGES_A_BLOCK):
        part = slice(begin, begin + EDGES_A_BLOCK)
        ends = (np.array(ids[part], np.uint32) for ids in (sources, targets))
        blocks.append(Block(*ends, None if weights is None else np.array(weights[part], np.int32)))
    return EdgeList(blocks, vertices, all_ids=True)


def _drawn(family, vertices, edges, seed, *parameters, extra=None):
    """Blocks of edges drawn one by one by native/generate.cpp: edge i depends on the seed and i alone."""
    draw = getattr(library.load("generate"), family)
    parameters = [library.uint32(int(value)) for value in parameters]

    def block(begin):
        count = min(EDGES_A_BLOCK, edges - begin)
        made = Block(np.empty(count, np.uint32), np.empty(count, np.uint32))
        ends = map(library.pointer, made[:2])
        draw(library.uint64(seed), library.int64(begin), library.int64(count), extra, *parameters, *ends)
        return made

    with ThreadPoolExecutor(processor.cores()) as pool:
        return EdgeList(list(pool.map(block, range(0, max(edges, 1), EDGES_A_BLOCK))), vertices, all_ids=True)


FAMILIES = {
    family.__name__: family
    for family in (rmat, uniform, dense, scale_free, geometric, grid, layered, path, star, complete, edges)
}
