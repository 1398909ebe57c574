"""The table of the GAP Benchmark Suite compares like with like."""

import numpy as np
import pandas as pd
import pytest

from warpath.results import select
from warpath.results.figures import gap_suite


@pytest.mark.parametrize(
    ("problem", "tree", "expected"), [("bfs", 20.0, 5), ("bfs", None, None), ("sssp", 20.0, 10), ("sssp", None, 10)]
)
def test_a_bfs_is_compared_with_its_tree_as_the_suite_asks_for_parents(monkeypatch, problem, tree, expected):
    row = _row(monkeypatch, problem, tree)
    assert (None if np.isnan(row["over_gap"]) else row["over_gap"]) == expected


def test_a_stand_in_is_compared_with_nothing(monkeypatch):
    assert np.isnan(_row(monkeypatch, "sssp", None, graph="gap-kron.stand-in", stand_in_for="gap-kron")["over_gap"])


def test_the_fastest_of_several_published_times_is_compared():
    published = pd.DataFrame([["gap", "time", "gap-road", "bfs/gap", ms] for ms in (316.0, 245.0)])
    published.columns = ["paper", "quantity", "graph", "algorithm", "value"]
    assert gap_suite.fastest_printed(published).to_dict() == {("gap-road", "bfs/gap"): 245.0}


def test_a_weak_time_of_a_tree_is_marked(monkeypatch):
    row = _row(monkeypatch, "bfs", 20.0) | {"flags": "", "device": "cuda"}
    assert gap_suite._cells(row)[:2] == ["10 ms", "20 ms ◐"]


def _row(monkeypatch, problem, tree, **graph):
    keys = "graph stand_in_for arcs algorithm launch sources device device_name flags status teps percent_of_limit"
    run = (
        dict.fromkeys([*keys.split(), "directed"], 1)
        | {"problem": problem, "graph": "gap-kron", "stand_in_for": ""}
        | graph
    )
    monkeypatch.setattr(select, "samples", lambda timings, run: {0: [9.0, 10.0, 11.0]})
    printed = pd.Series({("gap-kron", f"{problem}/gap"): 100.0})
    return gap_suite._row(None, run, {(problem, run["graph"]): (tree, "shortened")} if tree else {}, printed)
