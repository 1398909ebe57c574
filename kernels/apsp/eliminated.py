"""All-pairs shortest paths on graphs with small separators: parts by METIS, elimination over min and +."""

import itertools
import math
from functools import partial
from typing import Any, NamedTuple

from warpath.algorithms import UNREACHABLE, Solution, algorithm, answer_matrix, blocks_for

PART, PART_ABOVE = 100, 512  # vertices of a part, on the lowest level at most, and on the levels above
DENSE = 2048  # so many separators are one part
SHRINKS = 0.75  # if more than this share of its vertices are separators, a level is one part
PAIRS = 32  # pairs on the boundary of a part, for each vertex of the graph: with more, separators are one part
GREEDY = 6  # rounds in which separators are chosen one by one
MOST = 256  # relaxations a distance, above which apsp/batched is faster
METIS_ARCS = 2**31 - 1  # most arcs, both directions of each, that METIS numbers
SIZES = {"tile": 64, "block": 256, "rows": 64, "height": 128}
TILE, BLOCK, ROWS, HEIGHT = SIZES.values()
TURNED = 32, HEIGHT  # columns and rows of a tile of `turn`
FITS = 0.75  # of the device's memory, for an answer that stays there
SLAB = 2 << 30  # bytes of rows in work at once, where the whole matrix does not fit the device


