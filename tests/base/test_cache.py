"""The cache returns complete files, whichever processes build at the same time and however a build ends."""

import multiprocessing
import os
import signal
import time

import pytest

from warpath.base import cache


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-1],
        lambda whole: whole[:1000],
        lambda _: b"",
        lambda whole: whole[:5000] + b"?" + whole[5001:],
    ],
)
def test_a_damaged_file_is_rebuilt(damage):
    builds = []

    def build(output):
        builds.append(output)
        output.write_bytes(bytes(range(256)) * 100)

    path = cache.built("some", ".bin", ["ingredient"], build)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.content(path) is None
    assert cache.built("some", ".bin", ["ingredient"], build) == path
    assert cache.content(path) == bytes(range(256)) * 100
    assert len(builds) == 2


def test_the_boundaries_of_ingredients_count():
    paths = [
        cache.built("some", ".bin", ingredients, lambda output: output.write_bytes(b"x"))
        for ingredients in (["ab", "c"], ["a", "bc"], ["abc"])
    ]
    assert len(set(paths)) == 3


def build_slowly(log):
    def build(output):
        with open(log, "a") as file:
            file.write(f"{os.getpid()}\n")
        time.sleep(0.5)
        output.write_bytes(b"built")

    return cache.content(cache.built("slow", ".bin", ["same"], build))


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

        cache.built("slow", ".bin", ["same"], build)

    with pytest.raises(ZeroDivisionError):
        half(lambda: 1 / 0)
    killed = multiprocessing.get_context("fork").Process(target=half, args=[lambda: os.kill(os.getpid(), 9)])
    killed.start()
    killed.join()
    assert killed.exitcode == -signal.SIGKILL
    assert [len(list(folder.glob(pattern))) for pattern in ("slow*.bin", ".slow*.tmp")] == [0, 1]
    assert build_slowly(tmp_path / "log") == b"built"
    assert not list(folder.glob(".slow*.tmp"))


def test_each_build_is_timed_and_a_cached_file_is_not(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "build_seconds", [])
    for _ in range(2):
        build_slowly(tmp_path / "log")
    (seconds,) = cache.build_seconds
    assert seconds >= 0.5
