"""A page for each graph of published studies."""

import pytest
import synthetic
from small_graphs import from_edges

from warpath import cli
from warpath.base import places
from warpath.graphs import csr
from warpath.results import frames


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Two studies of rome99, one of them with another graph; only rome99 is prepared."""
    monkeypatch.chdir(tmp_path)
    studies = {
        "first": [synthetic.record("rome99", name, device="cuda") for name in ("bfs/level", "bfs/queue")],
        "second": [synthetic.record(graph, "sssp/two_kernel", device="cuda") for graph in ("rome99", "email-Eu-core")],
    }
    for name, records in studies.items():
        tables = synthetic.tables(tmp_path / "records" / name, *records)
        frames.write(tables.timings, tmp_path / "docs" / name / "timings.parquet")
        frames.write(tables.summary.drop(columns="record"), tmp_path / "docs" / name / "summary.csv")
    csr.write(from_edges("rome99", range(5), range(1, 6)), places.graph("rome99"))
    return tmp_path / "docs"


def test_each_graph_has_a_page_with_what_is_fastest_and_a_small_picture_if_it_is_prepared(published, capsys):
    assert cli.main(["portraits", "docs"]) == 0
    assert "2 graphs, 1 with a picture; not prepared here: email-Eu-core" in capsys.readouterr().out
    rome, email, index = (
        (published / "graphs" / name).read_text() for name in ("rome99.md", "email-Eu-core.md", "README.md")
    )
    assert "[first](../first/README.md)" in rome and "[second](../second/README.md)" in rome
    assert rome.startswith("# rome99\n\nStreets of Rome") and '<img src="rome99.svg"' in rome
    assert "No picture" in email and "| SSSP | sssp/two\\_kernel | b256 | GPU | " in email
    assert index.count("](rome99.md)") == index.count("](email-Eu-core.md)") == 1
    picture = (published / "graphs/rome99.svg").read_text()
    assert len(picture) < 30_000 and "mean 1.67" in picture  # lines are cut to a tenth of a pixel, and no text


def test_a_picture_of_another_machine_stays(published):
    picture = published / "graphs/email-Eu-core.svg"
    picture.parent.mkdir()
    picture.write_text(
        "<svg xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:description>in 7 levels</dc:description></svg>"
    )
    cli.main(["portraits", "docs"])
    page = (published / "graphs/email-Eu-core.md").read_text()
    assert "email-Eu-core.svg" in page and "has 7 levels" in page and picture.exists()


def test_a_folder_without_studies_is_one_line(tmp_path, capsys):
    assert cli.main(["portraits", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
