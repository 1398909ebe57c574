"""The CSV files agree with the texts of the papers: no number of a table is missing, and none is invented."""

import re

import pandas as pd
import pytest

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


def test_values_are_the_printed_numbers(numbers):
    plain = numbers[numbers["printed"].astype(str).str.fullmatch(r"[\d,]*\.?\d+")]
    assert len(plain) > 450
    assert (plain["printed"].astype(str).str.replace(",", "").astype(float) == plain["value"]).all()


def test_words_and_units_are_converted(numbers):
    units = {"20K": 20e3, "1M": 1e6, "2.7M": 2.7e6, ".15M": 150e3, "2x": 2, "3.9x": 3.9, "1.5 seconds": 1500}
    units |= {"22 minutes": 22 * 60e3, "12 million": 12e6, "0.1%": 0.1, "half": 0.5, "1 ms": 1, "2ms": 2, "4000x": 4000}
    for printed, value in units.items():
        assert set(numbers.loc[numbers["printed"] == printed, "value"]) == {value}


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
    table = numbers[(numbers["paper"] == "rejaud") & numbers["block"].notna()]
    cells = table.assign(order=table["order"].fillna("")).set_index(keys)["value"].to_dict()
    assert len(cells) == len(table)
    assert cells["roadNet-CA", "sssp/bmf_outcore", 384, 5, "source", "time"] == 6924
    assert cells["soc-LiveJournal1", "sssp/bmf_incore", 768, 2, "target", "time"] == 3591
    assert cells["higgs-social_network", "sssp/bmf_shared", 1024, 2, "", "time"] == 1718
    assert cells["soc-pokec", "sssp/tpe_incore", 1024, 2, "source", "compute time"] == 0.162
    assert cells["soc-pokec", "sssp/tpe_incore", 1024, 2, "source", "filter time"] == 0.043


ROWS = {
    "agarwal2015": (r"^(\d+K\t.*)", "table [12]", [None, "sssp/bellman_ford", "sssp/two_flags"]),
    "harish2007": (
        r"^(?:New York|Florida|USA-East|USA-West)\t(.*)",
        "table 1",
        [None, None, "bfs/cpu_queue", "bfs/frontier", "sssp/cpu_dijkstra", "sssp/racy"],
    ),
    "singh2017": (
        r"^\d\.\t(.*)",
        "figure 8",
        [None, *["bfs/frontier_struct", "bfs/cpu_queue"], *2 * ["bfs/frontier_struct"]],
    ),
}
GRAPHS = {
    "agarwal2015": 2 * [f"p2p-Gnutella{number}" for number in ("08", "05", "04", "25", "30", "31")],
    "harish2007": [f"USA-road-d.{name}" for name in ("NY", "FLA", "E", "W")],
    "singh2017": [f"singh-{vertices}" for vertices in (10, 22, 64)],
}


@pytest.mark.parametrize("paper", ROWS)
def test_each_row_of_a_table_is_here_in_its_order(numbers, text, paper):
    row, places, algorithms = ROWS[paper]
    printed = [re.sub(" ms|x", "", cells).split("\t") for cells in re.findall(row, text(paper), re.M)]
    table = numbers[(numbers["paper"] == paper) & numbers["place"].str.fullmatch(places) & numbers["graph"].notna()]
    keys, rows = zip(*table.groupby(["place", "graph"], sort=False), strict=True)
    assert [each["printed"].tolist() for each in rows] == printed
    assert [graph for _, graph in keys] == GRAPHS[paper]
    for each in rows:
        assert [None if pd.isna(name) else name for name in each["algorithm"]] == algorithms
        devices = each.loc[each["algorithm"].notna(), ["algorithm", "device"]].values
        assert all(("/cpu_" in algorithm) == device.startswith(("AMD", "Intel")) for algorithm, device in devices)


def test_pathaks_sizes_agree_with_the_catalogue(numbers):
    sizes = numbers[(numbers["paper"] == "pathak2021") & (numbers["unit"] == "edges") & (numbers["quantity"] == "size")]
    entries = catalogue.load(settings.GRAPHS)
    expected = {name: entries[name].expected.get("edges") for name in sizes["graph"]}
    known = {name: edges for name, edges in expected.items() if edges}
    assert len(known) >= 3
    assert {name: sizes.set_index("graph")["value"][name] for name in known} == known


def test_names_are_names_of_the_workflow(numbers):
    from warpath.algorithms import discovery

    entries = catalogue.load(settings.GRAPHS)
    assert set(numbers["paper"]) == set(PAPERS) and set(numbers["graph"].dropna()) <= set(entries)
    assert set(numbers["algorithm"].dropna()) <= set(discovery.find())
    assert pd.api.types.is_float_dtype(numbers["value"])
    assert numbers["value"].gt(0).all()
