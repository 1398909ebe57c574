"""C++ becomes a library once, and again when anything that it is made of changes; what is wrong takes one line."""

import ctypes

import pytest

from warpath.foundation import cache, compiler
from warpath.foundation.errors import UserError


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "answer.cpp"
    path.write_text('extern "C" int answer() { return ANSWER; }\n')
    return path


def built(source, answer=42):
    return compiler.library(source.stem, [f"-DANSWER={answer}"], [source], [source.read_bytes()])


def test_built_once_wherever_the_source_lies(source, tmp_path):
    library = built(source)
    assert ctypes.CDLL(str(library)).answer() == 42
    date = library.stat().st_mtime_ns
    (tmp_path / "elsewhere").mkdir()
    assert built(source.rename(tmp_path / "elsewhere/answer.cpp")) == library
    assert library.stat().st_mtime_ns == date


def test_options_sources_and_compiler_count(source, monkeypatch):
    libraries = {built(source), built(source, answer=43)}
    source.write_text(source.read_text() + "\n")
    libraries.add(built(source))
    monkeypatch.setattr(compiler, "identity", lambda _: "another compiler")
    libraries.add(built(source))
    assert len(libraries) == 4


def test_an_error_names_its_place_and_leaves_nothing(source):
    source.write_text("int f() { return missing; }\n")
    with pytest.raises(UserError, match=r"answer\.cpp:1:18: .missing. was not declared") as caught:
        built(source)
    assert "\n" not in str(caught.value)
    assert [path.suffix for path in cache.folder().iterdir()] == [".lock"]


def test_without_a_compiler(source, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"^g\+\+ was not found.*apt install g\+\+$"):
        built(source)
