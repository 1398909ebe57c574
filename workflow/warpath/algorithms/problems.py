"""The three problems that an algorithm can solve, and what sets them apart."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`weighted`: whether arcs have lengths; `all_pairs`: whether an answer is a matrix, or a row from one source."""

    name: str
    title: str
    weighted: bool
    all_pairs: bool


BFS = Problem("bfs", "breadth-first search", weighted=False, all_pairs=False)
SSSP = Problem("sssp", "single-source shortest paths", weighted=True, all_pairs=False)
APSP = Problem("apsp", "all-pairs shortest paths", weighted=True, all_pairs=True)

PROBLEMS = {problem.name: problem for problem in (BFS, SSSP, APSP)}
