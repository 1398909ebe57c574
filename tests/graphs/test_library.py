"""The C++ under native/ is compiled again when one of its headers changes."""

import pytest

from warpath.graphs import library
from warpath.graphs.prepare import prepare


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "part.h").write_text("#define ANSWER 42\n")
    (tmp_path / "answer.cpp").write_text('#include "part.h"\nextern "C" int answer() { return ANSWER; }\n')
    yield tmp_path
    library.load.cache_clear()


def test_headers_count(folder):
    assert library.load("answer", folder).answer() == 42
    (folder / "part.h").write_text("#define ANSWER 43\n")
    library.load.cache_clear()
    assert library.load("answer", folder).answer() == 43


def test_a_graph_of_text_needs_what_is_compiled_side_by_side_and_nothing_else(entry, monkeypatch, tmp_path):
    def load(name):
        used.append(name)
        return compiled(name)

    used, compiled = [], library.load
    monkeypatch.setattr(library, "load", load)
    library.load_usual()
    usual = set(used)
    path = tmp_path / "path.txt"
    path.write_text("0 1\n1 2\n")
    prepare(entry(path=str(path)), [path], tmp_path / "graph")
    assert set(used) == usual
    assert not usual & {"gap", "parse_others"}
