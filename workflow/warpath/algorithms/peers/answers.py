"""Conversions of a library's answer to our distances: uint32, UNREACHABLE where there is no path. Not timed."""

import numpy as np

from warpath.algorithms import UNREACHABLE


def distances(values):
    """Convert numbers; any value from UNREACHABLE on (infinity, the largest of a type) stands for no path."""
    values = np.asarray(values)
    return np.where(values < UNREACHABLE, values, UNREACHABLE).astype(np.uint32)


def placed(vertices, values, count):
    """Convert values of the vertices that were reached, given the vertices' numbers."""
    answer = np.full(count, UNREACHABLE, np.uint32)
    answer[vertices] = values
    return answer


def from_dict(reached, count):
    """Convert a dict from each vertex that was reached to its value."""
    return placed(list(reached), list(reached.values()), count)


def levels(root, parents):
    """Convert a search's parents, negative where there is none: count each vertex's steps to the root by doubling."""
    reached = parents >= 0
    step = np.where(reached, parents, np.arange(len(parents)))
    far = reached.astype(np.uint32)
    while (far[step] > 0).any():
        far, step = far + far[step], step[step]
    return np.where(reached | (np.arange(len(parents)) == root), far, np.uint32(UNREACHABLE))


def from_dicts(reached, count):
    """Convert a dict from each vertex to such a dict, which becomes a row of a matrix."""
    return np.stack([from_dict(reached[row], count) for row in range(count)])
