"""Signed networks of SNAP: `source,target,rating,time`, optionally below a line of column names."""

from warpath.graphs.readers import plain


def read(text, negative):
    text.skip_while(lambda line: not line or line.startswith(b"#"))
    if (line := text.peek()) and line[:1].isalpha():
        text.take()
    return plain.read(text, negative, b"#", b",")
