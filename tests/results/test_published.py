"""The CSV files agree with the texts of the papers: no number of a table is missing, and none is invented."""

import re

import pandas as pd
import pytest

from warpath.algorithms import discovery
from warpath.base import settings
from warpath.graphs import catalogue
from warpath.results import published

PAPERS = ("agarwal2015", "harish2007", "pathak2021", "rejaud", "singh2017")


@pytest.fixture(scope="module")
def numbers():
    """The numbers of the papers, without the times of libraries (see test_libraries.py) and of GAP's code."""
    everything = published.read()
    return everything[~everything["paper"].isin(["libraries", "gap"])]


@pytest.fixture
def text(shared):
    return lambda paper: (shared / "papers" / f"{paper}.txt").read_text()


@pytest.mark.parametrize("paper", PAPERS)
def test_every_number_stands_in_the_text_as_printed(numbers, text, paper):
    body = text(paper).replace("–", "-")
    for printed in numbers.loc[numbers["paper"] == paper, "printed"].astype(str).unique():
        assert re.search(rf"(?<![\d.,]){re.escape(printed)}(?![\d,]*\d)", body), f"{paper} does not print {printed}"


UNITS = {
    "K": 1e3,
    "M": 1e6,
    "million": 1e6,
    "x": 1,
    "%": 1,
    "ms": 1,
    "second": 1e3,
    "seconds": 1e3,
    "minutes": 60e3,
    "": 1,
}


def test_values_are_the_printed_numbers_in_their_units(numbers):
    printed = numbers["printed"].astype(str).str.replace(",", "").str.extract(r"^([\d.]+) ?([a-zA-Z%]*)$")
    told = printed[1].isin(UNITS)
    assert told.sum() > 550
    values = printed[0].astype(float) * printed[1].map(UNITS).where(printed[1] != numbers["unit"], 1)
    assert values[told].tolist() == pytest.approx(numbers.loc[told, "value"].tolist())


def test_rejauds_whole_table(numbers, text):
    cells = [line.split("\t") for line in text("rejaud").splitlines() if line.count("\t") == 13]
    rows = [cell for cell in cells if cell[1] in ("BMF", "TPE")]
    assert len(rows) == 30
    printed = sorted(float(number) for row in rows for cell in row[4:] if cell != "X" for number in cell.split())
    table = numbers[(numbers["paper"] == "rejaud") & numbers["place"].str.startswith("table")]
    assert sorted(table["value"]) == printed
    assert len(printed) == 6 * (10 + 5 + 10 + 2 * 20)


def test_rejauds_cells_are_where_the_table_has_them(numbers):
    keys = ["graph", "algorithm", "block", "grid", "order", "quantity"]
    table = numbers[(numbers["paper"] == "rejaud") & numbers["block"].notna()].fillna({"order": ""})
    cells = table.set_index(keys)["value"].to_dict()
    assert len(cells) == len(table)
    assert cells["roadNet-CA", "sssp/bmf_outcore", 384, 5, "source", "time"] == 6924
    assert cells["higgs-social_network", "sssp/bmf_shared", 1024, 2, "", "time"] == 1718
    assert cells["soc-pokec", "sssp/tpe_incore", 1024, 2, "source", "compute time"] == 0.162


ROADS = [f"USA-road-d.{name}" for name in ("NY", "FLA", "E", "W")]
HARISH = [None, None, "bfs/cpu_queue", "bfs/frontier", "sssp/cpu_dijkstra", "sssp/racy"]
AGARWAL = [None, "sssp/bellman_ford", "sssp/two_flags"]
GNUTELLA = 2 * [f"p2p-Gnutella{number}" for number in ("08", "05", "04", "25", "30", "31")]
SINGH = [None, "bfs/frontier_struct", "bfs/cpu_queue", *2 * ["bfs/frontier_struct"]]


@pytest.mark.parametrize(
    ("paper", "row", "places", "graphs", "algorithms"),
    [
        ("agarwal2015", r"^(\d+K\t.*)", "table [12]", GNUTELLA, AGARWAL),
        ("harish2007", r"^(?:New York|Florida|USA-East|USA-West)\t(.*)", "table 1", ROADS, HARISH),
        ("singh2017", r"^\d\.\t(.*)", "figure 8", ["singh-10", "singh-22", "singh-64"], SINGH),
    ],
)
def test_each_row_of_a_table_is_here_in_its_order(numbers, text, paper, row, places, graphs, algorithms):
    printed = [re.sub(" ms|x", "", cells).split("\t") for cells in re.findall(row, text(paper), re.M)]
    table = numbers[(numbers["paper"] == paper) & numbers["place"].str.fullmatch(places) & numbers["graph"].notna()]
    keys, rows = zip(*table.groupby(["place", "graph"], sort=False), strict=True)
    assert [each["printed"].tolist() for each in rows] == printed
    assert [graph for _, graph in keys] == graphs
    for each in rows:
        assert [None if pd.isna(name) else name for name in each["algorithm"]] == algorithms
        devices = each.loc[each["algorithm"].notna(), ["algorithm", "device"]].values
        assert all(("/cpu_" in algorithm) == device.startswith(("AMD", "Intel")) for algorithm, device in devices)


def test_pathaks_sizes_agree_with_the_catalogue(numbers):
    sizes = numbers.query("paper == 'pathak2021' and unit == 'edges' and quantity == 'size'").set_index("graph")[
        "value"
    ]
    entries = catalogue.load(settings.GRAPHS)
    known = {name: edges for name in sizes.index if (edges := entries[name].expected.get("edges"))}
    assert len(known) >= 3 and sizes[list(known)].to_dict() == known


def test_names_are_names_of_the_workflow(numbers):
    entries = catalogue.load(settings.GRAPHS)
    assert set(numbers["paper"]) == set(PAPERS) and set(numbers["graph"].dropna()) <= set(entries)
    assert set(numbers["algorithm"].dropna()) <= set(discovery.find())
    assert pd.api.types.is_float_dtype(numbers["value"])
    assert numbers["value"].gt(0).all()
