"""The C++ under native/ is compiled again when one of its headers changes."""

import pytest

from warpath.graphs import library


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
