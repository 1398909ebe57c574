"""The tables in memory and on disk: columns, types, and tables of earlier versions."""

import pandas as pd
import pyarrow.parquet as pq
import pytest
import synthetic

from warpath.algorithms.launches import AXES
from warpath.results import columns, frames

TABLES = {"timings": columns.TIMINGS, "summary": columns.SUMMARY}
NAMES = {table: [column.name for column in described] for table, described in TABLES.items()}


def stored(folder, *records):
    """Both tables of these records, written to files and read back."""
    made = synthetic.tables(*records)
    return written(folder, made.timings, made.summary)


def written(folder, timings, summary):
    frames.write(timings, folder / "timings.parquet")
    frames.write(summary, folder / "summary.csv")
    return frames.read(folder / "timings.parquet", folder / "summary.csv")


STUDIES = {
    "everything": synthetic.of_study("quickstart", "host")[1],
    "time-outs alone": [synthetic.record(status="timeout", vertices=None, arcs=None)],
    "no parameters": [synthetic.record(algorithm="bfs/cpu_queue", launch="default", device="cpu")],
}


@pytest.mark.parametrize("records", STUDIES.values(), ids=STUDIES)
def test_every_study_has_the_same_columns_of_the_same_types_and_survives_the_disk(tmp_path, records):
    tables = synthetic.tables(*records)
    made = {"timings": tables.timings, "summary": tables.summary}
    for table, again in zip(TABLES, written(tmp_path, **made), strict=True):
        assert list(made[table].columns) == list(again.columns) == NAMES[table]
        types = [column.type for column in TABLES[table]]
        assert made[table].dtypes.astype(str).tolist() == again.dtypes.astype(str).tolist() == types
        # What is read has Python's texts, and no empty ones.
        expected = made[table].replace({"error": {"": None}})
        pd.testing.assert_frame_equal(again, expected, check_column_type=False, check_dtype=False, rtol=1e-8)
    assert (again["flags"] == "").all()
    stored_types = {"str": "large_string", "Int64": "int64", "float64": "double", "boolean": "bool"}
    schema = pq.read_schema(tmp_path / "timings.parquet")
    assert [str(field.type) for field in schema] == [stored_types[column.type] for column in columns.TIMINGS]


def test_axes_are_columns_and_integers_stay_integers(tmp_path):
    assert list(AXES) == [name for name in NAMES["summary"] if name in AXES]
    searched = synthetic.record(algorithm="bfs/persistent", launch="a16-be64", parameters={"alpha": 16, "beta": 64})
    _, summary = stored(tmp_path, searched, synthetic.record())
    assert summary["alpha"].tolist() == [16, pd.NA] and summary["block"].tolist() == [pd.NA, 256]
    text = (tmp_path / "summary.csv").read_text()
    cells = pd.read_csv(tmp_path / "summary.csv", dtype=str)
    assert cells.loc[0, ["alpha", "beta", "vertices", "memory_bytes"]].tolist() == ["16", "64", "3353", "123456"]
    assert ".0," not in text


def test_large_integers_keep_their_digits_beside_empty_cells():
    unknown = synthetic.record(launch="b64", memory_bytes=None)
    made = synthetic.tables(synthetic.record(memory_bytes=2**53 + 1), unknown)
    assert made.summary["memory_bytes"].tolist() == [2**53 + 1, pd.NA]


def test_axes_and_phases_of_a_users_own_algorithms_follow_in_alphabetical_order(tmp_path):
    own = synthetic.record(parameters={"block": 256, "lanes": 4, "flavour": "sweet", "damping": 0.5, "mixed": "x"})
    for sample in own["samples"]:
        sample["phases"] = {"wait_ms": 0.25}
    timings, summary = stored(tmp_path, own, synthetic.record(launch="b64", parameters={"mixed": 7}))
    own_names = ["damping", "flavour", "lanes", "mixed", "phase_wait_ms"]
    assert list(timings.columns) == NAMES["timings"] + own_names
    assert list(summary.columns) == NAMES["summary"] + own_names
    assert summary[own_names].iloc[0].tolist() == [0.5, "sweet", 4, "x", 0.25]
    assert summary[own_names].dtypes.astype(str).tolist() == ["float64", "str", "Int64", "str", "float64"]


def test_fraction_on_an_axis_of_integers_widens_the_column(tmp_path):
    _, summary = stored(tmp_path, synthetic.record(parameters={"delta": 0.5}), synthetic.record(launch="b64"))
    assert summary["delta"].dtype == "float64" and summary.loc[0, "delta"] == 0.5


def test_names_that_look_like_numbers_or_empty_cells_stay_names(tmp_path):
    _, summary = stored(tmp_path, synthetic.record("1e5"), synthetic.record("NA"), synthetic.record("007"))
    assert summary["graph"].tolist() == ["1e5", "NA", "007"]


def test_tables_without_processes_are_of_one(tmp_path):
    made = synthetic.tables(synthetic.record(), synthetic.record(launch="b64", status="timeout"))
    later = ["process", "processes", "interval", "percent_between_processes"]
    tables = (table.drop(columns=later, errors="ignore") for table in (made.timings, made.summary))
    timings, summary = written(tmp_path, *tables)
    assert set(timings["process"]) == {1}
    assert summary["processes"].dropna().tolist() == [1]
    assert summary["interval"].dropna().tolist() == ["95 % interval within one process"]
