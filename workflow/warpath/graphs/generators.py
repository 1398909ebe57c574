"""Graphs made instead of read; each family is a function of its parameters and a seed, the same to the bit anywhere."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.graphs import library
from warpath.graphs.edges import Block, EdgeList

EDGES_A_BLOCK = 1 << 20


def generate(spec):
    parameters = {key: value for key, value in spec.items() if key != "kind"}
    return FAMILIES[spec["kind"]](**parameters)


def path(vertices):
    ids = np.arange(vertices, dtype=np.uint32)
    return _listed(vertices, ids[:-1], ids[1:])


def star(vertices):
    leaves = np.arange(1, vertices, dtype=np.uint32)
    return _listed(vertices, np.zeros_like(leaves), leaves)


def complete(vertices):
    return _listed(vertices, *np.triu_indices(vertices, 1))


def grid(rows, columns):
    ids = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
    right, down = (ids[:, :-1], ids[:, 1:]), (ids[:-1], ids[1:])
    return _listed(rows * columns, *(np.concatenate([a.ravel(), b.ravel()]) for a, b in zip(right, down, strict=True)))


def rmat(scale, edge_factor=16, seed=1, a=0.57, b=0.19, c=0.19):
    """Each bit of both ends falls into one of four quadrants; then the vertices are shuffled (native/generate.cpp)."""
    quadrants = (np.cumsum([a, b, c]) * 2.0**32).astype(np.int64).clip(0, 2**32 - 1).astype(np.uint32)
    return _drawn("rmat", 1 << scale, round(edge_factor * (1 << scale)), seed, np.uint32(scale), *quadrants)


def uniform(vertices, edges, seed=1):
    return _drawn("uniform", vertices, edges, seed, np.uint32(vertices))


def _listed(vertices, sources, targets, weights=None):
    """Blocks of edges that are there as arrays."""
    blocks = []
    for begin in range(0, max(len(sources), 1), EDGES_A_BLOCK):
        part = slice(begin, begin + EDGES_A_BLOCK)
        ends = (np.array(ids[part], np.uint32) for ids in (sources, targets))
        blocks.append(Block(*ends, None if weights is None else np.array(weights[part], np.int32)))
    return EdgeList(blocks, vertices, all_ids=True)


def _drawn(family, vertices, edges, seed, *parameters):
    """Blocks of edges drawn one by one by native/generate.cpp: edge i depends on the seed and i alone."""
    draw = getattr(library.load("generate"), family)

    def block(begin):
        count = min(EDGES_A_BLOCK, edges - begin)
        made = Block(np.empty(count, np.uint32), np.empty(count, np.uint32))
        draw(library.uint64(seed), library.int64(begin), library.int64(count), *(library.uint32(int(value)) for value in parameters),
             *map(library.pointer, made[:2]))  # fmt: skip
        return made

    with ThreadPoolExecutor(library.threads()) as pool:
        return EdgeList(list(pool.map(block, range(0, max(edges, 1), EDGES_A_BLOCK))), vertices, all_ids=True)


FAMILIES = {"path": path, "star": star, "complete": complete, "grid": grid, "rmat": rmat, "uniform": uniform}
