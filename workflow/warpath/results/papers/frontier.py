"""This project's own searches: the time of a level or round."""

from warpath.results import select

_COLUMNS = {"level_ms": "median_ms", "level_low_ms": "low_ms", "level_high_ms": "high_ms"}
LEVEL_COLUMNS = tuple(_COLUMNS)


def by_level(summary):
    """The fastest launch of every search kernel on every graph, with its time per iteration."""
    best = select.searches(select.sound(select.best(summary)))
    kernels = best[best["device"].isin(["cuda", "host"]) & (best["iterations"] > 0)]
    return kernels.assign(**{level: kernels[time] / kernels["iterations"] for level, time in _COLUMNS.items()})
