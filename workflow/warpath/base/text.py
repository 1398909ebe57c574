"""Text from outside, made safe to show: file names, lines of files, headers of servers, URLs. Numbers of things."""

import re

_NAMES = "token|key|secret|sig|passw|auth|credential"
_SECRET = re.compile(rf"""(?i)([?&;#][^=&;#\s]*(?:{_NAMES})[^=&;#\s]*=)[^&;#\s'"]+""")
_USER = re.compile(r"""(?i)\b([a-z][a-z0-9+.-]*://)[^/?#\s'"]*@""")


def escaped(text, keep=""):
    """Return the text with every character that is not printable as an escape, such as \\x1b, except those to `keep`.

    These are control characters, line breaks, marks that reverse the direction of text, and bytes that are not UTF-8.
    """
    text = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else str(text)
    if text.isprintable():
        return text
    shown = (letter if letter.isprintable() or letter in keep else ascii(letter)[1:-1] for letter in text)
    return "".join(part.replace("\\udc", "\\x") for part in shown)  # of a byte that is not UTF-8


def listed(parts, most=None):
    """The parts as in a sentence: a, b and c; of many more than `most` the others are counted."""
    if most and len(parts) > most + 1:
        parts = [*parts[:most], f"{len(parts) - most} more"]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def reason(error):
    """The first line of an exception's message for one of our own, cut to 200 letters; its type if it has none."""
    line = escaped(str(error).strip().partition("\n")[0])
    if not line or isinstance(error, KeyError):
        line = f"{type(error).__name__} {line}".strip()
    return line if len(line) <= 200 else line[:197] + "..."


def without_credentials(text):
    return _SECRET.sub(r"\1***", _USER.sub(r"\1***@", text))


def shown_url(url):
    return escaped(without_credentials(url)) if "://" in url else url


def counted(number, noun):
    """Format a number of things: 1 run, 2,048 runs."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
