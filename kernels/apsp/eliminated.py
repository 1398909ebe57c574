"""All-pairs shortest paths on graphs with small separators: clusters joined to parts, elimination over min and +."""

import math
from functools import partial
from typing import Any, NamedTuple

from warpath.algorithms import UNREACHABLE, Solution, algorithm, answer_matrix, blocks_for

PART, PART_ABOVE = 112, 660  # most vertices of a part, on the lowest level and on the levels above
FEW = 32  # clusters are joined no more when fewer than one of so many finds another
DENSE = 2048  # so many separators are one part
SHRINKS = 0.75  # if more than this share of its vertices are separators, a level is one part
PAIRS = 32  # pairs on the boundary of a part, for each vertex of the graph: with more, separators are one part
GREEDY = 6  # rounds in which separators are chosen one by one
MOST = 256  # relaxations a distance, above which apsp/batched is faster
SIZES = {"tile": 64, "block": 256, "rows": 64, "height": 128, "handshakes": 2}
TILE, BLOCK, ROWS, HEIGHT, HANDSHAKES = SIZES.values()
TURNED = 32, HEIGHT  # columns and rows of a tile of `turn`
FITS = 0.75  # of the device's memory, for an answer that stays there
SLAB = 2 << 30  # bytes of rows in work at once, where the whole matrix does not fit the device


