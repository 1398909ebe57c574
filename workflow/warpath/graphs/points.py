"""Graphs of random points: near ones joined, the nearest ones, and Delaunay's triangles.

Points that are near each other are near in memory, too, unless the catalogue's key `shuffle` changes that.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.base import processor
from warpath.graphs import blocks, draws, library
from warpath.graphs.blocks import Block, EdgeList

ONE = 1 << 31  # the side of the unit square, an integer so that no rounding differs between machines
MILLION = 10**6


def geometric(vertices, radius=None, seed=1):
    """Join points of the unit square that are within `radius` of each other; points are numbered cell by cell."""
    radius = usual_radius(vertices) if radius is None else radius
    reach = max(1, round(radius * ONE))
    cells = int(min(max(1, ONE // reach), np.sqrt(vertices) + 1))
    x, y = np.empty((2, vertices), np.uint32)
    starts = np.zeros(cells * cells + 1, np.int64)  # the first point of each cell
    library.call("generate", "geometric_points", seed, vertices, cells, x, y, starts)

    def near_pairs(begin, end):
        rows = "generate", "geometric_edges", x, y, starts, cells, begin, end, reach
        ends = np.empty((2, library.call(*rows, None, None)), np.uint32)
        library.call(*rows, *ends)
        return Block(*ends)

    with ThreadPoolExecutor(processor.cores()) as pool:
        return EdgeList(library.in_slices(pool, near_pairs, cells), vertices, all_ids=True)


def usual_radius(vertices):
    """A radius by which nearly all points are connected."""
    return 0.55 * np.sqrt(np.log(vertices) / vertices)


def nearest(vertices, neighbours=6, dimensions=2, seed=1):
    """Join each point of the unit cube to its nearest ones."""
    from scipy.spatial import cKDTree

    places = _along_a_curve(vertices, dimensions, seed)
    found = cKDTree(places).query(places, neighbours + 1, workers=processor.cores())[1]
    count = min(neighbours, vertices - 1)
    targets = found[:, 1 : count + 1].astype(np.uint32)  # the nearest one is the point itself
    return blocks.of_arrays(vertices, np.repeat(np.arange(vertices, dtype=np.uint32), count), targets.ravel())


def delaunay(vertices, seed=1):
    """Triangulate points of the unit square; weights are the edges' lengths in millionths, at least 1."""
    return triangles(_along_a_curve(vertices, 2, seed), MILLION / ONE)


def triangles(places, scale):
    """Return the sides of Delaunay's triangles with their lengths times `scale`, at least 1."""
    from scipy.spatial import Delaunay

    corners = Delaunay(places).simplices
    ends = np.sort(np.stack([corners.ravel(), corners[:, [1, 2, 0]].ravel()]).astype(np.uint64), axis=0)
    sides = np.unique(ends[0] << np.uint64(32) | ends[1])  # whatever the order of Qhull's triangles
    tails, targets = (sides >> np.uint64(32)).astype(np.uint32), sides.astype(np.uint32)
    across = places[tails] - places[targets]
    lengths = np.sqrt(across[:, 0] ** 2 + across[:, 1] ** 2) * scale
    return blocks.of_arrays(len(places), tails, targets, np.maximum(1, np.round(lengths)))


def _along_a_curve(vertices, dimensions, seed):
    """Return random points, numbered along a Z-order curve; coordinates are whole numbers below ONE."""
    places = np.stack([draws.words(seed, 0, vertices, axis) >> np.uint64(33) for axis in range(dimensions)], axis=1)
    key = np.zeros(vertices, np.uint64)
    for bit in range(max(1, vertices.bit_length() // dimensions)):
        for axis in range(dimensions):
            key = key << np.uint64(1) | (places[:, axis] >> np.uint64(30 - bit)) & np.uint64(1)
    return places[np.argsort(key, kind="stable")].astype(np.float64)
