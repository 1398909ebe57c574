"""Declared edits of a kernel that left its machine code unchanged."""

from types import SimpleNamespace

import pytest

from warpath.algorithms import discovery
from warpath.foundation.files import sha256
from warpath.runs import provenance


@pytest.fixture
def code(tmp_path, monkeypatch):
    """Write a kernel's files, name by name; returns them with their digest."""
    monkeypatch.chdir(tmp_path)

    def write(**contents):
        files = [f"{name}.cu" for name in contents]
        for file, text in zip(files, contents.values(), strict=True):
            (tmp_path / file).write_text(text)
        provenance._content.cache_clear()
        return files, provenance.digest(files)

    return write


@pytest.fixture
def table(tmp_path, monkeypatch):
    def write(*lines):
        file = tmp_path / "unchanged.tsv"
        file.write_text("\n".join("\t".join(line) for line in [("algorithm", "before", "after", "evidence"), *lines]))
        monkeypatch.setattr(provenance, "TABLE", file)
        provenance._table.cache_clear()
        provenance._leading_to.cache_clear()

    write()
    yield write
    monkeypatch.undo()
    provenance._table.cache_clear()
    provenance._leading_to.cache_clear()


def recorded(files):
    """What Snakemake writes about a run with this code."""
    hashes = [sha256(file) for file in files]
    return SimpleNamespace(
        input=[*sorted(files), "resources/graphs/a/edges.parquet"], params=["'--warmup 1'", "1", repr(hashes)]
    )


def kernel(files, metadata, algorithm="bfs/level"):
    return provenance.kernel(SimpleNamespace(id=algorithm, kernel_files=files), lambda: metadata)


def test_the_digest_is_of_content_in_order_and_not_of_paths(code):
    _, digest = code(a="one", b="two")
    assert code(c="one", d="two")[1] == digest
    assert code(a="two", b="one")[1] != digest
    assert len(digest) == 16


def test_an_undeclared_edit_gives_the_code_of_today(code, table):
    files, _ = code(a="one")
    metadata = recorded(files)
    edited, _ = code(a="one // more")
    assert kernel(edited, metadata).hashes == [sha256("a.cu")] != metadata.params[-1]


def test_a_declared_edit_gives_the_recorded_files(code, table):
    files, before = code(a="all")
    metadata, hashes = recorded(files), [sha256("a.cu")]
    split, after = code(a="half", b="other half")
    table(("bfs/level", before, after, "same cubin"))
    assert kernel(split, metadata) == (["a.cu"], hashes)
    assert kernel(split, metadata, "sssp/racy").files == split  # declared for another algorithm
    assert kernel(split, None).files == split


def test_lines_form_chains_in_one_direction(code, table):
    files, first = code(a="1")
    metadata, hashes = recorded(files), [sha256("a.cu")]
    _, second = code(a="2")
    _, third = code(a="3")
    lines = [("bfs/level", first, second, "x"), ("bfs/level", second, third, "y"), ("bfs/level", third, second, "z")]
    table(*lines)
    assert kernel(files, metadata).hashes == hashes
    newest = recorded(files)
    code(a="1")
    assert kernel(files, newest).hashes == hashes  # no line leads back


def test_a_recorded_file_that_no_longer_exists_cannot_be_an_input(code, table, tmp_path):
    old, before = code(old="1")
    metadata = recorded(old)
    renamed, after = code(new="1 ")
    table(("bfs/level", before, after, "x"))
    (tmp_path / "old.cu").unlink()
    assert kernel(renamed, metadata).files == renamed


def test_every_line_of_the_table_leads_to_the_code_of_today():
    current = {id: provenance.digest(discovery.code_files(described)) for id, described in discovery.find().items()}
    for line in provenance._table():
        useful = line["before"] in provenance._leading_to(line["algorithm"], current[line["algorithm"]])
        assert useful, f"{line}: declare the latest edit too, or delete this line if an edit changed the machine code"
        assert line["evidence"], line
