"""Blocked Floyd-Warshall near the rate of the add-min instruction, in 32 bits or packed in 16."""

from warpath.algorithms import Solution, algorithm, blocks_for, sweep, triples

TILE = 128  # rows of a tile and 32-bit words of each
BLOCK = 256 + 128  # threads that compute, and that copy
UNROLL = 16  # of the loop over columns and rows that are multiplied
TICKETS = 2**32  # a step takes fewer than the tiles of a matrix with two more rows and columns of tiles
SATURATED = 2**15 - 1  # a 16-bit distance of this or more


def packed_triples(vertices, arcs, parameters):
    """Count instructions: one relaxes as many triples as distances fit in 32 bits."""
    work = triples(vertices, arcs, parameters)
    return work._replace(amount=work.amount * parameters["width"] / 32)


@algorithm(launches=sweep(width=[32, 16], tile=[64, 128]), bound=packed_triples)
def fw_tiled(device, graph, launch):
    """One launch in which blocks draw tiles; `tile` vertices a step; `width` 16 where that is proven to be exact."""
    n, longest = graph.vertices, (graph.vertices - 1) * graph.max_weight
    wide = Closure(device, graph, 32, launch.tile)
    if launch.width == 32 or graph.max_weight >= SATURATED:
        close = wide.compute
    else:
        narrow = Closure(device, graph, 16, launch.tile)
        largest = device.xp.empty(1, "uint32")
        (widen,) = device.kernels(__file__, "widen", **constants(16, launch.tile))
        widen = widen[min(n, 16 * device.multiprocessors), 256]

        def close():
            narrow.compute(largest)
            widen(n, narrow.row_words, narrow.matrix, wide.row_words, wide.matrix, largest)
            if longest >= SATURATED:  # the kernels return at once if the largest distance is below the limit
                wide.compute(largest, SATURATED - graph.max_weight)

    def solve(sources=None):
        close()
        return Solution(wide.matrix[:n, :n], iterations=wide.steps)

    return solve


def constants(width, pivot):
    return {"width": width, "pivot": pivot, "block": BLOCK, "tile": TILE, "unroll": UNROLL}


class Closure:
    """The matrix in words of one width, and the two launches that compute it."""

    def __init__(self, device, graph, width, pivot):
        from warpath.devices.errors import UnsupportedLaunch

        n, pack, empty = graph.vertices, 32 // width, device.xp.empty
        rows, columns = blocks_for(n, TILE), blocks_for(n, TILE * pack)
        self.steps, self.row_words = blocks_for(n, pivot), columns * TILE
        if (self.steps + 1) * (rows + 2) * (columns + 2) >= TICKETS:
            raise UnsupportedLaunch(f"{n:,} vertices in steps of {pivot}: more tiles than 32 bits can number")
        self.matrix = empty((rows * TILE, self.row_words), "uint32")
        panels = empty(2 * (rows + columns) * pivot * TILE, "uint32")
        pivots = empty(self.steps * 2 * pivot * pivot, "uint32")
        signals = empty(2 + rows + columns + self.steps + rows * columns, "int32")
        place, closure = device.kernels(__file__, "place", "floyd_warshall", **constants(width, pivot))
        shared = (2 * pivot + TILE) * TILE * 4  # the columns and rows that are multiplied, and a tile
        self._place = place[min(rows * TILE, 16 * device.multiprocessors), 256]
        self._closure = closure[closure.resident_blocks(BLOCK, shared), BLOCK, shared]
        arcs = graph.offsets, graph.targets, graph.weights
        self._places = n, rows * TILE, self.row_words, *arcs, self.matrix, signals.size, signals
        self._tasks = rows, columns, self.steps, self.matrix, panels, pivots, signals

    def compute(self, largest=None, limit=0):
        """Compute the matrix: in 32 bits only if `*largest` reaches the limit; in 16 bits clear `*largest` first."""
        self._place(*self._places, largest, limit)
        self._closure(*self._tasks, largest, limit)
