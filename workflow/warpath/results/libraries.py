"""This project's own kernels beside libraries: those called here, and those whose times on the same card are published.

Published times (`config/published/libraries.csv`) are geometric means over the sources of each one's median, and so are
ours where the two are compared. They count only against runs on the very device that they are from.
"""

import pandas as pd

from warpath.results import select, statistics

OURS = {"bfs": "bfs/persistent", "sssp": "sssp/near_far", "apsp": "apsp/batched"}
PAPER = "libraries"


def against(timings, summary, published):
    """A row per graph and library: how many times faster our fastest launch is, with its interval."""
    best = select.sound(select.best(summary))
    ours = best[best["algorithm"].isin(OURS.values())]
    printed = select.printed(published, PAPER)
    rows = []
    for mine in ours.to_dict("records"):
        same = printed[(printed["graph"] == mine["graph"]) & (printed["problem"] == mine["problem"])]
        for library in same[same["device"] == mine["device_name"]].to_dict("records"):
            speedup = _over_published(timings, mine, library["value"])
            rows.append(_row(mine, library["algorithm"], "published", library["value"], speedup))
        beside = best[(best["graph"] == mine["graph"]) & (best["problem"] == mine["problem"])]
        for library in beside[beside["algorithm"].str.contains("/peer_")].to_dict("records"):
            speedup = select.ratio(timings, library, mine)
            rows.append(_row(mine, library["algorithm"], library["device"], library["median_ms"], speedup))
    return pd.DataFrame(rows)


def _over_published(timings, mine, milliseconds):
    mean, low, high = statistics.geometric_mean_interval(list(select.samples(timings, mine).values()))
    return milliseconds / mean, milliseconds / high, milliseconds / low


def _row(mine, library, device, milliseconds, speedup):
    return {
        **{key: mine[key] for key in ("problem", "graph", "stand_in_for", "arcs", "device_name", "flags", "status")},
        **{"own": mine["algorithm"], "own_launch": mine["launch"], "own_device": mine["device"]},
        **{"own_ms": mine["median_ms"], "algorithm": library, "device": device, "library_ms": milliseconds},
        **dict(zip(("speedup", "speedup_low", "speedup_high"), speedup, strict=True)),
    }


def best_of(table):
    """Against the fastest library alone: the least speed-up of each graph and problem."""
    fastest = table.groupby(["problem", "graph"])["library_ms"].idxmin()
    return table.loc[fastest].reset_index(drop=True)
