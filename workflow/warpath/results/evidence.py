"""What a claim may ask of the tables."""

from typing import Any, NamedTuple


class Evidence(NamedTuple):
    timings: Any
    summary: Any
    published: Any
