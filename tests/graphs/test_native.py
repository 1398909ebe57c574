"""C++ is built once, kept, and built again when what is kept is not what was built."""

import ctypes
import os

import pytest

from warpath import native
from warpath.errors import UserError


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "part.h").write_text("#define ANSWER 42\n")
    path = tmp_path / "answer.cpp"
    path.write_text('#include "part.h"\nextern "C" int answer() { return ANSWER; }\n')
    return path


def test_built_once(source):
    library = native.build(source)
    assert ctypes.CDLL(str(library)).answer() == 42
    built = library.stat().st_mtime_ns
    assert native.build(source) == library and library.stat().st_mtime_ns == built


def test_source_headers_and_options_count(source):
    libraries = {native.build(source), native.build(source, ["-DX"])}
    source.with_name("part.h").write_text("#define ANSWER 43\n")
    libraries.add(native.build(source))
    source.write_text(source.read_text() + "\n")
    libraries.add(native.build(source))
    assert len(libraries) == 4


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:1000], lambda b: b"", lambda b: b[:99] + b"x" + b[100:]]
)
def test_damage_is_noticed(source, damage):
    library = native.build(source)
    content = library.read_bytes()
    library.write_bytes(damage(content))
    assert native.build(source).read_bytes()[: -native.SEAL] == content[: -native.SEAL]


def test_errors_name_the_source(source):
    source.write_text("int f( {")
    with pytest.raises(UserError, match=r"answer.cpp: g\+\+ cannot build it .*error"):
        native.build(source)
    assert list(native.cache().iterdir()) == []


def test_no_compiler(source, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    native._compiler.cache_clear()
    with pytest.raises(UserError, match="no-such-compiler is not on the PATH"):
        native.build(source)
    monkeypatch.delenv("CXX")
    native._compiler.cache_clear()


def test_several_processes_at_once(source):
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert len(set(pool.map(native.build, [source] * 4))) == 1
    assert len(os.listdir(native.cache())) == 1  # noqa: PTH208
