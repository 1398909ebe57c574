"""Text from outside is shown without control characters, line breaks and marks that reverse its direction."""

import re

import pyarrow as pa
import pytest
from graphs.server import answering, labelled, serve, serving
from graphs.test_formats import GML, GRAPHML, MTX, arrow, npz, parquet, tar, zipped

from warpath.base.errors import UserError
from warpath.graphs import csr, download, export
from warpath.graphs.prepare import prepare, summary

EVIL = "\x1b[2J\x07<b>\u202e\x9b"
LINES = EVIL + "\r\n"


def xml(text):
    """The evil that XML allows."""
    return text.replace("E", "\u202e&#x85;&#10;").encode()


FILES = {  # name, content: what readers show in notes, or might stumble over
    "word": ("g.txt", f"1 2\n1 {EVIL}\n"),
    "column that is ignored": ("g.csv", f"u,v,{EVIL}\n1,2,3\n"),
    "name in a tar": ("x.tar", tar({f"{EVIL}.mtx": MTX, "b": "%"})),
    "name in a zip": ("x.zip", zipped({f"{EVIL}.mtx": MTX, "b": "%"})),
    "array": ("g.npz", npz(**{"u": [1], "v": [2], EVIL.replace("/", ""): [3]})),
    "column of parquet": ("g.parquet", parquet(pa.table({"u": [1], "v": [2], LINES: [3]}))),
    "text of arrow": ("g.arrow", arrow(pa.ipc.new_stream, pa.table({"u": [LINES], "v": ["b"]}))),
    "vertex of graphml": ("g.graphml", re.sub(rb'"([123])"', xml(r'"E\1"'), GRAPHML)),
    "attribute of graphml": ("g.graphml", GRAPHML.replace(b'name="weight"', xml('name="E"'))),
    "label of gml": ("g.gml", re.sub(rb"node \[ id (.)", xml(r'node [ id \1 label "E\1"'), GML)),
    "word of gml": ("g.gml", GML.replace(b"node", EVIL.encode())),
    "name of a file": (f"{EVIL.replace('/', '')}.txt", "x\n"),
}


def require_printable(*texts):
    for text in texts:
        assert all(line.isprintable() for line in text.split("\n")), ascii(text)


@pytest.mark.parametrize("case", FILES)
def test_of_files(tmp_path, capsys, entry, case):
    name, content = FILES[case]
    path = tmp_path / name.replace("/", "")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    message = ""
    try:
        message = summary(prepare(entry(path="g.txt"), [path], tmp_path / "out", as_catalogued=False))
    except UserError as error:
        message = str(error)
        assert "\n" not in message
    noted = capsys.readouterr()
    require_printable(message, noted.out, noted.err)
    assert noted.err.count("\n") == sum(line.startswith("g: ") for line in noted.err.splitlines())
    assert re.search(r"\\x1b|\\u202e", message + noted.err), ascii(message + noted.err)


def raw(line, body=b""):
    """Answer with bytes that a decent server would not send."""

    def answer(request, _):
        request.wfile.write(f"{line}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        request.close_connection = True

    return answer


HEADERS = {
    "long reason": [raw(f"HTTP/1.1 404 {'x' * 60_000}")],
    "reason that is tried again": [raw(f"HTTP/1.1 503 {EVIL}"), answering(404)],
    "no status": [raw(f"{EVIL} 200 OK")] * 5,
    "length": [labelled(answering(200), Content_Length=f"5{EVIL.encode().decode('latin-1')}")],
    "place": [answering(302, Location="gopher://me:hidden@x/" + EVIL.encode().decode("latin-1"))] * 5,
    "again": [labelled(answering(429), Retry_After=EVIL.encode().decode("latin-1")), answering(404)],
    "label": [labelled(serve, ETag=EVIL.encode().decode("latin-1"))],
    "page": [raw("HTTP/1.1 200 OK", b"<html>" + EVIL.encode())],
}


@pytest.mark.parametrize("case", HEADERS)
def test_of_servers(tmp_path, capsys, entry, case):
    with serving(lambda path: b"1 2\n") as server:
        server.script = list(HEADERS[case])
        described = entry(url=f"{server.url}/g.txt")
        try:
            download.fetch(described, "g.txt", tmp_path / "g.txt", pause=0.001, timeout=(1, 1), minimum_rate=0)
        except UserError as error:
            assert str(error).isprintable() and len(str(error)) < 1000 and "hidden" not in str(error)
        else:
            assert case == "label"
    require_printable(*capsys.readouterr())
    require_printable(*(path.read_text() for path in tmp_path.glob("*.json")))


def test_names_come_back_from_an_exported_table(tmp_path, entry, convert):
    """They are data: quoted where the format needs it, and not changed."""
    names = ['a"b', "c\td", "e\nf", EVIL]
    table = pa.table({"u": names, "v": names[1:] + names[:1]})
    convert(arrow(pa.ipc.new_stream, table), "g.arrow")
    export.export(tmp_path / "out", tmp_path / "back.tsv")
    prepare(entry(path="back.tsv"), [tmp_path / "back.tsv"], tmp_path / "again")
    assert csr.names(tmp_path / "again") == csr.names(tmp_path / "out") == sorted(names)
