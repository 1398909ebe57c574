"""Trees: regular, random, and a path with leaves."""

import numpy as np

from warpath.base.errors import UserError
from warpath.graphs import blocks, draws
from warpath.graphs.edges import LARGEST


def tree(vertices, children=2):
    """Number the vertices level by level, each with this many children while there are vertices left."""

    def part(begin, end):
        targets = np.arange(begin + 1, end + 1)
        return (targets - 1) // children, targets

    return blocks.computed(vertices, vertices - 1, part)


def random_tree(vertices, reach=None, seed=1):
    """Join each vertex to an earlier one, drawn among the `reach` before it; a smaller reach makes a deeper tree."""

    def part(begin, end):
        targets = np.arange(begin + 1, end + 1)
        choices = targets if reach is None else np.minimum(targets, reach)
        return targets - 1 - draws.below(draws.words(seed, begin, end), choices).astype(np.int64), targets

    return blocks.computed(vertices, vertices - 1, part)


def caterpillar(spine, leaves, every=1):
    """A path, the spine, in which each vertex, or one in so many, has leaves; they are numbered after the spine."""
    hubs = -(-spine // every)
    if spine + hubs * leaves > LARGEST:
        raise UserError(f"generator caterpillar: {spine} + {hubs} * {leaves} vertices; the limit is 2^31 - 1")

    def part(begin, end):
        edges = np.arange(begin, end)
        leaf = np.maximum(edges - (spine - 1), 0)
        return np.where(edges < spine - 1, edges, leaf // max(leaves, 1) * every), edges + 1

    return blocks.computed(spine + hubs * leaves, spine - 1 + hubs * leaves, part)
