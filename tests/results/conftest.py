"""What tests of claims and of figures share."""

import functools

import pytest
import synthetic

from warpath.results import evidence, frames, gather


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """The plan and the tables of a study, read from files as for its figures; cached."""

    @functools.cache
    def of(name, device="cuda"):
        planned, records = synthetic.of_study(name, device)
        folder = tmp_path_factory.mktemp(name)
        synthetic.write(folder, *records)
        timings, summary = gather.gather(planned, folder, synthetic.RATES)
        frames.write(timings, folder / "t.parquet")
        frames.write(summary, folder / "s.csv")
        return planned, evidence.read(folder / "t.parquet", folder / "s.csv")

    return of


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory, monkeypatch):
    """Run tests in an empty folder: they know nothing of what the workflow has left in the checkout."""
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
