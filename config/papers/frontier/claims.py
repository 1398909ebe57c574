"""Aims of this project's own kernels whose mark depends on the graph."""

import pandas as pd

from warpath.base.problems import BFS, SSSP
from warpath.results import libraries, select
from warpath.results.claims.sides import Comparison, Estimate, best, compared, weaknesses
from warpath.results.claims.verdict import judge_times
from warpath.results.evidence import Graphs, Test, at_least, at_most

PLACE = "docs/performance.md"
ROADS = ("ny", "fla", "grid1k", "grid4k")
SHARES = {"square-2k": 50, "square-4k": 75, "square-8k": 90, "square-16k": 95}
PERSISTENT, TILED, WIDE = "bfs/persistent", "apsp/fw_tiled", 32


def over_libraries(evidence, row):
    """Our searches over the fastest GPU library on each graph; the subject names the library."""
    for problem, mark, on_roads in ((BFS.name, 2, 5), (SSSP.name, 1.5, 2.5)):
        own = libraries.OURS[problem]
        summary = evidence.summary[evidence.summary["problem"] == problem]
        table = libraries.against(evidence.timings, summary, evidence.published)
        if len(table):
            graphs = set(table[table["device"].isin(libraries.PUBLISHED)]["graph"])
            table = table[table["device"].isin(libraries.ON_GPU) & table["graph"].isin(graphs)]
        rows = libraries.best_of(table).to_dict("records") if len(table) else []
        estimates = [
            Estimate(
                f"{row['graph']} ({row['algorithm'].split('/')[1].removeprefix('peer_')})",
                *(row[column] for column in ("speedup", "speedup_low", "speedup_high")),
                devices=(row["own_device"],),
                weaknesses=weaknesses(row),
            )
            for row in rows
        ]
        missing = f"The published times are from an NVIDIA H200, where {own} has no sound run here."
        marks = dict.fromkeys(ROADS, on_roads)
        yield judge_times(
            f"{problem}-over-libraries",
            PLACE,
            f"{own} is at least {mark} times as fast as the fastest GPU library or paper's code, {on_roads} times on "
            "roads and grids.",
            "Time of the fastest GPU library or code of a paper over ours, geometric means over the sources, on the "
            "graphs for which times on the same card were published.",
            Comparison(estimates, missing, {}),
            by_graph(at_least, marks, mark),
        )


def by_graph(test, marks, otherwise=None):
    """A test whose mark depends on the graph."""
    return Test("", lambda estimate: test(marks.get(estimate.subject.split(" ")[0], otherwise))(estimate))


def short_levels(evidence, row):
    def level(run):
        if not run or run["status"] != select.SOUND or not run["iterations"] > 0:
            return None
        microseconds = (1000 * run[time] / run["iterations"] for time in select.INTERVAL)
        return Estimate(run["graph"], *microseconds, (run["device"],), "{:.2f} µs".format, weaknesses(run))

    yield judge_times(
        "short-levels",
        PLACE,
        "On roads and grids a level of BFS takes at most 1.5 µs, or 3 µs where levels are large enough for all blocks.",
        f"Time of {PERSISTENT} over its number of levels; holds up to 1.5 µs, on grid4k, whose levels are the largest, "
        "up to 3 µs.",
        compared(evidence, [best(PERSISTENT)], Graphs("road networks and grids", ROADS), level),
        by_graph(at_most, {"grid4k": 3}, 1.5),
    )


def rate_of_add_min(evidence, row):
    def share(run):
        if not run or pd.isna(run["percent_of_limit"]):
            return None
        ends = [run["percent_of_limit"] * run["median_ms"] / run[end] for end in ("median_ms", "high_ms", "low_ms")]
        return Estimate(run["graph"], *ends, (run["device"],), "{:.0f} %".format, weaknesses(run))

    shares = compared(evidence, [best(TILED, width=WIDE)], Graphs("", list(SHARES)), share)
    missing = f"{TILED} has no sound run of width {WIDE} on a GPU with probed rates."
    yield judge_times(
        "rate-of-add-min",
        PLACE,
        "Floyd-Warshall in 32 bits runs at 50, 75, 90 and 95 % of the add-min rate on 2,048, 4,096, 8,192 and 16,384 "
        "vertices.",
        f"n³ over the time of {TILED} with width {WIDE}, as a share of the device's probed rate.",
        shares._replace(missing=missing),
        by_graph(at_least, SHARES),
    )
