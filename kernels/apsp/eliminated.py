"""All-pairs shortest paths on graphs with small separators: parts by METIS, elimination over min and +."""

import functools
import itertools
import math
from typing import Any, NamedTuple

from warpath.algorithms import UNREACHABLE, Solution, algorithm, answer_matrix, blocks_for

PART, PART_ABOVE = 100, 256  # vertices of a part, on the lowest level at most, and on the levels above
DENSE = 2048  # so many separators are one part
SHRINKS = 0.75  # if more than this share of its vertices are separators, a level is one part
MOST = 1000  # relaxations a distance, above which apsp/batched is faster
TILE, SPAN, ROWS, BLOCK = 64, 1024, 64, 256  # as in eliminated.cu
SLAB = 2 << 30  # bytes of rows in work at once, where the whole matrix does not fit the device


@algorithm()
def eliminated(device, graph, launch):
    """Shortest paths between separators of nested parts, then rows of the answer as products with a part's boundary."""
    n, pitch = graph.vertices, -(-graph.vertices // 32) * 32
    names = "place", "lift", "close", "extend_columns", "extend_rows", "relax_within", "unfold"
    kernels = Kernels(*device.kernels(__file__, *names))
    tails, heads = arcs_of(device, graph)
    plan = lay_out(dissect(graph.name, n, tails, heads), tails, heads)
    fits = 4 * (n * pitch + plan.words) <= 0.9 * device.memory
    separators, empty = len(plan.core), device.xp.empty
    matrix = None if fits else answer_matrix(n)
    table = empty((n if fits else max(1, separators), pitch), "uint32")
    slab = None if fits else empty((max(SLAB // (4 * pitch), plan.inside.max()), pitch), "uint32")
    down = Descent(device, graph, kernels, plan, table, whole=fits)

    def solve(sources=None):
        for step in down.steps:
            step()
        if fits:
            return Solution(table[:, :n], iterations=len(plan.levels))
        if separators:
            matrix[plan.core] = device.get(table)[:, :n]
        for rows, extend in down.slabs(slab):
            extend()
            matrix[rows] = device.get(slab)[: len(rows), :n]
        return Solution(matrix, iterations=len(plan.levels))

    return solve


class Kernels(NamedTuple):
    place: Any
    lift: Any
    close: Any
    extend_columns: Any
    extend_rows: Any
    relax_within: Any
    unfold: Any


class Descent:
    """The launches of a solve with their arguments. `table` gets the rows of all vertices if `whole`, else the core's."""

    def __init__(self, device, graph, kernels, plan, table, whole):
        self._kernels, self._plan, self._table = kernels, plan, table
        put, empty, size = device.put, device.xp.empty, len(plan.core)
        self._fronts, self._columns, self._rows = map(
            put, (plan.fronts, plan.columns, plan.rows_whole if whole else plan.rows)
        )
        self._pool = empty(max(1, plan.pool), "uint32")
        core = empty((max(1, size), plan.core_pitch), "uint32")
        ids = put(plan.core) if size else None
        barrier = device.xp.zeros(1, "uint32")
        steps = [functools.partial(self._pool.fill, UNREACHABLE), functools.partial(core.fill, UNREACHABLE)]
        if graph.arcs:
            place = kernels.place[min(blocks_for(graph.arcs, BLOCK), 8 * device.multiprocessors), BLOCK]
            steps.append(functools.partial(place, graph.arcs, put(plan.places), graph.weights, self._pool))
        resident = kernels.close.resident_blocks(BLOCK)
        for level in plan.levels:
            close = kernels.close.cooperative[min(resident, level.fronts * level.tiles**2), BLOCK]
            arguments = self._fronts, level.first, level.fronts, level.tiles, self._pool, barrier
            steps.append(functools.partial(close, *arguments))
            if len(level.lift):
                lift = kernels.lift[min(blocks_for(len(level.lift), BLOCK), 8 * device.multiprocessors), BLOCK]
                steps.append(functools.partial(lift, len(level.lift), put(level.lift), put(level.lifted), self._pool))
        for level in reversed(plan.levels[1:]):
            steps += self._columns_of(level, core, None, core)
            steps += self._rows_of(level.first, level.fronts, level.vertices, core, core, 0)
        lowest = plan.levels[0]
        if size:
            where = ids if whole else None
            unfold = kernels.unfold[min(size, 16 * device.multiprocessors), BLOCK]
            steps.append(
                functools.partial(
                    unfold, size, graph.vertices, core, plan.core_pitch, where, ids, table, table.shape[1]
                )
            )
            steps += self._columns_of(lowest, core, where, table)
        if whole:
            steps += self._rows_of(lowest.first, lowest.fronts, graph.vertices, table, table, 0)
        self.steps = steps

    def _columns_of(self, level, core, rows, out):
        if not level.separators:
            return []
        extend = self._kernels.extend_columns[(level.fronts, blocks_for(level.separators, ROWS)), BLOCK // 2]
        where = self._fronts, level.first, level.separators, self._columns, self._pool
        return [functools.partial(extend, *where, core, core.shape[1], rows, out, out.shape[1])]

    def _rows_of(self, first, fronts, columns, known, out, first_row):
        extend = self._kernels.extend_rows[(blocks_for(columns, SPAN), fronts), BLOCK]
        relax = self._kernels.relax_within[(fronts, 16), BLOCK]
        where = out, out.shape[1], first_row
        return [
            functools.partial(
                extend, self._fronts, first, columns, self._rows, self._pool, known, known.shape[1], *where
            ),
            functools.partial(relax, self._fronts, first, self._rows, self._columns, self._pool, *where),
        ]

    def slabs(self, slab):
        """Yield vertices of the lowest level, as many as `slab` has rows for, and what computes their rows in it."""
        plan, first, lowest = self._plan, 0, self._plan.levels[0]
        while first < lowest.fronts:
            end = plan.starts.searchsorted(plan.starts[first] + len(slab), side="right") - 1
            at = int(plan.starts[first])
            steps = self._rows_of(first, int(end) - first, plan.vertices, self._table, slab, at)
            yield plan.lowest[at : plan.starts[end]], lambda steps=steps: [step() for step in steps]
            first = int(end)


# ---- parts and separators


class Dissection(NamedTuple):
    front: Any  # the front in which each vertex is inside; fronts are numbered level by level
    firsts: list  # the first front of each level, and the number of all
    boundary: Any  # front * vertices + vertex for every vertex on the boundary of a front, ascending


def arcs_of(device, graph):
    """Return the tails and heads of all arcs on the host."""
    import numpy as np

    offsets, heads = device.get(graph.offsets), device.get(graph.targets)
    return np.repeat(np.arange(graph.vertices), np.diff(offsets)), heads.astype(np.int64)


def dissect(name, n, tails, heads):
    """Divide the vertices into parts and separators, these again, and so on until one part is left."""
    import numpy as np

    vertices, a, b = np.arange(n), np.concatenate([tails, heads]), np.concatenate([heads, tails])
    front, firsts, boundaries, work = np.empty(n, np.int64), [0], [], Work(name, n)
    while len(vertices):
        part, separates = divide(len(vertices), a, b, len(firsts) == 1)
        numbers, of_inside = np.unique(part[~separates], return_inverse=True)
        number = np.full(len(vertices), -1)
        number[~separates] = firsts[-1] + of_inside
        front[vertices] = number  # separators get theirs on a level above
        crosses = ~separates[a] & separates[b]
        boundary = np.unique(number[a[crosses]] * n + vertices[b[crosses]])
        sizes = np.bincount(boundary // n - firsts[-1], minlength=len(numbers))
        work.add(len(vertices), int(separates.sum()), np.bincount(of_inside), sizes)

        above = np.cumsum(separates) - 1
        members = above[np.searchsorted(vertices, boundary % n)]
        first, second = pairs(sizes)
        remains = separates[a] & separates[b]
        a = np.concatenate([above[a[remains]], members[first]])
        b = np.concatenate([above[b[remains]], members[second]])
        vertices = vertices[separates]
        firsts.append(firsts[-1] + len(numbers))
        boundaries.append(boundary)
    return Dissection(front, firsts, np.concatenate(boundaries))


class Work:
    """Relaxations and memory of what has been divided so far."""

    def __init__(self, name, n):
        self._name, self._vertices, self.relaxations, self.words = name, n, 0.0, 0.0

    def add(self, vertices, separators, inside, boundary):
        """Add a level; refuse the graph if that makes it more than another algorithm takes."""
        from warpath.devices.errors import UnsupportedLaunch

        padded = (-(-(inside + boundary) // TILE) * TILE).astype(float)
        self.relaxations += float(inside @ boundary) * (vertices + separators) + (padded**3).sum()
        self.words += (padded**2).sum()
        n = self._vertices
        if n > DENSE and self.relaxations > MOST * n**2:
            raise UnsupportedLaunch(
                f"graph {self._name} has large separators ({separators:,} of {vertices:,} vertices): elimination would "
                f"take {self.relaxations:.2g} relaxations or more, {self.relaxations / n**2:,.0f} a distance where "
                f"{MOST:,} are worth it, and {4e-9 * (self.words + separators**2):.2g} GB beside the answer; "
                "use apsp/batched"
            )


def divide(count, a, b, lowest):
    """Return the part of each vertex, and whether it separates parts: those cover all arcs between two parts."""
    import numpy as np

    size = min(PART, math.isqrt(count)) if lowest else PART_ABOVE
    part = np.zeros(count, np.int64)
    if count > size and (lowest or count > DENSE):
        part = parts(count, a, b, blocks_for(count, size))
    cut = (part[a] != part[b]) & (a < b)
    separates = cover(count, a[cut], b[cut])
    if separates.sum() > SHRINKS * count:
        return np.zeros(count, np.int64), np.zeros(count, bool)
    return part, separates


def parts(count, a, b, number):
    """Return the part of each vertex, by METIS."""
    import numpy as np

    from warpath.foundation.errors import UserError

    try:
        import pymetis
    except ImportError:
        raise UserError("apsp/eliminated needs pymetis, which is not installed: pip install pymetis") from None
    arcs = np.unique((a * count + b)[a != b])
    begins = np.searchsorted(arcs, np.arange(count + 1) * count)
    _, part = pymetis.part_graph(number, pymetis.CSRAdjacency(begins.astype(np.int32), (arcs % count).astype(np.int32)))
    return np.asarray(part, np.int64)


def cover(count, a, b):
    """Choose vertices that cover these edges: again and again those with more edges left than their neighbours."""
    import numpy as np

    chosen, order = np.zeros(count, bool), np.arange(count)[::-1]
    while len(a):
        rank = np.bincount(np.concatenate([a, b]), minlength=count) * count + order
        best = np.zeros(count, np.int64)
        np.maximum.at(best, a, rank[b])
        np.maximum.at(best, b, rank[a])
        chosen |= (rank >= count) & (rank > best)
        left = ~(chosen[a] | chosen[b])
        a, b = a[left], b[left]
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
    lift: Any  # where in the pool arcs of levels above are found,
    lifted: Any  # and where they belong


class Plan(NamedTuple):
    vertices: int
    levels: list
    fronts: Any  # a row for each, as eliminated.cu's Front
    inside: Any  # numbers of vertices inside
    places: Any  # of the arcs in the pool
    core: Any  # all vertices above the lowest level, in the order of the core: the highest first
    core_pitch: int
    lowest: Any  # the vertices of the lowest level, front by front
    starts: Any  # where in `lowest` each front's begin, and the length
    columns: Any  # of the members of fronts: of vertices in the core those of the core
    rows: Any  # the same; of those inside fronts of the lowest level numbers in `lowest`
    rows_whole: Any  # rows where the answer has all, for fronts of the lowest level
    pool: int  # entries
    words: int  # of all but the answer


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
    position = np.full(n, -1)
    position[core] = np.arange(len(core))
    lowest = np.argsort(front, kind="stable")[: n - len(core)]
    running = position.copy()
    running[lowest] = np.arange(len(lowest))
    members, core_pitch = keys % n, -(-len(core) // TILE) * TILE + TILE
    in_core = np.where(position[members] < 0, members, position[members])
    levels = []
    for number, (first, end) in enumerate(itertools.pairwise(firsts)):
        within = slice(*np.searchsorted(boundary, [first * n, end * n]))
        lift, lifted = lifts(boundary[within] // n, boundary[within] % n, fronts, entry)
        tiles, vertices = int(pitches[first:end].max()) // TILE, int((level >= number).sum())
        levels.append(Level(first, end - first, tiles, vertices, int((level > number).sum()), lift, lifted))
    return Plan(
        vertices=n,
        levels=levels,
        fronts=fronts,
        inside=inside,
        places=entry(tails, heads),
        core=core.astype(np.int32),
        core_pitch=core_pitch,
        lowest=lowest,
        starts=np.concatenate([[0], np.cumsum(inside[: firsts[1]])]),
        columns=in_core.astype(np.int32),
        rows=running[members].astype(np.int32),
        rows_whole=np.where(keys // n < firsts[1], members, in_core).astype(np.int32),
        pool=int((pitches**2).sum()),
        words=int((pitches**2).sum()) + len(core) * core_pitch + 2 * len(tails),
    )


def lifts(front, vertex, fronts, entry):
    """Return where the pool has the distances within the boundaries of a level's fronts, and where they belong."""
    import numpy as np

    _, sizes = np.unique(front, return_counts=True)
    first, second = pairs(sizes)
    begins, pitches, inside = fronts[front[first], :3].T
    slots = np.arange(len(front)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return begins + (inside + slots[first]) * pitches + inside + slots[second], entry(vertex[first], vertex[second])
