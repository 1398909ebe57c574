"""Files of integers are those that Arrow writes, byte by byte."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from warpath.base import parquet, processor
from warpath.graphs import csr, pages, thrift

ROWS = 50_000  # of a group; a page has 20,000
METADATA = {"warpath": '{"name": "g"}'}
ENDS = {"target": np.iinfo(np.int32), "offset": np.iinfo(np.int64)}


def columns_of(kind, rows):
    random, columns = np.random.default_rng(1), {}
    for name, ends in ENDS.items():
        columns[name] = {
            "any": random.integers(ends.min, ends.max, rows, endpoint=True),
            "ascending": np.sort(random.integers(0, ends.max, rows)),
            "equal": np.full(rows, 7),
            "bits": random.integers(0, 2, rows),
            "extremes": np.where(np.arange(rows) % 2, ends.max, ends.min),
            "nearly a word": random.integers(0, ends.max >> 5, rows),
        }[kind].astype(ends.dtype)
    return columns


@pytest.mark.parametrize("rows", [1, 2, 33, 128, 130, 257, 20_000, 20_001, ROWS, ROWS + 1])
@pytest.mark.parametrize("kind", ["any", "ascending", "equal", "bits", "extremes", "nearly a word"])
def test_integers_are_written_as_by_arrow(kind, rows, tmp_path):
    columns = columns_of(kind, rows)
    csr._write_by_arrow(tmp_path / "expected", columns, ROWS, lambda: METADATA)
    pages.write(tmp_path / "written", columns, ROWS, lambda: METADATA)
    assert (tmp_path / "written").read_bytes() == (tmp_path / "expected").read_bytes()


@pytest.mark.parametrize("cores", [1, 3])
def test_many_groups_of_rows_are_in_order(cores, tmp_path, monkeypatch):
    monkeypatch.setattr(processor, "cores", lambda: cores)
    columns = columns_of("any", 20_007)
    csr._write_by_arrow(tmp_path / "expected", columns, 1000, lambda: METADATA)
    pages.write(tmp_path / "written", columns, 1000, lambda: METADATA)
    assert (tmp_path / "written").read_bytes() == (tmp_path / "expected").read_bytes()


def test_every_width_is_read_back(tmp_path):
    random = np.random.default_rng(1)
    numbers = np.concatenate([random.integers(0, 1 << width, 256) for width in range(1, 63)])
    pages.write(tmp_path / "written", {"label": numbers}, ROWS, lambda: METADATA)
    assert (pq.read_table(tmp_path / "written", page_checksum_verification=True)["label"].to_numpy() == numbers).all()


def test_metadata_are_asked_for_when_all_is_encoded(tmp_path):
    def metadata():
        assert (tmp_path / "written").stat().st_size > 0
        return METADATA

    pages.write(tmp_path / "written", columns_of("any", 20 * ROWS), ROWS, metadata)
    assert parquet.metadata(tmp_path / "written") == {"name": "g"}


@pytest.mark.parametrize(
    ("column", "whole"), [(np.ones(3, np.int32), True), (np.ones(3, np.float32), False), (np.ones(0, np.int32), False)]
)
def test_arrow_writes_what_is_not_integers_or_has_no_rows(column, whole):
    assert pages.can_write({"target": np.arange(3), "weight": column}) is whole


def test_thrift_has_numbers_of_either_sign_and_long_lists():
    fields = {1: (thrift.I32, -3), 3: (thrift.LIST, (thrift.I64, [300] * 15)), 4: (thrift.BINARY, b"ab")}
    assert thrift.encode(fields).hex() == "1505" + "29f60f" + "d804" * 15 + "18026162" + "00"
