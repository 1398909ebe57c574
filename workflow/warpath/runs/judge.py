"""The judge of answers, chosen by graph and problem: SciPy, or a certificate where SciPy would take long.

SciPy's distances also show whether all of them fit 31 bits; if not, the graph is refused. There, a certificate would
call every answer wrong. So it judges only where a bound, which takes much less time, shows that all distances fit.
"""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.base import processor
from warpath.base.problems import BFS, SSSP
from warpath.graphs import breadth_first

SCIPY, CERTIFICATE = "scipy", "certificate"

MOST_LEVELS = 64  # that searches from all rows go on together; deeper graphs are sparse, and trees take less

# Nanoseconds that SciPy's search from one source takes per arc and per vertex, measured on one core of a Xeon: within a
# factor of 1.7 on R-MAT and uniform graphs of 30 to 130 M arcs; grids take a quarter.
COSTS = {BFS: (3, 250), SSSP: (12, 800)}


def scipy_seconds(graph, problem, rows):
    """Predict the time of SciPy's searches from these rows in one process; 0 for all pairs, whose judge is SciPy."""
    per_arc, per_vertex = COSTS.get(problem, (0, 0))
    return len(rows) * (graph.arcs * per_arc + graph.vertices * per_vertex) / 1e9


def bound(graph, problem, rows):
    """Bound the distances from these rows; a bound of UNREACHABLE or more says nothing."""
    heaviest = math.ceil(graph.max_weight) if problem.weighted else 1
    simple_path = (graph.vertices - 1) * heaviest
    if simple_path < UNREACHABLE:
        return simple_path
    levels = breadth_first.depth(graph, rows, MOST_LEVELS)  # as if all arcs of a path had the largest weight
    if levels is not None and levels * heaviest < UNREACHABLE:
        return levels * heaviest
    return _bound_by_trees(graph, rows)


def _bound_by_trees(graph, rows):
    """Bound the distances by breadth-first trees; in an undirected graph there is a way through the root."""
    if graph.directed:
        with ThreadPoolExecutor(processor.cores()) as pool:
            return max(pool.map(lambda row: int(breadth_first.lengths(graph, row).max()), rows))
    longest, reached = 0, np.zeros(graph.vertices, bool)
    for row in rows:
        if not reached[row]:
            lengths = breadth_first.lengths(graph, row)
            reached |= lengths >= 0
            longest = max(longest, int(lengths.max()))
    return 2 * longest
