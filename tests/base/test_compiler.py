"""C++ is compiled once, and again when anything that goes into it changes; an error is one line.

The cache returns complete files, whichever processes build at the same time and however a build ends.
"""

import ctypes
import multiprocessing
import os
import signal
import time
from types import SimpleNamespace
from unittest import mock

import pytest

from warpath import devices
from warpath.base import cache, compiler
from warpath.base.errors import UserError
from warpath.graphs import library


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)


@pytest.mark.parametrize("damage", [lambda whole: whole[:-1], lambda _: b"", lambda whole: whole[:5000] + whole[4999:]])
def test_a_damaged_file_is_rebuilt_and_each_build_is_timed(monkeypatch, damage):
    def build(output):
        time.sleep(0.01)
        output.write_bytes(bytes(range(256)) * 100)

    monkeypatch.setattr(cache, "build_seconds", [])
    path = cache.built(cache.path("some", ".bin", ["ingredient"]), build)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.content(path) is None
    for _ in range(2):
        assert cache.built(cache.path("some", ".bin", ["ingredient"]), build) == path
        assert cache.content(path) == bytes(range(256)) * 100
    assert len(cache.build_seconds) == 2 and min(cache.build_seconds) >= 0.01


def test_the_boundaries_of_ingredients_count():
    ingredients = ["ab", "c"], ["a", "bc"], ["abc"]
    paths = {cache.built(cache.path("some", ".bin", each), lambda output: output.touch()) for each in ingredients}
    assert len(paths) == 3


def build_slowly(log):
    def build(output):
        with open(log, "a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.5)
        output.write_bytes(b"built")

    return cache.content(cache.built(cache.path("slow", ".bin", ["same"]), build))


def test_one_process_builds_and_the_others_wait(tmp_path):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.map(build_slowly, [tmp_path / "log"] * 4, chunksize=1) == [b"built"] * 4
    assert len((tmp_path / "log").read_text().splitlines()) == 1


def test_a_failed_or_killed_build_leaves_no_file(tmp_path):
    folder = tmp_path / "cache"

    def half(end):
        def build(output):
            output.write_bytes(b"half")
            end()

        cache.built(cache.path("slow", ".bin", ["same"]), build)

    with pytest.raises(ZeroDivisionError):
        half(lambda: 1 / 0)
    killed = multiprocessing.get_context("fork").Process(target=half, args=[lambda: os.kill(os.getpid(), 9)])
    killed.start()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert [len(list(folder.glob(pattern))) for pattern in ("slow*.bin", ".slow*.tmp")] == [0, 1]
    assert build_slowly(tmp_path / "log") == b"built"
    assert not list(folder.glob(".slow*.tmp"))


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "answer.cpp"
    path.write_text('extern "C" int answer() { return ANSWER; }\n')
    return path


def built(code, answer=42):
    return compiler.library(code.stem, [f"-DANSWER={answer}"], [code], [code.read_bytes()])


def test_a_library_is_built_once_wherever_its_code_lies(code, tmp_path):
    library = built(code)
    assert ctypes.CDLL(str(library)).answer() == 42
    date = library.stat().st_mtime_ns
    (tmp_path / "elsewhere").mkdir()
    assert built(code.rename(tmp_path / "elsewhere/answer.cpp")) == library
    assert library.stat().st_mtime_ns == date


def test_options_code_and_compiler_count(code, monkeypatch):
    libraries = {built(code), built(code, answer=43)}
    code.write_text(code.read_text() + "\n")
    libraries.add(built(code))
    monkeypatch.setattr(compiler, "identity", lambda: "another compiler")
    libraries.add(built(code))
    assert len(libraries) == 4


def test_an_error_names_its_place_keeps_the_rest_as_a_note_and_leaves_nothing(code):
    code.write_text("int f() { return missing; }\nsecond y;\n")
    message = r"answer\.cpp:1:18: .missing. was not declared in this scope \(and 1 more errors\)"
    with pytest.raises(UserError, match=message) as caught:
        built(code)
    assert "second" in caught.value.note
    assert [path.suffix for path in cache.folder().iterdir()] == [".lock"]


def test_without_a_compiler(code, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"^g\+\+: not found .*apt install g\+\+"):
        built(code)


@pytest.fixture
def other_compiler(tmp_path, monkeypatch):
    """Let CXX name a shell script."""

    def write(script):
        command = tmp_path / "my-compiler"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)
        monkeypatch.setenv("CXX", str(command))

    return write


def test_cxx_names_the_compiler(code, other_compiler):
    other_compiler('[ "$1" = --version ] && echo mine 1.0 || exec g++ -DNAMED "$@"')
    code.write_text("#ifdef NAMED\n" + code.read_text() + "#endif\n")
    assert ctypes.CDLL(str(built(code))).answer() == 42
    assert compiler.version() == "mine 1.0"


@pytest.mark.parametrize(
    ("file", "load"),
    [
        ("some.cpp", lambda folder: library.load("some", folder)),
        ("some.cpp", lambda folder: devices.open("cpu").kernels(folder / "some", "one")),
        ("some.cu", lambda folder: devices.open("host").kernels(folder / "some", "one")),
    ],
    ids=["graphs", "baseline", "kernel"],
)
def test_everything_is_compiled_by_that_compiler(tmp_path, monkeypatch, file, load):
    (tmp_path / file).write_text('extern "C" void one() {}\n')
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(UserError, match=r"^no-such-compiler: not found .* in CXX$"):
        load(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "/usr/bin/ld: final link failed: No space left on device",
        "collect2: fatal error: ld terminated with signal 7 [Bus error], core dumped",
        "/tmp/x.s: Fatal error: can't close /tmp/x.o: No space left on device",
    ],
)
def test_a_full_disk_is_named_when_the_linker_notices(code, other_compiler, line):
    other_compiler(f'echo "{line}\ncompilation terminated.\ncollect2: error: ld returned 1 exit status" >&2; exit 1')
    with pytest.raises(UserError, match="No space left on device"):
        built(code)


def test_a_cache_that_code_may_not_run_from_is_named(code, monkeypatch):
    path = built(code)
    refused = OSError(f"{path}: failed to map segment from shared object")
    monkeypatch.setattr(ctypes, "CDLL", mock.Mock(side_effect=refused))
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=os.ST_NOEXEC))
    with pytest.raises(UserError, match=f"^{path.parent}: is mounted noexec; set WARPATH_CACHE to a folder"):
        compiler.load(path)
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=0))
    with pytest.raises(OSError, match="map segment"):
        compiler.load(path)


def test_headers_of_native_code_count(tmp_path):
    for answer in (42, 43):
        (tmp_path / "part.h").write_text(f"#define ANSWER {answer}\n")
        (tmp_path / "some.cpp").write_text('#include "part.h"\nextern "C" int answer() { return ANSWER; }\n')
        library.load.cache_clear()
        assert library.load("some", tmp_path).answer() == answer
    library.load.cache_clear()
