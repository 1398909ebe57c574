"""Tell what a file is by its first bytes: the formats that are read as a whole, and those that cannot be read."""

BINARY = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",  # a stream of Arrow
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
}

UTF_16 = "text in UTF-16 or UTF-32; convert it by `iconv -t UTF-8`"
UNREADABLE = {  # by what it is: its first bytes
    "a pointer of Git LFS or git-annex, not the file; fetch it": (b"version https://git-lfs", b"/annex/objects/"),
    UTF_16: (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"),
    "packed twice, or in a way that is not read; unpack it": (
        *(b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"),
        *(b"7z\xbc\xaf", b"Rar!", b"]\0\0", b"\x1f\x9d", b"\x04\x22\x4d\x18"),  # by 7-Zip, RAR, lzma, compress, lz4
    ),
    "a web page or XML, not a graph; delete it and open its URL in a browser": b"<",
    # HDF5, MATLAB, pickles of Python, SQLite, JSON, Pajek, WebGraph
    "in no format that is read; write the edges as Parquet, npz or text": (
        *(b"\x89HDF\r\n", b"MATLAB 5.0", b"\x80\x04\x95", b"\x80\x05\x95", b"SQLite format 3"),
        *(b"{", b"[", b"*vertices", b"*Vertices", b"#BVGraph"),
    ),
}


def binary(start):
    """Return the format of a file that is read as a whole, or None."""
    for letters, name in BINARY.items():
        if start.startswith(letters):
            return name
    if b"<graphml" in start:
        return "graphml"
    words = start.lstrip(b"\xef\xbb\xbf")
    lines = [line.split() for line in words.splitlines() if line.strip() and not line.lstrip().startswith(b"#")]
    lines = [line for line in lines if line[0].lower() not in (b"creator", b"version", b"comment")]
    return "gml" if lines and lines[0][0].lower() == b"graph" and b"[" in words else None


def unreadable(start):
    """Say what a file is that cannot be read as text; None for text."""
    kinds = {kind: start.lstrip().startswith(words) for kind, words in UNREADABLE.items()}
    kinds["a tar that is damaged or packed within another archive; unpack it"] = start[257:262] == b"ustar"
    kinds[UTF_16] |= len(start) > 3 and (start[:4:2] == b"\0\0") != (start[1:4:2] == b"\0\0")  # without a mark
    return next((kind for kind, holds in kinds.items() if holds), None)
