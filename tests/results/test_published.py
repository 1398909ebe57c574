"""The CSV files agree with the texts of the papers: no number of a table is missing, and none is invented."""

import re

import numpy as np
import pandas as pd
import pytest
from test_studies import PAPERS

from warpath.base import places, schemas
from warpath.graphs import catalogue, csr, prepare
from warpath.results import evidence

TEXTS = [paper for paper in PAPERS if paper != "castro2025"]  # whose whole text is there; of that one, the tables are
REMARKS = {"bfs-as-printed", "one-frontier-as-printed", "printed-times-possible"}  # ours


@pytest.fixture(scope="module")
def numbers():
    """The numbers of the papers, without the times of libraries (see test_libraries.py) and of GAP's code."""
    everything = evidence.published()
    return everything[~everything["paper"].isin(["libraries", "gap"])]


@pytest.fixture
def text(shared):
    return lambda paper: (shared / "papers" / f"{paper}.txt").read_text()


@pytest.mark.parametrize("paper", TEXTS)
def test_every_number_stands_in_the_text_as_printed(numbers, text, paper):
    body = text(paper).replace("–", "-")
    for printed in numbers.loc[numbers["paper"] == paper, "printed"].astype(str).unique():
        assert re.search(rf"(?<![\d.,]){re.escape(printed)}(?![\d,]*\d)", body), f"{paper} does not print {printed}"


@pytest.mark.parametrize("paper", TEXTS)
def test_every_claim_quotes_the_text(text, paper):
    body, rows = " ".join(text(paper).split()), schemas.read(places.of_paper(paper, "claims.yaml"), "claims")["claims"]
    assert {row["name"] for row in rows if row["quote"] not in body or not row["quote"]} <= REMARKS


def test_what_notes_reckon_is_so_by_the_printed_numbers(numbers):
    def ratio(paper, slow, fast, *by, quantity="time"):
        rows = numbers.query("paper == @paper and quantity == @quantity")
        times = rows.groupby(["graph", *by, "algorithm"])["value"].first().unstack()
        return (times[slow] / times[fast]).dropna() if fast else times[slow]

    flags = ratio("agarwal2015", "sssp/bellman_ford", "sssp/two_flags", "device")
    roads = ratio("harish2007", "bfs/cpu_queue", "bfs/frontier")["USA-road-d.NY"]
    whole = ratio("singh2017", "bfs/cpu_queue", "bfs/frontier_struct")
    whole = (whole / ratio("singh2017", "bfs/frontier_struct", "", quantity="kernel calls")).dropna()
    told = [f"{flags.min():.1f}× to {flags.max():.1f}×", f"{roads:.2f}×", "{:.2f}×, {:.2f}× and {:.2g}×".format(*whole)]
    tables = " ".join(places.of_paper(paper, "claims.yaml").read_text() for paper in PAPERS)
    assert [words for words in told if words not in " ".join(tables.split())] == []


def test_two_flags_relax_so_few_edges(tmp_path):
    """In rounds that read the weights of the round before, on the network that is bundled."""
    entry = catalogue.load(places.CONFIG / "graphs.yaml")["p2p-Gnutella08"]
    prepare.prepare(entry, places.ROOT / entry.origin.path, tmp_path)
    graph, times = csr.read(tmp_path), pd.read_parquet(places.ROOT / "docs/h200/agarwal2015/timings.parquet")
    tails = np.repeat(np.arange(graph.vertices), np.diff(graph.offsets))
    for source in times.loc[times["graph"] == entry.name, "source"].unique():
        flagged = graph.labels == source
        weight, relaxed = np.where(flagged, 0, 2**30), 0
        while flagged.any():
            edges, before = flagged[tails], weight.copy()
            relaxed += edges.sum()
            np.minimum.at(weight, graph.targets[edges], (before[tails] + graph.weights)[edges])
            flagged = weight < before
        assert 1.6 <= relaxed / len(tails) <= 2.2, "see fewer-relaxations of agarwal2015"


UNITS = dict.fromkeys(["x", "%", "ms", ""], 1) | dict.fromkeys(["K", "second", "seconds"], 1e3)
UNITS |= {"M": 1e6, "million": 1e6, "minutes": 60e3}


def test_values_are_the_printed_numbers_in_their_units(numbers):
    printed = numbers["printed"].astype(str).str.replace(",", "").str.extract(r"^([\d.]+) ?([a-zA-Z%]*)$")
    told = printed[1].isin(UNITS)
    assert told.sum() > 550
    values = printed[0].astype(float) * printed[1].map(UNITS).where(printed[1] != numbers["unit"], 1)
    assert values[told].tolist() == pytest.approx(numbers.loc[told, "value"].tolist())


def test_castros_whole_tables(numbers, shared):
    tables = pd.read_csv(shared / "papers/castro2025/dijkstra_and_bmssp.csv")
    told = numbers.query("paper == 'castro2025'")
    assert told["value"].tolist() == tables[["dijkstra_ms", "bmssp_ms", "ratio"]].to_numpy().ravel().tolist()
    ratios, large = tables["ratio"], tables["vertices"] >= 100_000
    within = ratios.between(3, 4)
    claims = places.of_paper("castro2025", "claims.yaml").read_text()
    assert f"{within.sum()} of {len(ratios)} lie between 3 and 4, {(ratios < 3).sum()} below" in claims
    assert f"it is {within[large].sum()} of {large.sum()}; 8 of the other" in claims


def test_rejauds_whole_table(numbers, text):
    cells = [line.split("\t") for line in text("rejaud").splitlines() if line.count("\t") == 13]
    rows = [cell for cell in cells if cell[1] in ("BMF", "TPE")]
    assert len(rows) == 30
    printed = sorted(float(number) for row in rows for cell in row[4:] if cell != "X" for number in cell.split())
    table = numbers[(numbers["paper"] == "rejaud") & numbers["place"].str.startswith("table")]
    assert sorted(table["value"]) == printed
    assert len(printed) == 6 * (10 + 5 + 10 + 2 * 20)


def test_every_paper_has_numbers_above_0(numbers):
    assert set(numbers["paper"]) == set(PAPERS)  # whose graphs and algorithms are in its study: see test_studies.py
    assert pd.api.types.is_float_dtype(numbers["value"])
    assert numbers["value"].gt(0).all()