@algorithm()
def eliminated(device, graph, launch):
    """Shortest paths between separators of nested parts, then rows of the answer as products with a part's boundary."""
    require_numbers(graph)
    n, pitch, empty = graph.vertices, -(-graph.vertices // 32) * 32, device.xp.empty
    kernels = Kernels(*device.kernels(__file__, *Kernels._fields, **SIZES))
    fits = 4 * n * pitch <= FITS * device.memory
    matrix = None if fits else answer_matrix(n)
    tails, heads = arcs_of(device, graph)
    plan = lay_out(dissect(graph.name, n, tails, heads), tails, heads)
    table = empty((n if fits else max(1, len(plan.core)), pitch), "uint32")
    slab = None if fits else empty((max(SLAB // (4 * pitch), plan.fronts[:, 2].max()), pitch), "uint32")
    steps = Steps(device, graph, kernels, plan, table)
    steps.eliminate()
    for level in reversed(plan.levels[1:]):
        steps.extend_core(level)
    steps.extend_table(whole=fits)

    def solve(sources=None):
        for step in steps.steps:
            step()
        if fits:
            return Solution(table[:, :n], iterations=len(plan.levels))
        matrix[plan.core] = device.get(table)[: len(plan.core), :n]
        for vertices, some in steps.slabs(slab):
            for step in some:
                step()
            matrix[vertices] = device.get(slab)[: len(vertices), :n]
        return Solution(matrix, iterations=len(plan.levels))

    return solve


class Kernels(NamedTuple):
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
        self._fronts, self._own, self._given = map(device.put, (plan.fronts, plan.own, plan.given))
        self._pool, self._table = device.xp.empty(max(1, plan.pool), "uint32"), table
        # Vectors at the end of a row read what no solve writes.
        shape = max(1, len(plan.core)), plan.core_pitch
        self._core = device.xp.full(shape, UNREACHABLE, "uint32")
        self._back = device.xp.full(shape, UNREACHABLE, "uint32") if graph.directed else self._core  # the transpose

    def eliminate(self):
        """Close the fronts, level by level."""
        kernels, plan, graph, put = self._kernels, self._plan, self._graph, self._device.put
        self.steps.append(partial(self._pool.fill, UNREACHABLE))
        if arcs := graph.arcs:
            place = self._over(kernels.place, arcs)
            self.steps.append(partial(place, arcs, put(plan.places), graph.weights, self._pool))
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
                self.steps.append(partial(lift, lifted, put(level.lifted), put(level.lifted_to), self._pool))

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
        plan, n, put, pitch = self._plan, self._graph.vertices, self._device.put, self._table.shape[1]
        fronts, core, back, table = range(plan.levels[0].fronts), len(plan.core), self._back, self._table
        if core:
            onward = self._device.xp.empty((n - core, plan.core_pitch), "uint32")
            self.steps.append(self._extended(fronts, core, Operands(self._own, back, onward), backward=True))
            turn = self._kernels.turn[tuple(map(blocks_for, (pitch, core), TURNED)), BLOCK]
            given = put(plan.sources), onward, plan.core_pitch, back, plan.core_pitch
            rows = put(plan.core) if whole else None
            self.steps.append(partial(turn, 0, pitch, n, core, *given, rows, table, pitch))
        if whole:
            self.steps += self._rows(fronts, n, Operands(self._given, table, table))

    def slabs(self, slab):
        """Yield vertices of the lowest level, as many as `slab` has rows for, and the steps that fill these rows."""
        plan, first = self._plan, 0
        while first < plan.levels[0].fronts:
            end = int(plan.starts.searchsorted(plan.starts[first] + len(slab), side="right")) - 1
            operands = Operands(self._own, self._table, slab, int(plan.starts[first]))
            rows = self._rows(range(first, end), self._graph.vertices, operands)
            yield plan.lowest[plan.starts[first] : plan.starts[end]], rows
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
    boundary: Any  # front * vertices + vertex for every vertex on the boundary of a front, ascending


def require_numbers(graph):
    """Refuse a graph that METIS cannot number, before anything is allocated."""
    from warpath.devices.errors import UnsupportedLaunch

    arcs = graph.arcs * (2 if graph.directed else 1)
    if arcs > METIS_ARCS:
        raise UnsupportedLaunch(
            f"graph {graph.name} has {arcs:,} arcs, both directions counted; METIS, which divides it, numbers at most "
            "2^31 - 1; use apsp/batched"
        )


def arcs_of(device, graph):
    """Return the tails and heads of all arcs on the host."""
    import numpy as np

    offsets, heads = device.get(graph.offsets), device.get(graph.targets)
    return np.repeat(np.arange(graph.vertices), np.diff(offsets)), heads.astype(np.int64)


def dissect(name, n, tails, heads):
    """Divide the vertices into parts and separators, these again, and so on until one part is left."""
    import numpy as np

    vertices, part, a, b = np.arange(n), None, np.concatenate([tails, heads]), np.concatenate([heads, tails])
    front, firsts, boundaries, work, dense = np.empty(n, np.int64), [0], [], Work(name, n), False
    while len(vertices):
        part, separates = undivided(len(vertices)) if dense else divide(len(vertices), a, b, part)
        numbers, of_inside = np.unique(part[~separates], return_inverse=True)
        number = np.full(len(vertices), -1)
        number[~separates] = firsts[-1] + of_inside
        front[vertices] = number  # separators get theirs on a level above
        crosses = ~separates[a] & separates[b]
        boundary = np.unique(number[a[crosses]] * n + vertices[b[crosses]])
        sizes = np.bincount(boundary // n - firsts[-1], minlength=len(numbers))
        work.add(len(vertices), int(separates.sum()), np.bincount(of_inside), sizes)

        above = np.cumsum(separates) - 1
        members, dense = above[np.searchsorted(vertices, boundary % n)], sizes @ sizes > PAIRS * n
        first, second = pairs(sizes * (not dense))
        remains = separates[a] & separates[b]
        a = np.concatenate([above[a[remains]], members[first]])
        b = np.concatenate([above[b[remains]], members[second]])
        vertices, part = vertices[separates], part[separates]
        firsts.append(firsts[-1] + len(numbers))
        boundaries.append(boundary)
    return Dissection(front, firsts, np.concatenate(boundaries))


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


def divide(count, a, b, below):
    """Return the part of each vertex, and whether it separates parts: separators cover all arcs between two parts.

    `below` is the part of the level below in which each vertex was; a part has all of those, or none.
    """
    import numpy as np

    if below is None:
        part = partition(count, a, b, None, blocks_for(count, min(PART, math.isqrt(count))))
    else:
        numbers, of_vertex = np.unique(below, return_inverse=True)
        number = min(blocks_for(count, PART_ABOVE), len(numbers) // 2) if count > DENSE else 1
        part = partition(len(numbers), of_vertex[a], of_vertex[b], np.bincount(of_vertex), number)[of_vertex]
    cut = (part[a] != part[b]) & (a < b)
    separates = cover(count, a[cut], b[cut])
    return undivided(count) if separates.sum() > SHRINKS * count else (part, separates)


def undivided(count):
    import numpy as np

    return np.zeros(count, np.int64), np.zeros(count, bool)


def partition(count, a, b, sizes, number):
    """Return the part of each vertex, of `number` parts with few arcs between them, by METIS."""
    import numpy as np

    from warpath.base.errors import UserError

    if number <= 1:
        return np.zeros(count, np.int64)
    try:
        import pymetis
    except ImportError:
        raise UserError("apsp/eliminated needs pymetis, which is not installed: pip install pymetis") from None
    arcs, weights = np.unique((a * count + b)[a != b], return_counts=True)
    begins = np.searchsorted(arcs, np.arange(count + 1) * count)
    adjacency = pymetis.CSRAdjacency(begins.astype(np.int32), (arcs % count).astype(np.int32))
    weighted = {} if sizes is None else {"vweights": sizes.astype(np.int32), "eweights": weights.astype(np.int32)}
    return np.asarray(pymetis.part_graph(number, adjacency, **weighted).vertex_part, np.int64)


def cover(count, a, b):
    """Choose vertices that cover these edges: a few times those with more edges left than each of their neighbours.

    Of each edge that is left after that, choose the end with more edges.
    """
    import numpy as np

    def ranks():
        return np.bincount(np.concatenate([a, b]), minlength=count) * count + order

    chosen, order = np.zeros(count, bool), np.arange(count)[::-1]
    for _ in range(GREEDY):
        rank, best = ranks(), np.zeros(count, np.int64)
        np.maximum.at(best, a, rank[b])
        np.maximum.at(best, b, rank[a])
        chosen |= (rank >= count) & (rank > best)
        left = ~(chosen[a] | chosen[b])
        a, b = a[left], b[left]
    rank = ranks()
    chosen[np.where(rank[a] > rank[b], a, b)] = True
    return chosen


def pairs(sizes):
    """Return all ordered pairs of two different members of a group, for groups of these sizes one after the other."""
    import numpy as np

    partners = np.repeat(sizes, sizes)
    first = np.repeat(np.arange(len(partners)), partners)
    begins = np.repeat(np.repeat(np.cumsum(sizes) - sizes, sizes), partners)
    second = begins + np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners)
    differ = first != second
    return first[differ], second[differ]


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
    fronts: Any  # a row for each, as eliminated.cu's Front
    places: Any  # of the arcs in the pool
    core: Any  # the vertices above the lowest level, in the order of the core: the highest level first
    core_pitch: int
    lowest: Any  # the vertices of the lowest level, front by front
    starts: Any  # where in `lowest` each front's vertices begin, and the length
    own: Any  # for each member of a front its place in the core, or in `lowest`
    given: Any  # the same; of the members of fronts of the lowest level their numbers in the graph
    sources: Any  # for each vertex its place in `lowest`, or -1 - that in the core
    pool: int  # entries


def lay_out(dissection, tails, heads):
    """Give each front, each arc and each vertex its place on the device."""
    import numpy as np

    front, firsts, boundary = dissection
    n, count = len(front), firsts[-1]
    inside = np.bincount(front, minlength=count)
    sizes = inside + np.bincount(boundary // n, minlength=count)
    pitches = -(-sizes // TILE) * TILE
    begins, members_from = (np.cumsum(each) - each for each in (pitches**2, sizes))
    fronts = np.stack([begins, pitches, inside, sizes - inside, members_from], axis=1)

    keys = np.concatenate([np.sort(front * n + np.arange(n)), boundary])
    keys = keys[np.argsort(keys // n, kind="stable")]  # front by front: inside, then boundary
    order = np.argsort(keys)
    slots, found = np.arange(len(keys)) - members_from[keys // n], keys[order]

    def entry(tail, head):
        """Where the pool has the distance between two vertices, in the front in which the first to go is inside."""
        at = np.minimum(front[tail], front[head])
        row, column = (slots[order[np.searchsorted(found, at * n + vertex)]] for vertex in (tail, head))
        return begins[at] + row * pitches[at] + column

    level = np.searchsorted(firsts, front, side="right") - 1
    core = np.flatnonzero(level)
    core = core[np.lexsort((core, front[core], -level[core]))]
    lowest = np.argsort(front, kind="stable")[: n - len(core)]
    place = np.empty(n, np.int64)
    place[core], place[lowest] = np.arange(len(core)), np.arange(len(lowest))
    members, core_pitch = keys % n, -(-max(1, len(core)) // TILE) * TILE
    levels = []
    for number, (first, end) in enumerate(itertools.pairwise(firsts)):
        within = slice(*np.searchsorted(boundary, [first * n, end * n]))
        lifted, lifted_to = lifts(boundary[within] // n, boundary[within] % n, fronts, entry)
        tiles, vertices = int(pitches[first:end].max()) // TILE, int((level >= number).sum())
        levels.append(Level(first, end - first, tiles, vertices, int((level > number).sum()), lifted, lifted_to))
    return Plan(
        levels=levels,
        fronts=fronts,
        places=entry(tails, heads),
        core=core.astype(np.int32),
        core_pitch=core_pitch,
        lowest=lowest,
        starts=np.concatenate([[0], np.cumsum(inside[: firsts[1]])]),
        own=place[members].astype(np.int32),
        given=np.where(keys // n < firsts[1], members, place[members]).astype(np.int32),
        sources=np.where(level > 0, -1 - place, place).astype(np.int32),
        pool=int((pitches**2).sum()),
    )


def lifts(front, vertex, fronts, entry):
    """Return where the pool has the distances within the boundaries of a level's fronts, and where they belong."""
    import numpy as np

    _, sizes = np.unique(front, return_counts=True)
    first, second = pairs(sizes)
    begins, pitches, inside = fronts[front[first], :3].T
    slots = np.arange(len(front)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return begins + (inside + slots[first]) * pitches + inside + slots[second], entry(vertex[first], vertex[second])
