"""Algorithms: launch spaces, the files under kernels/ that describe them, and their discovery.

Authors of algorithms import what they need from this package.
"""

from warpath.algorithms.bounds import triples
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
    time_search,
)
