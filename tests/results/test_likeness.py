"""The table of stand-ins: what is measured of a graph, and what is taken from publications."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from small_graphs import from_edges

from warpath import cli
from warpath.base import places
from warpath.base.errors import UserError
from warpath.graphs import catalogue, csr
from warpath.results import likeness

KITE = from_edges("kite", [0, 0, 1, 2, 3], [1, 2, 2, 3, 4])  # a triangle with a tail of two edges


def test_a_graph_is_measured(tmp_path):
    csr.write(KITE, tmp_path / "kite")
    row = likeness.measured(tmp_path / "kite")
    assert (row["vertices"], row["arcs"], row["largest_out_degree"], row["largest_in_degree"]) == (5, 10, 3, 3)
    assert (row["levels"], row["degree_1"], row["degree_2_3"], row["largest_component"]) == (3, 0.2, 0.8, 1)
    assert row["closed_wedges"] == pytest.approx(3 / 6, abs=0.01)


def test_closed_wedges_are_the_transitivity():
    rng = np.random.default_rng(1)
    full = np.triu(rng.random((60, 60)) < 0.3, 1)
    matrix = csr_array((full | full.T).astype(float))
    cubed = matrix @ matrix @ matrix
    degrees = np.diff(matrix.indptr)
    exact = cubed.trace() / (degrees * (degrees - 1)).sum()
    assert likeness.closed_wedges(matrix, 100_000) == pytest.approx(exact, abs=0.01)
    assert likeness.closed_wedges(csr_array(np.eye(3)[::-1]), 10) == 0


def test_the_page_has_what_is_prepared_and_what_is_published(tmp_path):
    entries = catalogue.load("config/graphs.yaml")
    with pytest.raises(UserError, match="no stand-in"):
        likeness.table(entries, tmp_path)
    for name in ("web-Google.stand-in", "p2p-Gnutella05", "p2p-Gnutella05.stand-in"):
        csr.write(KITE, tmp_path / name)
    rows = likeness.table(entries, tmp_path)
    assert rows[["graph", "from"]].to_numpy().tolist() == [
        *(["web-Google", "published"], ["web-Google", "stand-in"]),
        *(["p2p-Gnutella05", "measured"], ["p2p-Gnutella05", "stand-in"]),
    ]
    assert rows.loc[0, ["largest_in_degree", "levels"]].tolist() == [6326, 24]
    likeness.write(rows, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "| web-Google | published | 875,713 | 5,105,039 | 5.83 | 456 | 6,326 |  |  | 97.7 % | 24 | 5.52 % |" in text


def test_without_an_output_it_leaves_the_documentation_alone(tmp_path, monkeypatch, capsys):
    csr.write(KITE, tmp_path / "p2p-Gnutella05.stand-in")
    written = []
    monkeypatch.setattr(likeness, "write", lambda table, output: written.append(output))
    assert cli.main(["likeness", "--folder", str(tmp_path)]) == 0
    assert written == [f"{places.RESULTS}/stand-ins.md"] == [capsys.readouterr().out.strip()]


def test_published_networks_have_a_stand_in():
    import pandas as pd

    entries = catalogue.load("config/graphs.yaml")
    assert all(entries[name].stand_in for name in pd.read_csv(likeness.NETWORKS)["graph"])
