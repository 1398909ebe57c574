"""Edge lists of the Network Repository and others: `u v` or `u v weight`, comments by `%` or `#`."""

from warpath.graphs.readers import plain


def read(text, negative):
    text.skip_while(lambda line: not line or line.startswith((b"%", b"#")))
    return plain.read(text, negative, b"%#")
