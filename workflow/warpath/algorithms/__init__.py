"""Algorithms: problems, launches, how a file under kernels/ describes one, and how those files are found.

What the author of an algorithm needs is imported from here.
"""

from warpath.algorithms.description import algorithm
from warpath.algorithms.launches import BLOCK_SIZES, CONFIGURATIONS, configurations, sweep
from warpath.algorithms.toolkit import (
    NOBODY,
    UNREACHABLE,
    Laps,
    Solution,
    answer_matrix,
    blocks_for,
    reset,
    rounds_until_unchanged,
)

__all__ = [
    "BLOCK_SIZES",
    "CONFIGURATIONS",
    "NOBODY",
    "UNREACHABLE",
    "Laps",
    "Solution",
    "algorithm",
    "answer_matrix",
    "blocks_for",
    "configurations",
    "reset",
    "rounds_until_unchanged",
    "sweep",
]
