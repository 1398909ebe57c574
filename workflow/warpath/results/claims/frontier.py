"""The aims of this project's own kernels on an H200, judged like a paper's claims.

Rates and times of a level are judged on any GPU. Published times of libraries count only on the card they are from.
"""

from functools import partial

import pandas as pd

from warpath.base.problems import BFS, SSSP
from warpath.results import libraries, select
from warpath.results.claims._sides import Comparison, Estimate, best, compared, ratios, weaknesses
from warpath.results.claims._verdict import judge_times
from warpath.results.evidence import Graphs, Test, at_least, at_most, subjects

PLACE = "docs/performance.md"
ROADS = ("ny", "fla", "grid1k", "grid4k")
SHARES = {"square-2k": 50, "square-4k": 75, "square-8k": 90, "square-16k": 95}
SPARSE = ("facebook_combined", "soc-sign-bitcoinotc", "bio-HS-CX", "p2p-Gnutella")
WIDE, PACKED = 32, 16
PERSISTENT, TILED, BATCHED, REPEATED = "bfs/persistent", "apsp/fw_tiled", "apsp/batched", "apsp/repeated_sssp"


def claims(evidence):
    for problem, mark, on_roads in ((BFS.name, 2, 5), (SSSP.name, 1.5, 2.5)):
        yield judge_times(
            f"{problem}-over-libraries",
            PLACE,
            f"{libraries.OURS[problem]} is at least {mark} times as fast as the fastest GPU library or paper's "
            f"code, {on_roads} times on roads and grids.",
            "Time of the fastest GPU library or code of a paper over ours, geometric means over the sources, on the "
            "graphs for which times on the same card were published.",
            _over_libraries(evidence, problem),
            Test("", partial(_by_kind, at_least(on_roads), at_least(mark))),
        )
    yield judge_times(
        "short-levels",
        PLACE,
        "On roads and grids a level of BFS takes at most 1.5 µs, or 3 µs where levels are large enough for all blocks.",
        f"Time of {PERSISTENT} over its number of levels; holds up to 1.5 µs, on grid4k, whose levels are the largest, "
        "up to 3 µs.",
        _levels(evidence),
        Test("", lambda estimate: at_most(3 if estimate.subject == "grid4k" else 1.5)(estimate)),
    )
    yield judge_times(
        "rate-of-add-min",
        PLACE,
        "Floyd-Warshall in 32 bits runs at 50, 75, 90 and 95 % of the add-min rate on 2,048, 4,096, 8,192 and 16,384 "
        "vertices.",
        f"n³ over the time of {TILED} with width {WIDE}, as a share of the device's probed rate.",
        _shares(evidence),
        Test("", lambda estimate: at_least(SHARES[estimate.subject])(estimate)),
    )
    squares = Graphs("graphs of 2,048 vertices and more", list(SHARES))
    yield judge_times(
        "packed-pays",
        PLACE,
        "Packed in 16 bits, Floyd-Warshall is at least 1.8 times as fast as in 32 bits.",
        f"Time of {TILED} with width {WIDE} over that with width {PACKED}, fastest tile of each; holds from 1.8.",
        ratios(evidence, best(TILED, width=WIDE), best(TILED, width=PACKED), squares),
        at_least(1.8),
    )
    sparse = Graphs("sparse graphs", subjects(evidence, *SPARSE))
    yield judge_times(
        "batches-over-tiles",
        PLACE,
        f"On sparse graphs {BATCHED} is faster than {TILED}.",
        f"Time of {TILED} over that of {BATCHED}, fastest launch of each; holds from 1.",
        ratios(evidence, best(TILED), best(BATCHED), sparse),
        at_least(1),
    )
    yield judge_times(
        "batches-over-repeated-sssp",
        PLACE,
        f"On sparse graphs {BATCHED} is at least 20 times as fast as {REPEATED}.",
        f"Time of {REPEATED} over that of {BATCHED}, fastest launch of each; holds from 20.",
        ratios(evidence, best(REPEATED), best(BATCHED), sparse),
        at_least(20),
    )


def _over_libraries(evidence, problem):
    """Our search over the fastest GPU library on each graph; the subject names the library."""
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
    own = libraries.OURS[problem]
    return Comparison(estimates, f"The published times are from an NVIDIA H200, where {own} has no sound run here.", {})


def _by_kind(on_roads, elsewhere, estimate):
    return (on_roads if estimate.subject.split(" ")[0] in ROADS else elsewhere)(estimate)


def _levels(evidence):
    """The time of a level, in microseconds."""

    def level(row):
        if not row or row["status"] != select.SOUND or not row["iterations"] > 0:
            return None
        microseconds = (1000 * row[time] / row["iterations"] for time in select.INTERVAL)
        return Estimate(row["graph"], *microseconds, (row["device"],), "{:.2f} µs".format, weaknesses(row))

    return compared(evidence, [best(PERSISTENT)], Graphs("road networks and grids", ROADS), level)


def _shares(evidence):
    """The share of the device's rate that Floyd-Warshall reaches, in percent."""

    def share(row):
        if not row or pd.isna(row["percent_of_limit"]):
            return None
        ends = [row["percent_of_limit"] * row["median_ms"] / row[end] for end in ("median_ms", "high_ms", "low_ms")]
        return Estimate(row["graph"], *ends, (row["device"],), "{:.0f} %".format, weaknesses(row))

    shares = compared(evidence, [best(TILED, width=WIDE)], Graphs("", list(SHARES)), share)
    return shares._replace(missing=f"{TILED} has no sound run of width {WIDE} on a GPU with probed rates.")
