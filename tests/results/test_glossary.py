"""docs/data.md describes every column of the tables."""

import shutil
from pathlib import Path

import pytest

from warpath import cli
from warpath.base import places, schemas
from warpath.results import columns, glossary
from warpath.runs import statuses

DOCUMENT = places.ROOT / places.GLOSSARY


def test_glossary_in_the_document_is_up_to_date(tmp_path):
    copy = tmp_path / "data.md"
    shutil.copy(DOCUMENT, copy)
    assert cli.main(["glossary", "--output", str(copy)]) == 0
    assert copy.read_text() == DOCUMENT.read_text(), "run: .venv/bin/warpath glossary"


def test_every_status_is_in_the_schema_the_readme_and_the_colours_of_the_page():
    names = [name for name in statuses.STATUSES if name != statuses.MISSING]
    schema, readme = schemas.load("record")["properties"]["status"], Path(places.ROOT, "README.md").read_text()
    assert schema["enum"] == names
    for name in names:
        assert f"`{name}`" in schema["description"] and f"`{name}`" in readme
    css = Path(places.WORKFLOW, "report/page.css").read_text()
    assert all(f".status.{name}" in css for name in statuses.UNSOUND)


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
