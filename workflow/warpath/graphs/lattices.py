"""Meshes in any number of dimensions."""

import math

import numpy as np

from warpath.base.errors import UserError
from warpath.graphs import blocks
from warpath.graphs.edges import LARGEST


def mesh(sides):
    """Join each vertex to the next one along each axis; the last axis is numbered first."""
    vertices = math.prod(sides)
    if vertices > LARGEST:
        raise UserError(f"generator mesh: {' * '.join(map(str, sides))} vertices; the limit is 2^31 - 1")
    return blocks.joined([_along(sides, axis, vertices) for axis in range(len(sides))])


def hypercube(dimension):
    """Join the vertices whose numbers differ in one bit."""
    return mesh([2] * dimension)


def _along(sides, axis, vertices):
    stride, side = math.prod(sides[axis + 1 :]), sides[axis]
    row = stride * (side - 1)  # edges between two neighbouring slabs

    def part(begin, end):
        slab, tails = np.divmod(np.arange(begin, end), max(row, 1))
        tails += slab * (stride * side)
        return tails, tails + stride

    return blocks.computed(vertices, vertices // side * (side - 1), part)
