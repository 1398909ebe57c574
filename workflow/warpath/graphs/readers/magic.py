"""Tell what a file is by its first bytes: the formats that are read as a whole, and those that cannot be read."""

import re
from pathlib import Path

BINARY = {
    b"PAR1": "parquet",
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
}

WEBGRAPH = (
    "a WebGraph of LAW, which is not read; `java it.unimi.dsi.webgraph.ArcListASCIIGraph NAME g.txt` makes a list"
)
UTF_16 = "text in UTF-16; convert it by `iconv -f UTF-16 -t UTF-8`"
UTF_32 = "text in UTF-32; convert it by `iconv -f UTF-32 -t UTF-8`"
UNREADABLE = {  # by what it is: its first bytes, in lower case or as they are
    "a pointer of Git LFS, not the file; fetch it by `git lfs pull`": b"version https://git-lfs",
    "a pointer of git-annex, not the file; fetch it by `git annex get`": b"/annex/objects/",
    UTF_32: (b"\xff\xfe\0\0", b"\0\0\xfe\xff"),
    UTF_16: (b"\xff\xfe", b"\xfe\xff"),
    "Arrow or Feather, which is not read; write the edges as Parquet": (b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"),
    "an HDF5 file, which is not read; write the edges as Parquet, npz or text": b"\x89HDF\r\n",
    "a MATLAB file, which is not read; write the matrix as Matrix Market": b"MATLAB 5.0",
    "a Python pickle, which is never read; write the graph as npz or Parquet": (b"\x80\x04\x95", b"\x80\x05\x95"),
    "an SQLite database, which is not read; write the edges as CSV": b"SQLite format 3",
    "a PDF, not a graph": b"%PDF",
    "a program, not a graph": b"\x7fELF",
    "packed by 7-Zip, which is not read; unpack it": b"7z\xbc\xaf",
    "packed by RAR, which is not read; unpack it": b"Rar!",
    "packed by lzma, which is not read; unpack it by `unlzma`": b"]\0\0",
    "packed by compress, which is not read; unpack it by `uncompress`": b"\x1f\x9d",
    "packed by lz4, which is not read; unpack it by `unlz4`": b"\x04\x22\x4d\x18",
    "packed twice; unpack it once": (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"),
    "a Pajek file, which is not read; write the edges as CSV": b"*vertices",
    "a web page or XML, not a graph; delete it and open its URL in a browser": b"<",
    "JSON, which is not read; write the edges as CSV": (b"{", b"["),
}


def binary(start):
    """Return the format of a file that is read as a whole, or None."""
    return next((name for letters, name in BINARY.items() if start.startswith(letters)), None)


def unreadable(start, path):
    """Say what a file is that cannot be read as text; None for text."""
    begin, properties = start.lstrip(), Path(path).with_suffix(".properties")
    is_graph = Path(path).suffix == ".graph"
    kinds = {
        "GraphML or GEXF, which is not read; write the edges as CSV": b"<graphml" in start or b"<gexf" in start,
        "GML, which is not read; write the edges as CSV": re.search(rb"(?im)^\s*graph\s*\[", start),
        WEBGRAPH: is_graph and properties.is_file() and b"BVGraph" in properties.read_bytes()[:4096],
        **{kind: begin.startswith(words) or begin.lower().startswith(words) for kind, words in UNREADABLE.items()},
        f"not text: probably {WEBGRAPH}": is_graph and re.search(rb"[\x00-\x08\x0e-\x1f]", start),
        "a tar that is damaged or packed within another archive; unpack it": start[257:262] == b"ustar",
    }
    kinds[WEBGRAPH] |= begin.startswith(b"#BVGraph")
    kinds[UTF_16] |= len(start) > 3 and (start[:4:2] == b"\0\0") != (start[1:4:2] == b"\0\0")  # without a mark
    return next((kind for kind, holds in kinds.items() if holds), None)
