import itertools
import subprocess

import pytest
from results import synthetic

from warpath.results import frames


@pytest.fixture
def make(tmp_path):
    """A function that writes a results folder of that name with records and their tables, and returns its path."""

    def made(name, *records):
        tables = synthetic.tables(*records, folder=tmp_path / name / "runs")
        frames.write(tables.summary, tmp_path / name / "summary.csv")
        frames.write(tables.timings, tmp_path / name / "timings.parquet")
        return tmp_path / name

    return made


@pytest.fixture
def publish(tmp_path):
    """A function that writes the tables of these records into a folder of that name, as a published study has them."""

    def published(name, *records, samples=True):
        tables = synthetic.tables(*records)
        frames.write(tables.summary.drop(columns="record"), tmp_path / name / "summary.csv")
        if samples:
            frames.write(tables.timings, tmp_path / name / "timings.parquet")
        return tmp_path / name

    return published


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A git repository that is the working folder; the function that it is commits everything."""
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]

    def commit():
        for command in (["add", "-A"], [*who, "commit", "-qm", "x"]):
            subprocess.run(["git", *command], cwd=tmp_path, check=True)

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return commit


@pytest.fixture
def record():
    """A function that makes a record, measured at a time and with code of its own, `slower` times as long."""
    seconds = itertools.count()

    def made(*names, slower=1.0, device="cuda", **changes):
        one = synthetic.record(*names, device=device, **changes)
        for sample in one["samples"]:
            sample["solve_ms"] *= slower
        one["environment"]["commit"] += "-dirty"
        return one | {"started": f"2026-11-21T09:00:{next(seconds):02}+00:00"}

    return made
