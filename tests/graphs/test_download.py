"""Downloads from a local server that fails in many ways."""

import gzip
import hashlib
import json
import multiprocessing
import os
import socket
import time
from functools import partial
from types import SimpleNamespace

import pytest
import yaml
from graphs import server as web

from warpath.base.errors import UserError
from warpath.graphs import catalogue, download

BODY = gzip.compress(os.urandom(300_000))
SUM = hashlib.sha256(BODY).hexdigest()
GOOD = "/data/g.txt.gz"
EVIL = "\x1b[2J\x07<b>\u202e\x9b"
LATIN = EVIL.encode().decode("latin-1")  # as headers are sent


@pytest.fixture
def server():
    with web.serving(lambda path: BODY if path.endswith(GOOD) else None) as running:
        yield running


@pytest.fixture
def fetch(tmp_path, server):
    def run(url=None, mirrors=(), pause=0.01, rate=0, **keys):
        (tmp_path / "c.yaml").write_text(yaml.safe_dump({"g": {"url": url or server.url + GOOD, **keys}}))
        entry = catalogue.load(tmp_path / "c.yaml")["g"]
        target = tmp_path / "downloads" / entry.origin.file
        return download.fetch(entry, target, mirrors, pause=pause, timeout=(1, 0.3), minimum_rate=rate)

    return run


def visible(tmp_path):
    """The files that are not hidden."""
    folder = tmp_path / "downloads"
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(".")) if folder.exists() else []


def test_a_good_download_happens_once(fetch, tmp_path, server):
    assert fetch(sha256=SUM) == (path := fetch(sha256=SUM)) and len(server.requests) == 1
    assert path.read_bytes() == BODY
    assert visible(tmp_path) == ["g.txt.gz", "g.txt.gz.origin.json"]
    (record,) = json.loads((tmp_path / "downloads" / "g.txt.gz.origin.json").read_text()).values()
    assert (record["sha256"], record["bytes"]) == (SUM, len(BODY))
    assert not list((tmp_path / "downloads").glob(".*.part*"))


