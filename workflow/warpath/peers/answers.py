"""What a library returned as distances of ours: uint32, UNREACHABLE where there is no path. Not timed."""

import numpy as np

from warpath.algorithms import UNREACHABLE


def distances(values):
    """From numbers, whatever is at least UNREACHABLE standing for no path: infinity, or the largest of a type."""
    values = np.asarray(values)
    return np.where(values < UNREACHABLE, values, UNREACHABLE).astype(np.uint32)


def placed(vertices, values, count):
    """From the numbers of the vertices that were reached."""
    answer = np.full(count, UNREACHABLE, np.uint32)
    answer[vertices] = values
    return answer


def of_dict(reached, count):
    """From a dict of the vertices that were reached."""
    return placed(list(reached), list(reached.values()), count)


def levels(root, parents):
    """From the parents of a search, negative where there is none: how far it is to the root, by doubling strides."""
    reached = parents >= 0
    step = np.where(reached, parents, np.arange(len(parents)))
    far = reached.astype(np.uint32)
    while (far[step] > 0).any():
        far, step = far + far[step], step[step]
    return np.where(reached | (np.arange(len(parents)) == root), far, np.uint32(UNREACHABLE))


def of_dicts(reached, count):
    """From a dict of such dicts, a row each."""
    return np.stack([of_dict(reached[row], count) for row in range(count)])
