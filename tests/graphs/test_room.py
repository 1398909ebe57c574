"""Input that would take more memory or time than its size allows."""

import pytest

from warpath.foundation import processor
from warpath.foundation.errors import UserError
from warpath.graphs import catalogue
from warpath.graphs.prepare import prepare
from warpath.graphs.readers import text


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """Prepare a file on a machine with 4 GB of free memory."""
    monkeypatch.setattr(processor, "free_bytes", lambda: 4 * 10**9)

    def run(content, **keys):
        (tmp_path / "g").write_bytes(content)
        (tmp_path / "c.yaml").write_text(f"g: {keys or {'path': str(tmp_path / 'g')}}")
        entry = catalogue.load(tmp_path / "c.yaml")["g"]
        return prepare(entry, entry.inputs(), tmp_path / "out")

    return run


def test_a_header_that_asks_for_too_many_vertices(prepared):
    with pytest.raises(UserError, match=r"^g: 2,147,483,647 vertices, .*: needs \d+\.\d GB of memory, and 4\.0 GB are"):
        prepared(b"p sp 2147483647 1\na 1 2 3\n")


def test_a_generator_that_asks_for_too_much(prepared):
    with pytest.raises(UserError, match=r"^g: 2,147,483,647 vertices.* GB of memory, and 4\.0 GB are available$"):
        prepared(b"", generator={"kind": "path", "vertices": 2147483647})


def test_a_large_id_of_a_graph_that_is_relabelled_costs_nothing(prepared):
    assert prepared(b"0 2147483646\n")["vertices"] == 2


def test_memory_is_that_of_the_control_group(tmp_path):
    (tmp_path / "cgroup").write_text("1:cpu:/other\n0::/job/step\n")
    group = tmp_path / "fs" / "job"
    (group / "step").mkdir(parents=True)
    for file, content in {"current": "700\n", "max": "1000\n", "stat": "anon 400\ninactive_file 200\n"}.items():
        (group / f"memory.{file}").write_text(content)
    assert list(processor._free_in_groups(tmp_path / "cgroup", tmp_path / "fs")) == [500]
    (group / "memory.max").write_text("max\n")
    assert list(processor._free_in_groups(tmp_path / "cgroup", tmp_path / "fs")) == []
    assert list(processor._free_in_groups(tmp_path / "absent")) == []


@pytest.mark.parametrize("line", [b"1" * 3_000_000, b"1 " * 1_500_000, b"1," * 1_500_000], ids=["word", "words", "csv"])
def test_a_long_line_takes_linear_time(tmp_path, monkeypatch, line):
    """Counted in bytes copied: a block at a time, with all that came before, they would be hundreds of times more."""
    monkeypatch.setattr(text, "BLOCK", 4096)
    copied, fill = [], text._fill
    monkeypatch.setattr(text, "_fill", lambda *arguments: copied.append(fill(*arguments)) or copied[-1])
    (tmp_path / "g").write_bytes(line + b"\n2 3\n")
    assert text.Text(tmp_path / "g").take() == line
    assert sum(copied) < 4 * len(line)