OTHER = os.urandom(len(BODY) - 1000)  # the rest of another version of the file
INTERVAL = f"bytes 1000-{len(BODY) - 1}/{len(BODY)}"
RANGE_OF_ANOTHER = web.answering(206, OTHER, ETag='"another"', Content_Range=INTERVAL)
TROUBLES = {
    "500": [web.answering(500), web.answering(503), web.answering(502)],
    "429": [web.answering(429, Retry_After="0")],
    "429-date": [web.answering(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")],
    "hangs": [web.hang],
    "stalls": [web.stall],
    "resets": [web.reset],
    "little-by-little": [web.cut(1000)] * 7,
    "ignores-ranges": [web.cut(1000), web.answering(200, BODY)],
    "refuses-ranges": [web.cut(1000), web.answering(416), web.answering(200, BODY)],
    "redirects-away": [web.answering(302, Location="/elsewhere" + GOOD)],
    "no-length": [web.no_length],
    "hostile-label": [web.labelled(web.cut(1000), ETag=LATIN)],
    "content-encoding": [web.answering(200, BODY, Content_Encoding="gzip")],
    "chunked": [web.chunked],
    "cut-chunks": [partial(web.chunked, complete=False)],
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_it_arrives_in_spite_of(fetch, server, capsys, trouble):
    server.script = list(TROUBLES[trouble])
    server.find = lambda path: BODY if GOOD in path else None
    assert fetch(sha256=SUM).read_bytes() == BODY
    assert server.script == []
    stated_no_size = "stated no size, so a part that is missing at the end would not be noticed"
    assert (stated_no_size in capsys.readouterr().err) == (trouble in ("no-length", "chunked"))


def break_off(fetch, server):
    """Leave the first thousand bytes of a download."""
    server.script = [web.cut(1000)] + [web.answering(500)] * (download.ATTEMPTS - 1)
    with pytest.raises(UserError, match="500"):
        fetch()
    server.requests.clear()


def test_a_later_call_resumes_the_download(fetch, server):
    break_off(fetch, server)
    assert fetch(sha256=SUM).read_bytes() == BODY
    assert [interval for _, interval in server.requests] == ["bytes=1000-"]


@pytest.mark.parametrize("again", [{"Last_Modified": "Tue, 03 Jan 2023 00:00:00 GMT"}, {"ETag": None}, {"ETag": '"b"'}])
def test_a_range_is_joined_only_if_it_has_the_labels_of_the_first_part(fetch, server, again):
    first = {"ETag": None, "Last_Modified": "Mon, 02 Jan 2023 00:00:00 GMT"} if "Last_Modified" in again else {}
    server.script = [web.labelled(web.cut(1000), **first), web.labelled(web.cut(9000), **{**first, **again})]
    if first:  # the server compares the date with its own ETag, so it ignores the range; say that it does not
        server.script[1] = web.labelled(RANGE_OF_ANOTHER, ETag=None, **again)
    assert fetch(sha256=SUM).read_bytes() == BODY
    assert [interval for _, interval in server.requests] == [None, "bytes=1000-", None]


MONDAY = "Mon, 02 Jan 2023 00:00:00 GMT"
WEAK = {  # labels of both parts, whether the catalogue has a checksum, whether a part is resumed
    "nothing": ({"ETag": None}, False, False),
    "a date": ({"ETag": None, "Last_Modified": MONDAY}, False, False),
    "a weak ETag": ({"ETag": 'W/"a"'}, False, False),
    "a strong ETag": ({"ETag": '"a"'}, False, True),
    "a checksum": ({"ETag": None}, True, True),
    "a date and a checksum": ({"ETag": None, "Last_Modified": MONDAY}, True, True),
}


@pytest.mark.parametrize("case", WEAK)
def test_a_part_is_resumed_only_where_it_is_proved_to_be_of_the_same_file(fetch, server, case):
    labels, has_sum, resumes = WEAK[case]
    rest = web.answering(206, BODY[1000:], Content_Range=INTERVAL)
    server.script = [web.labelled(web.cut(1000), **labels), web.labelled(rest if resumes else web.serve, **labels)]
    assert fetch(**{"sha256": SUM} if has_sum else {}).read_bytes() == BODY
    assert [interval for _, interval in server.requests] == [None, "bytes=1000-" if resumes else None]


@pytest.mark.parametrize("keys", [{}, {"published": {"edges": 10}}])
@pytest.mark.parametrize("send", [web.chunked, web.no_length])
def test_a_server_that_states_no_size_does_not_send_for_ever(fetch, server, tmp_path, monkeypatch, keys, send):
    monkeypatch.setattr(download, "MOST_UNSTATED", 100_000)
    server.script = [send]
    monkeypatch.setattr(download, "CHUNK", 1000)
    most = "2,280" if keys else "100,000"
    with pytest.raises(UserError, match=f"states no size, and sent more than {most} bytes, too many for this graph$"):
        fetch(**keys)
    assert visible(tmp_path) == [] and not list((tmp_path / "downloads").glob(".*.part*"))


def test_a_range_may_leave_out_the_date(fetch, server):
    server.script = [web.labelled(web.cut(1000), Last_Modified="Mon, 02 Jan 2023 00:00:00 GMT")]
    assert fetch().read_bytes() == BODY
    assert len(server.requests) == 2


def test_a_slow_server_is_given_up(fetch, server, monkeypatch):
    monkeypatch.setattr(download, "RATE_INTERVAL", 0.1)
    server.script = [web.trickle] * 5
    with pytest.raises(UserError, match=r"the server sends 0\.\d kB/s, and download_rate asks for 10 \(5 attempts\)"):
        fetch(rate=10)
    server.script = [web.labelled(web.trickle, ETag=None)]
    assert fetch(rate=0).read_bytes() == BODY


def redirected(schema):
    """Refused by requests, which knows http and https alone."""
    script = [web.answering(302, Location=f"{schema}://me:hidden@localhost/etc/passwd")]
    return script, rf"found for '{schema}://\*\*\*@localhost/etc"


def raw(line, body=b""):
    """Answer with bytes that a decent server would not send."""

    def answer(request, _):
        request.wfile.write(f"{line}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        request.close_connection = True

    return answer


FAILURES = {  # the script, words of the message
    "404": ([web.answering(404)], "404"),
    "429": ([web.answering(429, Retry_After="9999")], "asks to wait 9999 seconds"),
    "500": ([web.answering(500)] * 5, r"500 .*\(5 attempts\)"),
    "hangs": ([web.hang] * 5, r"did not answer in time \(5 attempts\)"),
    "nothing": ([web.cut(0)] * 5, r"(sent 0 of|connection broke).*\(5 attempts\)"),
    "html": ([web.answering(200, b"<html>sorry</html>")], "web page"),
    "empty": ([web.answering(200, b"")], "empty file"),
    "wrong": ([web.answering(200, b"1 2\n")], "another file: SHA-256 .* catalogue says " + SUM),
    "long reason": ([raw(f"HTTP/1.1 404 {'x' * 60_000}")], "404 x"),
    "reason": ([raw(f"HTTP/1.1 503 {EVIL}"), web.answering(404)], "404"),
    "no status": ([raw(f"{EVIL} 200 OK")] * 5, r"\(5 attempts\)"),
    "pause": ([web.labelled(web.answering(429), Retry_After=LATIN), web.answering(404)], "404"),
    "page": ([raw("HTTP/1.1 200 OK", b"<html>" + EVIL.encode())], "web page"),
    "circle": ([web.answering(302, Location=GOOD)] * 31, "circle"),
    **{schema: redirected(schema) for schema in ("gopher", "file", "ftp", "data")},
    **{
        length: ([web.labelled(web.answering(200), Content_Length=length)], "impossible size|unmatching|are free in")
        for length in ("-1", "many", "1" * 30, "5, 6", "1" * 15, f"5{LATIN}")
    },
}


@pytest.mark.parametrize("failure", FAILURES)
def test_it_fails_in_one_line_and_leaves_nothing(fetch, server, tmp_path, capsys, failure):
    """What cannot succeed is not tried again."""
    script, words = FAILURES[failure]
    server.script = list(script)
    with pytest.raises(UserError, match=words) as caught:
        fetch(sha256=SUM)
    assert str(caught.value).isprintable() and server.url + GOOD in str(caught.value)
    assert len(str(caught.value)) < 1000 and "hidden" not in str(caught.value)
    assert all(line.isprintable() for line in capsys.readouterr().err.split("\n"))
    assert ("attempts" in str(caught.value)) == ("attempts" in words)
    assert len(server.requests) == len(script) and visible(tmp_path) == []
    assert fetch(sha256=SUM).read_bytes() == BODY


NOWHERE = {
    "a long label": (f"http://{'a' * 64}.org/g.txt.gz", "label|too long|URL"),
    "a port": ("http://localhost:99999/g.gz", "Failed to parse"),
    "no server": ("http://127.0.0.1:9/g.gz", "no connection"),
    "no encryption": ("https://{server}/g.gz", r"no secure connection: .*(WRONG_VERSION|RECORD|HTTP_REQUEST|wrong)"),
}


@pytest.mark.parametrize("case", NOWHERE)
def test_addresses_without_a_server(fetch, server, tmp_path, case):
    url, words = NOWHERE[case]
    with pytest.raises(UserError, match=words) as caught:
        fetch(url.format(server=server.url.removeprefix("http://")))
    assert ("attempts" in str(caught.value)) == (case == "no server") and visible(tmp_path) == []


def test_credentials_are_not_shown_or_recorded(fetch, server, tmp_path, capsys):
    url = server.url.replace("://", "://me:hidden@") + GOOD + "?access_token=hidden&part=1"
    server.find = lambda path: BODY
    server.script = [web.answering(500), web.answering(404)]
    with pytest.raises(UserError, match=r"http://\*\*\*@127.*access_token=\*\*\*&part=1: ") as caught:
        fetch(url)
    fetch(url)
    origin = next((tmp_path / "downloads").glob("*.origin.json")).read_text()
    assert "access_token=***" in origin
    assert "hidden" not in origin + str(caught.value) + "".join(capsys.readouterr())


def test_an_unknown_host_is_tried_twice_and_stand_ins_are_named(fetch, monkeypatch):
    asked = []

    def resolve(host, *_, **__):
        asked.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    url = "http://snap.example/g.txt"
    with pytest.raises(UserError, match=r"\(is there a network\?\) \(2 attempts\)$"):
        fetch(url)
    with pytest.raises(UserError, match=r"add --config scale=offline, which replaces this graph by a generated one$"):
        fetch(url, stand_in={"kind": "path", "vertices": 9})
    assert asked == 4 * ["snap.example"]


def test_retry_after_is_respected(fetch, server):
    server.script = [web.answering(503, Retry_After="3")]
    begin = time.monotonic()
    fetch(pause=0.1)
    assert time.monotonic() - begin >= 0.3


def test_a_change_upstream_is_noticed(fetch, server, tmp_path):
    path = fetch()
    path.unlink()
    server.find = lambda path: BODY[::-1]
    with pytest.raises(UserError, match=f"has changed since 20.*SHA-256 was {SUM}.*delete .*origin.json"):
        fetch()
    assert not path.exists()
    path.with_name(path.name + ".origin.json").unlink()
    assert fetch().read_bytes() == BODY[::-1]


DAMAGED = [b"", b"[]", b'"x"', b'{"x', b"\xff", b'{"etag": 5, "total": "many"}', b'{"etag": "a\\nb"}']


@pytest.mark.parametrize("content", DAMAGED)
def test_damaged_records_and_states_are_ignored(fetch, server, content):
    path = fetch()
    path.unlink()
    path.with_name(path.name + ".origin.json").write_bytes(content)
    break_off(fetch, server)
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
    server.script = [web.answering(404)]
    path = fetch(server.url + "/data/g.zip", also=[other])
    assert (path.name, path.read_bytes()) == ("g.zip", BODY)


def _fetch_one(folder):
    entry = catalogue.load(folder / "c.yaml")["g"]
    download.fetch(entry, folder / "downloads" / "g.txt.gz")


def test_processes_share_one_download(fetch, server, tmp_path):
    fetch().unlink()
    server.requests.clear()
    with multiprocessing.get_context("fork").Pool(6) as pool:
        pool.map(_fetch_one, [tmp_path] * 6)
    assert len(server.requests) == 1
    assert (tmp_path / "downloads" / "g.txt.gz").read_bytes() == BODY


def test_progress_is_a_line_every_ten_seconds(monkeypatch, tmp_path):
    clock, pieces, said = iter([0, 1, 11, 12, 22]), iter([bytes(100_000), bytes(400_000), bytes(100_000), b""]), []
    monkeypatch.setattr(download.time, "monotonic", lambda: next(clock))
    response = SimpleNamespace(raw=SimpleNamespace(read1=lambda *_, **__: next(pieces)))
    download._receive(response, tmp_path / "part", 0, 600_000, said.append, minimum_rate=10)
    assert said == ["600.0 kB to fetch", " 83% of 600.0 kB, 45.5 kB/s", "600.0 kB in 22.0 s"]
