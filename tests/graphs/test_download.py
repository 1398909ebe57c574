"""Downloads from a local server that fails in many ways."""

import gzip
import hashlib
import json
import multiprocessing
import os
import time

import pytest
import yaml
from graphs.server import (
    Server,
    cut,
    encoded,
    hang,
    instead,
    no_length,
    no_ranges,
    redirect,
    refuse_ranges,
    reset,
    stall,
    status,
)

from warpath.foundation.errors import UserError
from warpath.graphs import catalogue, download

BODY = gzip.compress(os.urandom(300_000))
SUM = hashlib.sha256(BODY).hexdigest()
GOOD = "/data/g.txt.gz"


@pytest.fixture
def server():
    server = Server(lambda path: BODY if path.endswith(GOOD) else None)
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def fetch(tmp_path, server):
    def run(url=None, mirrors=(), pause=0.01, **keys):
        (tmp_path / "c.yaml").write_text(yaml.safe_dump({"g": {"url": url or server.url + GOOD, **keys}}))
        entry = catalogue.load(tmp_path / "c.yaml")["g"]
        target = tmp_path / "downloads" / entry.files[0]
        return download.fetch(entry, entry.files[0], target, mirrors, pause=pause, timeout=(1, 0.3))

    return run


def visible(tmp_path):
    """The files that are not hidden."""
    folder = tmp_path / "downloads"
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(".")) if folder.exists() else []


def test_a_good_download(fetch, tmp_path):
    path = fetch(sha256=SUM)
    assert path.read_bytes() == BODY
    assert visible(tmp_path) == ["g.txt.gz", "g.txt.gz.origin.json"]
    (record,) = json.loads((tmp_path / "downloads" / "g.txt.gz.origin.json").read_text()).values()
    assert (record["sha256"], record["bytes"]) == (SUM, len(BODY))
    assert not list((tmp_path / "downloads").glob(".*.part*"))


@pytest.mark.parametrize(
    "script",
    [
        [status(500), status(503), status(502)],
        [status(429, Retry_After="0")],
        [status(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")],
        [hang],
        [stall],
        [reset],
        [cut(1000)],
        [cut(1000), cut(1000), cut(1000), cut(1000), cut(1000), cut(1000), cut(1000)],
        [cut(1000), no_ranges],
        [cut(1000), refuse_ranges, no_ranges],
        [redirect(GOOD + "?again")],
        [redirect("/elsewhere" + GOOD)],
        [no_length],
        [encoded],
        [cut(1000), status(500), cut(2000)],
    ],
    ids=[
        "500", "429", "429-date", "hangs", "stalls", "resets", "too-little", "little-by-little", "ignores-ranges",
        "refuses-ranges", "redirects", "redirects-away", "no-length", "content-encoding", "mixed",
    ],
)  # fmt: skip
def test_it_arrives_in_spite_of(fetch, server, script):
    server.script = list(script)
    server.find = lambda path: BODY if GOOD in path else None
    assert fetch(sha256=SUM).read_bytes() == BODY
    assert server.script == []


def test_a_broken_download_is_resumed(fetch, server):
    server.script = [cut(1000), cut(500)]
    fetch()
    assert [interval for _, interval in server.requests] == [None, "bytes=1000-", "bytes=1500-"]


def test_a_later_call_resumes_the_download(fetch, server):
    server.script = [cut(1000)] + [status(500)] * (download.ATTEMPTS - 1)
    with pytest.raises(UserError, match="500"):
        fetch()
    server.requests.clear()
    assert fetch(sha256=SUM).read_bytes() == BODY
    assert [interval for _, interval in server.requests] == ["bytes=1000-"]


def test_parts_of_two_files_are_not_joined(fetch, server):
    server.script = [cut(1000)] + [status(500)] * (download.ATTEMPTS - 1)
    with pytest.raises(UserError):
        fetch()
    other = BODY[::-1]
    server.find = lambda path: other
    assert fetch().read_bytes() == other


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ([status(404)], "404"),
        ([status(403)], "403"),
        ([status(500)] * 9, r"500 .*\(5 attempts\)"),
        ([status(429, Retry_After="9999")], "asks to wait 9999 seconds"),
        ([hang] * 9, "did not answer in time"),
        ([cut(0)] * 9, r"sent 0 of|connection broke"),
        ([instead(b"\n<!DOCTYPE html><html>sorry</html>")], "web page"),
        ([instead(b"<html>sorry</html>")], "web page"),
        ([instead(b"")], "empty file"),
        ([instead(b"1 2\n")], "another file: SHA-256 .* catalogue says " + SUM),
        ([redirect(GOOD)] * 31, "circle"),
    ],
    ids=["404", "403", "500", "429", "hangs", "nothing", "doctype", "html", "empty", "wrong", "redirects"],
)
def test_it_fails_in_one_line_and_leaves_nothing(fetch, server, tmp_path, script, words):
    server.script = script
    with pytest.raises(UserError, match=words) as caught:
        fetch(sha256=SUM)
    assert "\n" not in str(caught.value) and server.url + GOOD in str(caught.value)
    assert visible(tmp_path) == []
    server.script = []
    assert fetch(sha256=SUM).read_bytes() == BODY


