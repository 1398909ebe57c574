"""What kind of graph it is, by a look at a few thousand arcs on the host, in less than half a millisecond."""

from typing import NamedTuple

# A mesh has fewer than BALL vertices within STEPS arcs of another; random and social graphs have more. A forest is
# bushy with half as many within three times as many arcs.
BALL, STEPS = 300, 4
SAMPLE, HUB_SHARE = 1024, 4  # random arcs, at whose ends hubs make degrees so many times the mean degree


class Kind(NamedTuple):
    is_mesh: bool  # few vertices are near each other: a search goes on for some levels and has not reached many
    has_hubs: bool  # vertices at the ends of arcs have far more arcs than vertices have on average
    is_bushy: bool  # less than two arcs a vertex, but many vertices not far from each other


def look(graph):
    """Say what kind it is, from two vertices and a sample of arcs."""
    starts = [int(graph.targets[len(graph.targets) * part // 3]) for part in (1, 2) if len(graph.targets)]
    is_mesh = any(_goes_on(graph, start, STEPS, BALL) for start in starts)
    is_thin = is_mesh and len(graph.targets) < 2 * (len(graph.offsets) - 1)
    is_bushy = is_thin and not any(_goes_on(graph, start, 3 * STEPS, BALL // 2) for start in starts)
    return Kind(is_mesh, _has_hubs(graph), is_bushy)


def _has_hubs(graph):
    heads = graph.targets[:: len(graph.targets) // SAMPLE + 1]
    degrees = graph.offsets[heads + 1] - graph.offsets[heads]
    return len(heads) > 0 and degrees.mean() * (len(graph.offsets) - 1) > HUB_SHARE * len(graph.targets)


def _goes_on(graph, start, steps, most):
    """Whether a search goes on for so many levels and has not reached so many vertices."""
    reached, frontier = {start}, {start}
    for _ in range(steps):
        tails, found = list(frontier), set()
        for begin, end in zip(graph.offsets[tails].tolist(), graph.offsets[1:][tails].tolist(), strict=True):
            found.update(graph.targets[begin : min(end, begin + most + 1)].tolist())
            if len(found) > most:
                return False
        frontier = found - reached
        reached |= frontier
        if not frontier or len(reached) >= most:
            return False
    return True
