"""What tests of claims and of figures share."""

import functools
import math
from dataclasses import replace

import pytest
import synthetic

from warpath.base import places
from warpath.results import evidence, frames, gather, statistics, style
from warpath.runs import plan


@pytest.fixture
def few_resamples(monkeypatch):
    """Intervals of whole studies in a tenth of the time, for tests that do not look at them."""
    monkeypatch.setattr(statistics, "RESAMPLES", 200)


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """The tables of a study, read from files as for its figures; cached."""

    @functools.cache
    def of(name):
        planned, records = synthetic.of_study(name)
        recorded = [(run, run.record, record) for run, record in zip(planned.runs, records, strict=True)]
        folder = tmp_path_factory.mktemp(name)
        timings, summary = gather.tabulate(name, recorded, synthetic.RATES)
        frames.write(timings, folder / "t.parquet")
        frames.write(summary, folder / "s.csv")
        return evidence.read(folder / "t.parquet", folder / "s.csv")

    return of


@pytest.fixture(scope="session")
def emulated(tables):
    """The tables of a study whose kernels ran in CPU emulation; cached."""

    @functools.cache
    def of(name):
        measured = tables(name)
        return replace(measured, **{table: _on_host(getattr(measured, table)) for table in ("timings", "summary")})

    return of


def _on_host(table):
    """The table as if its kernels had run in emulation, of which no limit and no energy is known."""
    on_gpu = table["device"] == "cuda"
    host = synthetic.record(device="host")
    told = {"device": "host", "device_name": host["environment"]["device_name"], "device_label": style.DEVICES["host"]}
    told |= dict.fromkeys({"percent_of_limit", "energy_j", "power_w"} & set(table), math.nan)
    return table.assign(**{column: table[column].mask(on_gpu, value) for column, value in told.items()})


@pytest.fixture
def begin(tmp_path, monkeypatch):
    """A function that leaves records in the working folder, and has commands plan the study of these."""
    monkeypatch.chdir(tmp_path)

    def begun(*records, **changes):
        synthetic.write(places.RECORDS, *records)
        study = synthetic.study(*records, **changes)
        monkeypatch.setattr(plan, "load", lambda settings: study)
        return study

    return begun


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory, monkeypatch):
    """Run tests in an empty folder: they know nothing of what the workflow has left in the checkout."""
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
