"""Tables in text: CSV and TSV with names of columns, or `source,target,rating,time` as in SNAP's signed networks."""

from warpath.graphs.readers import plain


def read(text, use, given=None):
    text.skip_while(lambda line: not line or line.startswith(b"#"))
    return plain.read(text, use, b"#", given)
