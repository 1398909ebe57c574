"""Large gzip files, which many threads unpack, are read and refused as by one thread."""

import gzip
import subprocess
import sys

import numpy as np
import pytest

from warpath.base.errors import UserError
from warpath.graphs.readers import gzipped

pytest.importorskip("rapidgzip", reason="rapidgzip has no wheel for this platform")

IDS = np.random.default_rng(3).integers(0, 10**6, (60_000, 2))
LINES = [f"{u}\t{v}\n".encode() for u, v in IDS]
TEXT = b"".join(LINES)
PACKED = gzip.compress(TEXT, 6)
HALVES = [gzip.compress(b"".join(half)) for half in (LINES[:30_000], LINES[30_000:])]


def flipped(place):
    return PACKED[:place] + bytes([PACKED[place] ^ 16]) + PACKED[place + 1 :]


GOOD = {
    "one part": PACKED,
    "two parts": b"".join(HALVES),
    "an empty part": gzip.compress(b"") + PACKED,
    "an empty part last": PACKED + gzip.compress(b""),
    "zeros behind": PACKED + bytes(512),
}
BAD = {
    "cut at its half": PACKED[: len(PACKED) // 2],
    "cut in the last block": PACKED[:-30],
    "cut before its sums": PACKED[:-8],
    "cut within its sums": PACKED[:-3],
    "second part cut": HALVES[0] + HALVES[1][:-9],
    "wrong sum": PACKED[:-8] + b"1234" + PACKED[-4:],
    "wrong size": PACKED[:-4] + b"1234",
    "something behind": PACKED + b"behind" * 20,
    "flipped at its half": flipped(len(PACKED) // 2),
    "flipped near the end": flipped(len(PACKED) - 100),
    "not packed": PACKED[:10] + bytes(range(256)) * 99,
}


@pytest.fixture
def by_many(monkeypatch):
    """Make a file of any size one for many threads; return the list of those that they were tried on."""
    tried, unpack = [], gzipped.by_many
    for name, value in {"LEAST_THREADS": 1, "LARGE": 0, "LEAST_PIECE": 0, "PIECE": 128 << 10}.items():
        monkeypatch.setattr(gzipped, name, value)
    monkeypatch.setattr(gzipped, "by_many", lambda path: tried.append(path) or unpack(path))
    return tried


@pytest.mark.parametrize("case", GOOD)
def test_what_is_whole_is_read(convert, by_many, case):
    graph = convert(GOOD[case], "g.txt.gz", weights="unit")
    assert by_many
    assert graph.metadata["read"]["edges"] == len(LINES)
    np.testing.assert_array_equal(graph.labels, np.unique(IDS))


@pytest.mark.parametrize("case", BAD)
def test_damage_is_told_as_by_one_thread(monkeypatch, convert, by_many, case):
    messages = []
    for _ in range(2):
        with pytest.raises(UserError) as caught:
            convert(BAD[case], "g.txt.gz", weights="unit")
        messages.append(str(caught.value))
        monkeypatch.setattr(gzipped, "LARGE", 1 << 40)
    assert messages[0] == messages[1]


@pytest.mark.parametrize("threads", [gzipped.LEAST_THREADS - 1, gzipped.LEAST_THREADS])
def test_few_threads_small_files_and_little_memory_are_left_to_one(monkeypatch, tmp_path, threads):
    (tmp_path / "g.gz").write_bytes(PACKED)
    monkeypatch.setattr("warpath.base.processor.cores", lambda: threads)
    assert gzipped.by_many(tmp_path / "g.gz") is None
    monkeypatch.setattr(gzipped, "LARGE", 0)
    assert (gzipped.by_many(tmp_path / "g.gz") is None) == (threads < gzipped.LEAST_THREADS)
    too_little = gzipped.MOST_THREADS * gzipped.LEAST_PIECE * gzipped.MOST_KEPT - 1
    monkeypatch.setattr("warpath.base.processor.free_bytes", lambda: too_little)
    assert gzipped.by_many(tmp_path / "g.gz") is None


LEFT_OPEN = """
from warpath.graphs.readers import gzipped
from warpath.graphs.readers.text import Text
gzipped.LARGE = gzipped.LEAST_THREADS = 0
text = Text("g.gz")
assert text.peek().count(b"\\t") == 1
raise SystemExit(3)
"""


def test_a_file_that_is_left_open_does_not_abort_the_end(tmp_path):
    (tmp_path / "g.gz").write_bytes(PACKED)
    done = subprocess.run([sys.executable, "-c", LEFT_OPEN], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
