"""Tables in text: CSV and TSV with names of columns, or `source,target,rating,time` as in SNAP's signed networks."""

from warpath.graphs.readers import plain
from warpath.graphs.readers.snap import stated_direction


def read(text, use, given=None):
    comments = text.skip_while(lambda line: not line or line.startswith(b"#"))
    return plain.read(text, use, b"#", given, directed=stated_direction(b"\n".join(comments)), above=comments)
