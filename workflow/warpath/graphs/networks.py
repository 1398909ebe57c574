"""Meshes, trees and networks, of which any edge is computed by itself."""

import math

import numpy as np

from warpath.graphs import blocks, draws


def mesh(sides, closed=False):
    """Join each vertex to the next one along each axis; the last axis is numbered first. Closed, it is a torus."""
    steps = [(axis, 1) for axis in range(len(sides))]
    if closed:  # a ring has three vertices or more
        steps += [(axis, side - 1) for axis, side in enumerate(sides) if side > 2]
    return blocks.joined([_along(sides, axis, step) for axis, step in steps])


def grid(rows, columns):
    """Join each vertex to the next one in its row and in its column."""
    return blocks.joined([_along([rows, columns], axis) for axis in (1, 0)])


def hypercube(dimension):
    """Join the vertices whose numbers differ in one bit."""
    return mesh([2] * dimension)


def _along(sides, axis, step=1):
    vertices = math.prod(sides)
    stride, side = math.prod(sides[axis + 1 :]), sides[axis]
    row = stride * (side - step)  # edges within a slab

    def part(begin, end):
        slab, tails = np.divmod(np.arange(begin, end), max(row, 1))
        tails += slab * (stride * side)
        return tails, tails + stride * step

    return blocks.drawn(vertices, vertices // side * (side - step), part)


def cliques(count, size):
    """A ring of cliques; the last vertex of each is joined to the first one of the next."""
    tails, targets = np.triu_indices(size, 1)
    tails, targets = np.append(tails, size - 1), np.append(targets, size)

    def part(begin, end):
        clique, pair = np.divmod(np.arange(begin, end), len(tails))
        return clique * size + tails[pair], (clique * size + targets[pair]) % (count * size)

    return blocks.drawn(count * size, count * len(tails) - (count < 3), part)  # two need no second edge


def path(vertices):
    return tree(vertices, 1)


def star(vertices):
    return tree(vertices, max(vertices - 1, 1))


def tree(vertices, children=2):
    """Number the vertices level by level, each with this many children while there are vertices left."""

    def part(begin, end):
        targets = np.arange(begin + 1, end + 1)
        return (targets - 1) // children, targets

    return blocks.drawn(vertices, vertices - 1, part)


def random_tree(vertices, reach=None, seed=1):
    """Join each vertex to an earlier one, drawn among the `reach` before it; a smaller reach makes a deeper tree."""

    def part(begin, end):
        targets = np.arange(begin + 1, end + 1)
        choices = targets if reach is None else np.minimum(targets, reach)
        return targets - 1 - draws.below(draws.words(seed, begin, end), choices).astype(np.int64), targets

    return blocks.drawn(vertices, vertices - 1, part)


def caterpillar(spine, leaves, every=1):
    """A path, the spine, in which each vertex, or one in so many, has leaves; they are numbered after the spine."""
    hubs = -(-spine // every)

    def part(begin, end):
        edges = np.arange(begin, end)
        leaf = np.maximum(edges - (spine - 1), 0)
        return np.where(edges < spine - 1, edges, leaf // max(leaves, 1) * every), edges + 1

    return blocks.drawn(spine + hubs * leaves, spine - 1 + hubs * leaves, part)


def small_world(vertices, reach=5, shortcuts=0, seed=1):
    """Join each vertex of a ring to the next `reach` ones, and pairs of random vertices by shortcuts."""
    ring = vertices * reach

    def near(begin, end):
        step, tails = np.divmod(np.arange(begin, end), vertices)
        return tails, (tails + step + 1) % vertices

    def far(begin, end):
        drawn = draws.words(seed, ring + begin, ring + end)
        targets = draws.below(draws.upper(drawn), vertices)
        return draws.below(drawn, vertices), targets

    return blocks.joined([blocks.drawn(vertices, ring, near), blocks.drawn(vertices, shortcuts, far)])


def web(vertices, degree=8, copied=0.6, seed=1):
    """Let each vertex take `degree` links of an earlier one, its model, except for a share that it draws itself.

    Link i of a vertex is link i of its model with the probability `copied`, else a random earlier vertex. It points
    either way with the same probability.
    """
    threshold, edges = np.uint64(copied * 2.0**32), vertices * degree
    model = draws.below(draws.words(seed, 0, vertices), np.maximum(np.arange(vertices), 1)).astype(np.uint32)

    def part(begin, end):
        link = np.arange(begin, end, dtype=np.int64)
        owner, place = np.divmod(link, degree)
        copies = np.flatnonzero(_copies(seed, link, threshold) & (owner > 0))
        origin = owner.copy()
        while len(copies):  # follow the models until one drew the link itself
            origin[copies] = model[origin[copies]]
            again = _copies(seed, origin[copies] * degree + place[copies], threshold) & (origin[copies] > 0)
            copies = copies[again]
        target = draws.below(draws.at(seed, origin * degree + place, 2), np.maximum(origin, 1)).astype(np.int64)
        flipped = draws.at(seed, link, 3) & np.uint64(1) == 1
        return np.where(flipped, target, owner), np.where(flipped, owner, target)

    return blocks.drawn(vertices, edges, part)


def bipartite(left, right, edges, zipf=0, seed=1):
    """Draw edges between vertices of two sides; the right one is numbered after the left one.

    With `zipf` vertex i of the right one is drawn in proportion to 1 / (i + 1)^zipf.
    """
    if zipf:
        root = np.sqrt(np.sqrt(np.arange(1.0, right + 1)))  # rounded alike on every machine, unlike powers
        shares = np.cumsum(1 / math.prod([root] * round(4 * zipf)))
        ends = (shares / shares[-1] * 2.0**32).astype(np.uint64)

    def part(begin, end):
        drawn = draws.words(seed, begin, end)
        items = draws.upper(drawn)
        items = np.searchsorted(ends, items, side="right") if zipf else draws.below(items, right)
        return draws.below(drawn, left), items + left

    return blocks.drawn(left + right, edges, part)


def _copies(seed, link, threshold):
    return draws.upper(draws.at(seed, link, 1)) < threshold
