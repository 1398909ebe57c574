"""What kind of graph it is, by a look at a few thousand arcs on the host, in less than a millisecond."""

# A mesh has fewer than BALL vertices within STEPS arcs of another; random and social graphs have more.
BALL, STEPS = 300, 4
SAMPLE, HUB_SHARE = 1024, 4  # random arcs, at whose ends hubs make degrees so many times the mean degree


def has_hubs(graph):
    """Whether the vertices at the ends of arcs have far more arcs than vertices have on average."""
    heads = graph.targets[:: len(graph.targets) // SAMPLE + 1]
    degrees = graph.offsets[heads + 1] - graph.offsets[heads]
    return len(heads) > 0 and degrees.mean() * (len(graph.offsets) - 1) > HUB_SHARE * len(graph.targets)


def is_mesh(graph):
    """Whether few vertices are near each other: a search goes on for STEPS levels and has not reached BALL vertices."""
    starts = [int(graph.targets[len(graph.targets) * part // 3]) for part in (1, 2) if len(graph.targets)]
    return any(_goes_on(graph, start) for start in starts)


def _goes_on(graph, start):
    reached, frontier = {start}, {start}
    for _ in range(STEPS):
        tails, found = list(frontier), set()
        for begin, end in zip(graph.offsets[tails].tolist(), graph.offsets[1:][tails].tolist(), strict=True):
            found.update(graph.targets[begin : min(end, begin + BALL)].tolist())
            if len(found) > BALL:
                return False
        frontier = found - reached
        reached |= frontier
        if not frontier or len(reached) >= BALL:
            return False
    return True
