"""Conversions of a library's answer to our distances: uint32, UNREACHABLE where there is no path. Not timed."""

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.devices.errors import UnsupportedLaunch

EXACT = 2**24  # from here on float32 does not hold every whole number


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
    own, count = np.arange(len(parents)), len(parents)
    reached = (parents >= 0) & (parents < count) & (own != root)
    step = np.where(reached, parents, own)
    far = reached.astype(np.uint32)
    for _ in range(count.bit_length()):  # enough unless parents go round in a circle
        if not (far[step] > 0).any():
            break
        far, step = far + far[step], step[step]
    return np.where(reached | (own == root), far, np.uint32(UNREACHABLE))


def from_dicts(reached, count):
    """Convert a dict from each vertex to such a dict, which becomes a row of a matrix."""
    return np.stack([from_dict(reached[row], count) for row in range(count)])


def of_program(xp, values, answer, source):
    """Distances, or pairs of distances and parents, from what a program wrote, where it is.

    What the interface does not allow becomes a wrong distance.
    """
    if values == "parents":
        parents = answer if xp is np else xp.asnumpy(answer)
        return levels(source, parents), parents
    if values == "floats":
        if (xp.isfinite(answer) & (answer >= EXACT)).any():
            raise UnsupportedLaunch(f"a distance is {EXACT} or more, and floats are exact below")
        is_whole = (answer >= 0) & (answer == xp.floor(answer)) & xp.isfinite(answer)
        whole = xp.where(is_whole, answer, -2).astype("int32")
        answer = xp.where(xp.isposinf(answer), -1, whole)
    return xp.where(answer == -1, UNREACHABLE, answer).astype("uint32")
