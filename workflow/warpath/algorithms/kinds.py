"""What kind of graph it is, by a look at a few thousand arcs on the host."""

from typing import NamedTuple

import numpy as np

from warpath.graphs import library

# A mesh has fewer than BALL vertices within STEPS arcs of another; random and social graphs have more. A forest is
# bushy with half as many within three times as many arcs.
BALL, STEPS = 300, 4
SAMPLE, HUB_SHARE = 1024, 4  # arcs, at whose ends hubs make degrees so many times the mean degree
SIDE_BY_SIDE = 16  # numbers of a sample, as each place in memory takes long to read


class Kind(NamedTuple):
    is_mesh: bool  # few vertices are near each other: a search goes on for some levels and has not reached many
    has_hubs: bool  # vertices at the ends of arcs have far more arcs than vertices have on average
    has_giants: bool  # these have, on average, more than a thousandth of all arcs
    is_bushy: bool  # less than two arcs a vertex, but many vertices not far from each other


def look(graph):
    """Say what kind it is, from two vertices and a sample of arcs."""
    offsets, targets = graph.offsets, np.ascontiguousarray(graph.targets)
    arcs, vertices = len(targets), len(offsets) - 1
    starts = [int(targets[arcs * part // 3]) for part in (1, 2) if arcs]

    def goes_on(steps, most):
        return any(library.call("breadth_first", "goes_on", start, steps, most, offsets, targets) for start in starts)

    is_mesh = goes_on(STEPS, BALL)
    is_bushy = is_mesh and arcs < 2 * vertices and not goes_on(3 * STEPS, BALL // 2)
    heads = sample(targets, SAMPLE)
    degree = arcs and (offsets[heads + 1] - offsets[heads]).mean()
    return Kind(is_mesh, degree * vertices > HUB_SHARE * arcs, degree * SAMPLE > arcs, is_bushy)


def sample(numbers, count):
    """Return about `count` of the numbers, from places that are spread evenly."""
    if len(numbers) <= count:
        return numbers
    pieces = numbers[: len(numbers) // SIDE_BY_SIDE * SIDE_BY_SIDE].reshape(-1, SIDE_BY_SIDE)
    return pieces[:: len(numbers) // count + 1].ravel()
