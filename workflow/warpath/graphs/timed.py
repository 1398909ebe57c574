"""The graphs on which public libraries were timed, drawn with the random numbers of CuPy or NumPy.

`generators` takes these families where an entry has the key `numbers`.
"""

from bisect import bisect_left

import numpy as np

from warpath.graphs import blocks, networks, points
from warpath.graphs.xorwow import Stream


def rmat(scale, edge_factor, seed, a, b, c):
    """Draw a single-precision number for each bit of an edge's ends, then permute the vertices."""
    stream, edges = Stream(seed), round(edge_factor * (1 << scale))
    in_second, in_third, in_fourth, wrapped = (_least(share) for share in (a, a + b, a + b + c, 1))
    tails, targets = np.zeros(edges, np.uint32), np.zeros(edges, np.uint32)
    for _ in range(scale):
        for place, drawn in stream.pieces(edges):
            drawn[drawn >= wrapped] = 0
            below = drawn >= in_third
            tails[place] <<= 1
            tails[place] |= below
            targets[place] <<= 1
            targets[place] |= (drawn >= in_second) & ~below | (drawn >= in_fourth)
    shuffle = np.argsort(stream.words(1 << scale).view(np.int32), kind="stable").astype(np.uint32)
    return blocks.of_arrays(1 << scale, shuffle[tails], shuffle[targets])


def _least(share):
    """Return the least of the 2^32 numbers whose single-precision fraction, in (0, 1], is `share` or more."""
    numbers, step = range(2**32 - 1), np.float32(2.0**-32)
    return np.uint32(bisect_left(numbers, np.float32(share), key=lambda number: np.float32(number) * step + step / 2))


def uniform(vertices, edges, seed):
    stream = Stream(seed)
    tails = stream.below(vertices, edges)
    return blocks.of_arrays(vertices, tails, stream.below(vertices, edges))


def small_world(vertices, reach, shortcuts, seed):
    return blocks.joined([networks.small_world(vertices, reach), uniform(vertices, shortcuts, seed)])


def geometric(vertices, seed, radius=None):
    """Join points within `radius`; they are numbered as they are drawn, so that near ones are apart in memory."""
    from scipy.spatial import cKDTree

    radius = points.usual_radius(vertices) if radius is None else radius
    near = cKDTree(np.random.RandomState(seed).rand(vertices, 2)).query_pairs(radius, output_type="ndarray")
    return blocks.of_arrays(vertices, near[:, 0], near[:, 1])


def delaunay(vertices, seed):
    return points.triangles(np.random.RandomState(seed).rand(vertices, 2), points.MILLION)


FAMILIES = {family.__name__: family for family in (rmat, uniform, small_world, geometric, delaunay)}
