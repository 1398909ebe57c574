"""The table of the GAP Benchmark Suite compares like with like."""

import pandas as pd
import pytest

from warpath.results import select
from warpath.results.figures import gap_suite


@pytest.mark.parametrize(
    ("problem", "tree", "expected"), [("bfs", 20.0, 5), ("bfs", None, 10), ("sssp", 20.0, 10), ("sssp", None, 10)]
)
def test_a_bfs_is_compared_with_its_tree_as_the_suite_asks_for_parents(monkeypatch, problem, tree, expected):
    keys = "graph stand_in_for arcs algorithm launch sources device device_name flags status teps percent_of_limit"
    run = dict.fromkeys([*keys.split(), "directed"], 1) | {"problem": problem, "graph": "gap-kron", "stand_in_for": ""}
    monkeypatch.setattr(select, "samples", lambda timings, run: {0: [9.0, 10.0, 11.0]})
    printed = pd.Series({("gap-kron", f"{problem}/gap"): 100.0})
    row = gap_suite._row(None, run, {(problem, "gap-kron"): tree} if tree else {}, printed)
    assert row["over_gap"] == expected
