"""docs/data.md describes every column and every field, as the schema and the columns have it."""

import shutil

import pytest

from warpath import cli
from warpath.base import places
from warpath.results import columns, glossary

DOCUMENT = places.ROOT / places.GLOSSARY


def test_glossary_in_the_document_is_up_to_date(tmp_path):
    copy = tmp_path / "data.md"
    shutil.copy(DOCUMENT, copy)
    assert cli.main(["glossary", "--output", str(copy)]) == 0
    assert copy.read_text() == DOCUMENT.read_text(), "run: .venv/bin/warpath glossary"


def test_quantities_with_a_unit_in_their_name_have_that_unit():
    units = {"ms": "ms", "s": "s", "bytes": "bytes"}
    for column in {*columns.TIMINGS, *columns.SUMMARY}:
        suffix = column.name.rpartition("_")[2] if "_" in column.name else ""
        assert column.unit == units.get(suffix, column.unit)


def test_document_without_the_markers_is_one_line(tmp_path, capsys):
    (tmp_path / "data.md").write_text("# Data\n")
    assert cli.main(["glossary", "--output", str(tmp_path / "data.md")]) == 2
    assert "lacks the line <!-- glossary" in capsys.readouterr().err
    with pytest.raises(FileNotFoundError):
        glossary.write(tmp_path / "none.md")