@algorithm()
def eliminated(device, graph, launch):
    """Shortest paths between separators of nested parts, then rows of the answer as products with a part's boundary."""
    n, pitch, empty = graph.vertices, -(-graph.vertices // 32) * 32, device.xp.empty
    kernels = Kernels(*device.kernels(__file__, *Kernels._fields, **SIZES))
    fits = 4 * n * pitch <= FITS * device.memory
    matrix = None if fits else answer_matrix(n)
    arcs = arcs_of(device.xp, graph)
    plan = lay_out(device, dissect(device, kernels, graph, arcs), arcs, graph.arcs)
    table = empty((n if fits else max(1, len(plan.core)), pitch), "uint32")
    slab = None if fits else empty((max(SLAB // (4 * pitch), plan.fronts[:, 2].max()), pitch), "uint32")
    steps = Steps(device, graph, kernels, plan, table)
    steps.eliminate()
    for level in reversed(plan.levels[1:]):
        steps.extend_core(level)
    steps.extend_table(whole=fits)
    core = None if fits else device.get(plan.core)

    def solve(sources=None):
        for step in steps.steps:
            step()
        if fits:
            return Solution(table[:, :n], iterations=len(plan.levels))
        matrix[core] = device.get(table)[: len(core), :n]
        for vertices, some in steps.slabs(slab):
            for step in some:
                step()
            matrix[vertices] = device.get(slab)[: len(vertices), :n]
        return Solution(matrix, iterations=len(plan.levels))

    return solve


class Kernels(NamedTuple):
    match: Any
    cover: Any
    place: Any
    lift: Any
    close_each: Any
    close_together: Any
    extend_rows: Any
    relax_within: Any
    turn: Any


class Operands(NamedTuple):
    """Matrices that `extend_rows` reads and writes, and the rows of fronts' members in them."""

    rows: Any
    known: Any
    out: Any
    first_row: int = 0  # of `out`


class Steps:
    """The launches of a solve with their arguments. `table` gets the rows of all vertices, or of the core alone."""

    def __init__(self, device, graph, kernels, plan, table):
        self.steps, self._device, self._graph, self._kernels, self._plan = [], device, graph, kernels, plan
        self._fronts, self._own, self._given = device.put(plan.fronts), plan.own, plan.given
        self._pool, self._table = device.xp.empty(max(1, plan.pool), "uint32"), table
        # Vectors at the end of a row read what no solve writes.
        shape = max(1, len(plan.core)), plan.core_pitch
        self._core = device.xp.full(shape, UNREACHABLE, "uint32")
        self._back = device.xp.full(shape, UNREACHABLE, "uint32") if graph.directed else self._core  # the transpose

    def eliminate(self):
        """Close the fronts, level by level."""
        kernels, plan, graph = self._kernels, self._plan, self._graph
        self.steps.append(partial(self._pool.fill, UNREACHABLE))
        if arcs := graph.arcs:
            place = self._over(kernels.place, arcs)
            self.steps.append(partial(place, arcs, plan.places, graph.weights, self._pool))
        barrier, resident = self._device.xp.zeros(1, "uint32"), kernels.close_together.resident_blocks(BLOCK)
        for level in plan.levels:
            if level.fronts > self._device.multiprocessors:
                close = kernels.close_each[level.fronts, BLOCK]
                self.steps.append(partial(close, self._fronts, level.first, self._pool))
            else:
                close = kernels.close_together.cooperative[min(resident, level.fronts * level.tiles**2), BLOCK]
                where = level.first, level.fronts, level.tiles, self._pool, barrier
                self.steps.append(partial(close, self._fronts, *where))
            if lifted := len(level.lifted):
                lift = self._over(kernels.lift, lifted)
                self.steps.append(partial(lift, lifted, level.lifted, level.lifted_to, self._pool))

    def _over(self, kernel, count):
        return kernel[min(blocks_for(count, BLOCK), 8 * self._device.multiprocessors), BLOCK]

    def extend_core(self, level):
        """From the distances among the separators of the levels above to those of this level too."""
        core, back, above, all_of = self._core, self._back, level.separators, level.vertices
        fronts = range(level.first, level.first + level.fronts)
        if above:
            self.steps.append(self._extended(fronts, above, Operands(self._own, back, back), backward=True))
            self.steps.append(self._turned(range(above, all_of), above, back, core))
        self.steps += self._rows(fronts, all_of, Operands(self._own, core, core))
        if back is not core:
            self.steps.append(self._turned(range(above, all_of), all_of, core, back))

    def extend_table(self, whole):
        """From the core to the rows of its vertices in the table, and if `whole` to all rows."""
        plan, n, pitch = self._plan, self._graph.vertices, self._table.shape[1]
        fronts, core, back, table = range(plan.levels[0].fronts), len(plan.core), self._back, self._table
        if core:
            onward = self._device.xp.empty((n - core, plan.core_pitch), "uint32")
            self.steps.append(self._extended(fronts, core, Operands(self._own, back, onward), backward=True))
            turn = self._kernels.turn[tuple(map(blocks_for, (pitch, core), TURNED)), BLOCK]
            given = plan.sources, onward, plan.core_pitch, back, plan.core_pitch
            rows = plan.core if whole else None
            self.steps.append(partial(turn, 0, pitch, n, core, *given, rows, table, pitch))
        if whole:
            self.steps += self._rows(fronts, n, Operands(self._given, table, table))

    def slabs(self, slab):
        """Yield vertices of the lowest level, as many as `slab` has rows for, and the steps that fill these rows."""
        plan, first, lowest = self._plan, 0, self._device.get(self._plan.lowest)
        while first < plan.levels[0].fronts:
            end = int(plan.starts.searchsorted(plan.starts[first] + len(slab), side="right")) - 1
            operands = Operands(self._own, self._table, slab, int(plan.starts[first]))
            rows = self._rows(range(first, end), self._graph.vertices, operands)
            yield lowest[plan.starts[first] : plan.starts[end]], rows
            first = end

    def _rows(self, fronts, columns, operands):
        """The rows of the vertices inside fronts."""
        relax = self._kernels.relax_within[(len(fronts), 16), BLOCK]
        within = operands.rows, self._given, self._pool, operands.out, operands.out.shape[1], operands.first_row
        return [self._extended(fronts, columns, operands), partial(relax, self._fronts, fronts.start, *within)]

    def _extended(self, fronts, columns, operands, backward=False):
        rows, known, out, first_row = operands
        few = len(fronts) * columns < 4096 * self._device.multiprocessors
        span, shares = (512, blocks_for(self._plan.fronts[fronts, 2].max(), ROWS)) if few else (1024, 1)
        extend = self._kernels.extend_rows[(blocks_for(columns, span), len(fronts), shares), BLOCK]
        where = rows, self._pool, known, known.shape[1], out, out.shape[1], first_row
        return partial(extend, self._fronts, fronts.start, int(backward), columns, span, *where)

    def _turned(self, columns, height, given, out):
        turn = self._kernels.turn[tuple(map(blocks_for, (len(columns), height), TURNED)), BLOCK]
        where = None, given, given.shape[1], None, 0, None, out, out.shape[1]
        return partial(turn, columns.start, len(columns), columns.stop, height, *where)


# ---- parts and separators


class Dissection(NamedTuple):
    front: Any  # the front in which each vertex is inside; fronts are numbered level by level
    firsts: list  # the first front of each level, and the number of all
    counts: list  # vertices of each level and those above, and 0
    boundaries: list  # of each level: (2 * front + 1) * vertices + vertex for every vertex on a boundary, ascending


def arcs_of(xp, graph):
    """Return the tails and heads of all arcs, in both directions."""
    tails = xp.searchsorted(graph.offsets, xp.arange(graph.arcs, dtype="int32"), side="right") - 1
    heads = graph.targets.astype("int64")
    return (xp.concatenate([tails, heads]), xp.concatenate([heads, tails])) if graph.directed else (tails, heads)


def dissect(device, kernels, graph, arcs):
    """Divide the vertices into parts and separators, these again, and so on until one part is left."""
    xp, n, parts, most = device.xp, graph.vertices, graph.vertices, min(PART, math.isqrt(graph.vertices))
    vertices, part, front = xp.arange(n), xp.arange(n), xp.empty(n, "int64")
    firsts, counts, boundaries, work, whole = [0], [n], [], Work(graph.name, n), False
    while count := counts[-1]:
        part, parts, separates = undivided(xp, count) if whole else divide(device, kernels, part, parts, arcs, most)
        front[vertices] = firsts[-1] + part  # separators get theirs on a level above
        tails, heads = arcs
        crosses = xp.flatnonzero(~separates[tails] & separates[heads])
        bounds = xp.unique(part[tails[crosses]] * count + heads[crosses]) if len(crosses) else crosses
        boundaries.append((2 * (firsts[-1] + bounds // count) + 1) * n + vertices[bounds % count])
        sizes = xp.diff(xp.searchsorted(bounds, xp.arange(parts + 1) * count))
        inside, boundary = device.get(xp.stack([xp.bincount(part[~separates], minlength=parts), sizes]))

        above = xp.flatnonzero(separates)
        work.add(count, len(above), inside, boundary)
        whole, most = len(above) <= DENSE or boundary @ boundary > PAIRS * n, PART_ABOVE
        arcs = (above[:0], above[:0]) if whole else arcs_above(xp, arcs, separates, bounds % count, sizes)
        vertices, part = vertices[above], part[above]
        firsts.append(firsts[-1] + parts)
        counts.append(len(above))
    return Dissection(front, firsts, counts, boundaries)


def arcs_above(xp, arcs, separates, members, sizes):
    """Return the arcs between separators, and those between members of the same boundary."""
    number = xp.cumsum(separates) - 1
    remain = xp.flatnonzero(separates[arcs[0]] & separates[arcs[1]])
    joined = pairs(xp, sizes)
    return [number[xp.concatenate([end[remain], members[other]])] for end, other in zip(arcs, joined, strict=True)]


class Work:
    """Relaxations and memory of what has been divided so far."""

    def __init__(self, name, n):
        self._name, self._vertices, self._core, self._relaxations, self._words = name, n, None, 0.0, 0.0

    def add(self, vertices, separators, inside, boundary):
        """Add a level; refuse the graph if that makes it more than another algorithm takes."""
        from warpath.devices.errors import UnsupportedLaunch

        n = self._vertices
        if self._core is None:
            self._core, self._words = separators, separators * float(n + separators)
        padded = (-(-(inside + boundary) // TILE) * TILE).astype(float)
        self._relaxations += float(inside @ boundary) * (vertices + separators) + (padded**3).sum()
        self._words += (padded**2).sum()
        each = self._relaxations / n**2
        if n > DENSE and each > MOST:
            raise UnsupportedLaunch(
                f"graph {self._name} has large separators, {self._core:,} of {n:,} vertices: elimination would take at "
                f"least {self._relaxations:.2g} relaxations, {each:,.0f} a distance where {MOST} are worth it, and "
                f"{4e-9 * self._words:.2g} GB beside the answer; use apsp/batched"
            )


def divide(device, kernels, part, parts, arcs, most):
    """Join parts; return the part of each vertex, their number, and whether a vertex is a separator."""
    part, parts = join(device, kernels.match, part, parts, arcs, most)
    separates = cover(device, kernels.cover, part, arcs)
    few = int(separates.sum()) <= SHRINKS * len(part)
    return (part, parts, separates) if few else undivided(device.xp, len(part))


def undivided(xp, count):
    return xp.zeros(count, "int64"), 1, xp.zeros(count, bool)


def join(device, match, cluster, clusters, arcs, most):
    """Join clusters in pairs, as long as many find another and both have at most `most` vertices together."""
    xp, tails, heads = device.xp, *arcs
    sizes = xp.bincount(cluster, minlength=clusters).astype("int32")
    preferences, best = (xp.empty(length, "uint64") for length in (len(tails), HANDSHAKES * clusters))
    scratch = preferences, best, xp.empty(clusters, "int32")
    becomes, barrier = xp.empty(clusters, "int64"), xp.zeros(1, "uint32")
    match, left, found = together(match, len(tails)), clusters, len(tails)
    while found * FEW > left:
        ends = cluster[tails] * clusters + cluster[heads]
        ends.sort()
        joined = xp.zeros(1, "int32")
        match(len(ends), clusters, ends, sizes, most, *scratch, becomes, joined, barrier)
        cluster, found = becomes[cluster], int(device.get(joined)[0])
        left -= found
    return packed(xp, cluster, sizes, most)


def packed(xp, cluster, sizes, most):
    """Make one part of several small clusters in a row; return the part of each vertex and the number of parts."""
    small = 2 * sizes <= most
    row = xp.cumsum(sizes * small) // (most // 2 + 1)
    part = xp.where(small, row, len(sizes) + xp.arange(len(sizes)))[cluster]
    there = xp.zeros(2 * len(sizes), "int64")
    there[part] = 1
    number = xp.cumsum(there)
    return number[part] - 1, int(number[-1])


def cover(device, cover, part, arcs):
    """Choose vertices that cover all arcs between two parts."""
    xp, count = device.xp, len(part)
    ranks, best, chosen = xp.empty(count, "uint64"), xp.empty(count, "uint64"), xp.zeros(count, "int32")
    cover = together(cover, len(arcs[0]))
    cover(len(arcs[0]), count, *arcs, part, GREEDY, ranks, best, chosen, xp.zeros(1, "uint32"))
    return chosen > 0


def together(kernel, threads):
    return kernel.cooperative[min(kernel.resident_blocks(BLOCK), blocks_for(threads, BLOCK)), BLOCK]


def pairs(xp, sizes):
    """Return all ordered pairs of members of a group, for groups of these sizes one after the other."""
    ends, squares = xp.cumsum(sizes), xp.cumsum(sizes**2)
    number = xp.arange(int(squares[-1]))
    group = xp.searchsorted(squares, number, side="right")
    number += (sizes**2 - squares)[group]
    begin, size = (ends - sizes)[group], sizes[group]
    return begin + number // size, begin + number % size


# ---- the place of everything


class Level(NamedTuple):
    first: int  # front
    fronts: int
    tiles: int  # of the largest front, a side
    vertices: int  # of this level and those above
    separators: int  # of the levels above
    lifted: Any  # where in the pool arcs of levels above are found,
    lifted_to: Any  # and where they belong


class Plan(NamedTuple):
    levels: list
    fronts: Any  # a row for each, as eliminated.cu's Front, on the host
    places: Any  # of the arcs in the pool
    core: Any  # the vertices above the lowest level, in the order of the core: the highest level first
    core_pitch: int
    lowest: Any  # the vertices of the lowest level, front by front
    starts: Any  # where in `lowest` each front's vertices begin, and the length, on the host
    own: Any  # for each member of a front its place in the core, or in `lowest`
    given: Any  # the same; of the members of fronts of the lowest level their numbers in the graph
    sources: Any  # for each vertex its place in `lowest`, or -1 - that in the core
    pool: int  # entries


def lay_out(device, dissection, arcs, number):
    """Give each front, each of the first `number` arcs and each vertex its place on the device."""
    import numpy as np

    xp, (front, firsts, counts, boundaries) = device.xp, dissection
    n, separators = len(front), counts[1]
    keys = xp.concatenate([2 * front * n + xp.arange(n), *boundaries])
    keys.sort()  # front by front: inside, then boundary
    members, halves = keys % n, xp.searchsorted(keys, xp.arange(2 * firsts[-1] + 1) * n)
    first_member, inside, boundary = halves[:-1:2], xp.diff(halves)[::2], xp.diff(halves)[1::2]
    pitches = -(-(inside + boundary) // TILE) * TILE
    begins = xp.cumsum(pitches**2) - pitches**2

    def entry(tail, head, at=None):
        """Return where the pool has a distance, by default in the front in which the first of the two goes."""
        at = xp.minimum(front[tail], front[head]) if at is None else at
        finds = (xp.searchsorted(keys, (2 * at + (front[end] != at)) * n + end) for end in (tail, head))
        row, column = (found - first_member[at] for found in finds)
        return begins[at] + row * pitches[at] + column

    order = members[keys // n % 2 == 0]
    core, lowest = order[n - separators :][::-1], order[: n - separators]
    place = xp.empty(n, "int64")
    place[core], place[lowest] = xp.arange(separators), xp.arange(n - separators)
    levels = []
    fronts = device.get(xp.stack([begins, pitches, inside, boundary, first_member], axis=1))
    for level, bounds in enumerate(boundaries):
        first, end = firsts[level : level + 2]
        one, other = pairs(xp, boundary[first:end])
        tail, head = (bounds % n)[one], (bounds % n)[other]
        lifts = entry(tail, head, (bounds // (2 * n))[one]), entry(tail, head)
        tiles = int(fronts[first:end, 1].max()) // TILE
        levels.append(Level(first, end - first, tiles, *counts[level : level + 2], *lifts))
    return Plan(
        levels=levels,
        fronts=fronts,
        places=entry(*(end[:number] for end in arcs)),
        core=core.astype("int32"),
        core_pitch=-(-max(1, separators) // TILE) * TILE,
        lowest=lowest,
        starts=np.concatenate([[0], np.cumsum(fronts[: firsts[1], 2])]),
        own=place[members].astype("int32"),
        given=xp.where(keys < 2 * firsts[1] * n, members, place[members]).astype("int32"),
        sources=xp.where(front < firsts[1], place, -1 - place).astype("int32"),
        pool=int((fronts[:, 1] ** 2).sum()),
    )
