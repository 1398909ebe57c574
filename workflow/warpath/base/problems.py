"""The three problems that algorithms solve, and how they differ."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    name: str
    title: str
    weighted: bool  # arcs have lengths; otherwise each counts as one hop
    all_pairs: bool  # an answer is a matrix; otherwise it is one row, the distances from one source


BFS = Problem("bfs", "breadth-first search", weighted=False, all_pairs=False)
SSSP = Problem("sssp", "single-source shortest paths", weighted=True, all_pairs=False)
APSP = Problem("apsp", "all-pairs shortest paths", weighted=True, all_pairs=True)

# All-pairs answers are checked on every row up to this many vertices, beyond on as many rows spread evenly.
CHECKED_ROWS = 1024

PROBLEMS = {problem.name: problem for problem in (BFS, SSSP, APSP)}
