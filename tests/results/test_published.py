"""The CSV files agree with the texts of the papers: no number of a table is missing, and none is invented."""

import re

import pandas as pd
import pytest
from test_studies import PAPERS

from warpath.algorithms import discovery
from warpath.base import settings
from warpath.graphs import catalogue
from warpath.results import evidence


@pytest.fixture(scope="module")
def numbers():
    """The numbers of the papers, without the times of libraries (see test_libraries.py) and of GAP's code."""
    everything = evidence.published()
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


def test_names_are_names_of_the_workflow(numbers):
    entries = catalogue.load(settings.GRAPHS)
    assert set(numbers["paper"]) == set(PAPERS) and set(numbers["graph"].dropna()) <= set(entries)
    assert set(numbers["algorithm"].dropna()) <= set(discovery.find())
    assert pd.api.types.is_float_dtype(numbers["value"])
    assert numbers["value"].gt(0).all()