def test_no_server(fetch, server, tmp_path):
    server.shutdown()
    server.server_close()
    with pytest.raises(UserError, match="no connection"):
        fetch()
    assert visible(tmp_path) == []


def test_retry_after_is_respected(fetch, server):
    server.script = [status(503, Retry_After="3")]
    begin = time.monotonic()
    fetch(pause=0.1)
    assert 0.3 <= time.monotonic() - begin < 3


def test_a_change_upstream_is_noticed(fetch, server, tmp_path):
    path = fetch()
    path.unlink()
    server.find = lambda path: BODY[::-1]
    with pytest.raises(UserError, match=f"has changed since 20.*SHA-256 was {SUM}.*delete .*origin.json"):
        fetch()
    assert not path.exists()
    path.with_name(path.name + ".origin.json").unlink()
    assert fetch().read_bytes() == BODY[::-1]


DAMAGED = [b"", b"[]", b'"x"', b'{"x', b"\xff", b'{"validator": 5, "total": "many"}', b'{"validator": "a\\nb"}']


@pytest.mark.parametrize("content", DAMAGED)
def test_damaged_records_and_states_are_ignored(fetch, server, content):
    server.script = [cut(1000)] + [status(500)] * (download.ATTEMPTS - 1)
    with pytest.raises(UserError, match="500"):
        fetch()
    path = fetch(sha256=SUM)  # resumed
    path.unlink()
    path.with_name(path.name + ".origin.json").write_bytes(content)
    server.script = [cut(1000)] + [status(500)] * (download.ATTEMPTS - 1)
    with pytest.raises(UserError, match="500"):
        fetch()
    (state,) = path.parent.glob(".*.part.json")
    state.write_bytes(content)
    assert fetch().read_bytes() == BODY
    assert SUM in path.with_name(path.name + ".origin.json").read_text()


def test_mirrors_come_first_and_fall_back(fetch, server, tmp_path):
    url = "https://nowhere.invalid" + GOOD
    folder = tmp_path / "mirror"
    (folder / "nowhere.invalid" / "data").mkdir(parents=True)
    file = folder / "nowhere.invalid" / GOOD[1:]
    file.write_bytes(b"1 2\n")  # another file
    path = fetch(url, [str(folder), server.url + "/404", server.url], sha256=SUM)
    assert path.read_bytes() == BODY
    assert len(server.requests) == 1
    path.unlink()
    server.requests.clear()
    file.write_bytes(BODY)
    assert fetch(url, [str(folder), server.url], sha256=SUM).read_bytes() == BODY
    assert server.requests == []


def test_an_alternative_address(fetch, server):
    other = {"url": server.url + "/other" + GOOD, "sha256": SUM}
    server.script = [status(404)]
    path = fetch(server.url + "/data/g.zip", also=[other])
    assert (path.name, path.read_bytes()) == ("g.zip", BODY)


def test_an_existing_file_is_not_fetched_again(fetch, server):
    fetch()
    server.requests.clear()
    fetch()
    assert server.requests == []


def _fetch_one(folder):
    entry = catalogue.load(folder / "c.yaml")["g"]
    download.fetch(entry, "g.txt.gz", folder / "downloads" / "g.txt.gz")


def test_processes_share_one_download(fetch, server, tmp_path):
    fetch().unlink()
    server.requests.clear()
    with multiprocessing.get_context("fork").Pool(6) as pool:
        pool.map(_fetch_one, [tmp_path] * 6)
    assert len(server.requests) == 1
    assert (tmp_path / "downloads" / "g.txt.gz").read_bytes() == BODY


def test_progress_on_a_terminal_and_elsewhere(monkeypatch):
    import io

    from warpath.graphs import progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    clock = iter(range(0, 10_000, 11))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    for stream in (Terminal(), io.StringIO()):
        bar = progress.Progress("g.gz", stream)
        bar.start(0, 2_000_000)
        bar.show(500_000)
        bar.end(2_000_000)
        shown = stream.getvalue()
        assert "25% of 2.0 MB" in shown and "2.0 MB in" in shown
        assert ("\r" in shown and "######" in shown) == stream.isatty()
        assert stream.isatty() or shown.count("\n") == 3
