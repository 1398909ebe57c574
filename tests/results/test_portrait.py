"""The picture of one graph: its degrees, and the levels of a search."""

import pytest
import synthetic
from small_graphs import from_edges

from warpath import cli
from warpath.base.errors import UserError
from warpath.graphs import csr
from warpath.results import portrait

STAR_AND_TAIL = from_edges("star", [0, 0, 0, 3, 4], [1, 2, 3, 4, 5])


def test_levels_have_the_vertices_and_arcs_that_follow_from_the_distances():
    table = portrait.levels(STAR_AND_TAIL, 0)
    assert table["vertices"].tolist() == [1, 3, 1, 1]
    assert table["arcs"].tolist() == [3, 1 + 1 + 2, 2, 1] and table["arcs"].sum() == STAR_AND_TAIL.arcs


def test_the_command_draws_a_prepared_graph_and_names_what_is_fastest(tmp_path, capsys):
    csr.write(STAR_AND_TAIL, tmp_path / "star")
    runs = [
        synthetic.record("star", f"bfs/{name}", device="cuda", median_ms=time)
        for name, time in (("level", 1), ("queue", 2))
    ]
    tables = synthetic.tables(tmp_path / "runs", *runs)
    assert portrait._fastest("star", tables)[0].startswith("fastest BFS: bfs/level, ")
    assert cli.main(["portrait", "star", "--folder", f"{tmp_path}/star", "--output", f"{tmp_path}/drawn"]) == 0
    assert "10 arcs in 4 levels" in capsys.readouterr().out
    assert {file.suffix for file in (tmp_path / "drawn").iterdir()} == {".svg", ".png", ".csv"}


def test_a_graph_that_is_not_prepared_is_named(tmp_path):
    with pytest.raises(UserError, match="warpath prepare none` first"):
        portrait.draw("none", tmp_path / "none", None, tmp_path)
