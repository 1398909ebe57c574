"""Edge lists as in the Network Repository: `u v` or `u v weight`; `%` or `#` starts a comment."""

from warpath.graphs.readers import plain
from warpath.graphs.readers.snap import stated_direction


def read(text, use, given=None):
    comments = text.skip_while(lambda line: not line or line.startswith((b"%", b"#")))
    return plain.read(text, use, b"%#", given, directed=stated_direction(b"\n".join(comments)), above=comments)
