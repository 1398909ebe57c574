"""Random networks: a ring with shortcuts, a web by copying, and a bipartite graph."""

import numpy as np

from warpath.graphs import blocks, draws


def small_world(vertices, reach=5, shortcuts=0, seed=1):
    """Join each vertex of a ring to the next `reach` ones, and pairs of random vertices by shortcuts."""
    ring = vertices * reach

    def part(begin, end):
        edges = np.arange(begin, end)
        step, tails = np.divmod(edges, vertices)
        targets = (tails + step + 1) % vertices
        if end > ring:
            drawn = draws.words(seed, max(begin, ring), end)
            place = slice(max(ring - begin, 0), None)
            targets[place] = draws.below(draws.upper(drawn), vertices)
            tails[place] = draws.below(drawn, vertices)
        return tails, targets

    return blocks.computed(vertices, ring + shortcuts, part)


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

    return blocks.computed(vertices, edges, part)


def bipartite(left, right, edges, seed=1):
    """Draw edges between vertices of two sides; the right one is numbered after the left one."""

    def part(begin, end):
        drawn = draws.words(seed, begin, end)
        targets = draws.below(draws.upper(drawn), right) + np.uint64(left)
        return draws.below(drawn, left), targets

    return blocks.computed(left + right, edges, part)


def _copies(seed, link, threshold):
    return draws.upper(draws.at(seed, link, 1)) < threshold
