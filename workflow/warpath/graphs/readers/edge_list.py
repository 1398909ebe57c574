"""Edge lists as in the Network Repository: `u v` or `u v weight`; `%` or `#` starts a comment."""

from warpath.graphs.readers import plain


def read(text, use, given=None):
    text.skip_while(lambda line: not line or line.startswith((b"%", b"#")))
    return plain.read(text, use, b"%#", given)
