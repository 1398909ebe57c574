"""Pathak 2021, section 5.3, after Katz and Kider 2008: Floyd-Warshall in three phases over tiles in shared memory."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, blocks_for, sweep, triples

WIDEST_SIDE = 32  # a block has at most 32 x 32 threads; in larger tiles a thread has several elements


@algorithm(paper="pathak2021", launches=sweep(tile=[8, 16, 32, 64]), bound=triples)
def fw_blocked(device, graph, launch):
    """A tile of k at a time: the primary tile, then its row and column of tiles, then all others."""
    n, arcs, tile = graph.vertices, (graph.offsets, graph.targets, graph.weights), launch.tile
    phases = "independent", "partially_dependent", "doubly_dependent"
    set_arcs, *phases = device.kernels(__file__, "set_arcs", *phases, tile=tile)
    tiles, side = blocks_for(n, tile), min(tile, WIDEST_SIDE)
    width = tiles * tile
    set_arcs = set_arcs[blocks_for(n, 256), 256]
    grids = 1, (tiles, 2), (tiles, tiles)
    phases = [phase[grid, (side, side)] for phase, grid in zip(phases, grids, strict=True)]
    matrix = device.xp.empty((width, width), "uint32")

    def solve(sources=None):
        matrix.fill(UNREACHABLE)
        set_arcs(n, width, *arcs, matrix)
        for primary in range(tiles):
            for phase in phases:
                phase(primary, width, matrix)
        return Solution(matrix[:n, :n], iterations=tiles)

    return solve
