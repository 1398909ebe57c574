import json
import subprocess

import pytest
from results import synthetic

from warpath.results import frames, gather


@pytest.fixture
def make(tmp_path):
    """A function that writes records below a folder of that name, and returns its path."""

    def made(name, *records):
        synthetic.write(tmp_path / name / "runs", *records)
        return tmp_path / name

    return made


@pytest.fixture
def publish(tmp_path):
    """A function that writes the tables of these records into a folder of that name, as a published study has them."""

    def published(name, *records, samples=True):
        study = synthetic.study(*records)
        synthetic.write(tmp_path / "records" / name, *records)
        timings, summary = gather.gather(study, tmp_path / "records" / name)
        frames.write(summary.drop(columns="record"), tmp_path / name / "summary.csv")
        if samples:
            frames.write(timings, tmp_path / name / "timings.parquet")
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
    """A function that makes a record, measured at a time of its own, with times that are `slower` times as long."""
    count = iter(range(1000))

    def made(*names, slower=1.0, **changes):
        one = json.loads(json.dumps(synthetic.record(*names, device=changes.pop("device", "cuda"), **changes)))
        for sample in one["samples"]:
            sample["solve_ms"] *= slower
        return one | {"started": f"2026-11-21T09:00:{next(count):02}+00:00"}

    return made
