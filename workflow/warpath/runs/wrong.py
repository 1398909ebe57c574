"""Records of wrong answers by algorithms that should be exact."""

import collections
import contextlib
import json
from pathlib import Path


def named(records):
    """Name each algorithm that should be exact and has a wrong record, with the number of them; empty if none has."""
    wrong = collections.Counter(filter(None, map(_wrong, records)))
    return ", ".join(f"{name} ({count})" for name, count in wrong.items())


def _wrong(path):
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        content = Path(path).read_bytes()
        if b'"wrong"' in content:  # most records are not, and need not be parsed
            record = json.loads(content)
            if record["status"] == "wrong" and record["exact"]:
                return f"{record['problem']}/{record['algorithm']}"
    return None
