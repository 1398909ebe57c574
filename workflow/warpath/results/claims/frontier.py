"""What this project set out to reach on an H200, asked like any paper's conclusion.

Rates and costs of a level are judged on whatever GPU ran them; times of libraries are from the same card, or not used.
"""

from functools import partial

import pandas as pd

from warpath.results import libraries
from warpath.results.claims._sides import Comparison, Found, best, left_out, over, run, weak
from warpath.results.claims._verdict import ask
from warpath.results.evidence import Graphs, absent, at_least, at_most, subjects
from warpath.results.figures import frontier_levels

PLACE = "docs/performance.md"
ROADS = ("ny", "fla", "grid1k", "grid4k")
SHARES = {"square-2k": 50, "square-4k": 75, "square-8k": 90, "square-16k": 95}
SPARSE = ("facebook_combined", "soc-sign-bitcoinotc", "bio-HS-CX", "p2p-Gnutella")
WIDE, PACKED = 32, 16
TILED, BATCHED, REPEATED = "apsp/fw_tiled", "apsp/batched", "apsp/repeated_sssp"


def claims(evidence):
    for problem, mark, on_roads in (("bfs", 2, 5), ("sssp", 1.5, 2.5)):
        own = libraries.OURS[problem]
        yield ask(
            f"{problem}-over-libraries",
            PLACE,
            f"{own} is at least {mark} times as fast as the fastest GPU library, {on_roads} times on roads and grids.",
            "Least time of a GPU library over ours, geometric means over sources, on graphs of which times on the same "
            "card were published.",
            _over_libraries(evidence, problem),
            partial(_by_kind, at_least(on_roads), at_least(mark)),
        )
    yield ask(
        "short-levels",
        PLACE,
        "On roads and grids a level of BFS takes at most 1.5 µs where it is small, 3 µs where all blocks have work.",
        "Time over levels of bfs/persistent; marks 1.5 µs, and 3 µs on grid4k, whose levels are the largest.",
        _levels(evidence),
        lambda found: at_most(3 if found.on == "grid4k" else 1.5)(found),
    )
    yield ask(
        "rate-of-add-min",
        PLACE,
        "Floyd-Warshall in 32 bits runs at 50, 75, 90 and 95 % of the add-min rate from 2,048 to 16,384 vertices.",
        f"n³ over the time of {TILED} with width {WIDE}, as a share of the rate that the device was probed at.",
        _shares(evidence),
        lambda found: at_least(SHARES[found.on])(found),
    )
    squares = Graphs("graphs of 2,048 vertices and more", list(SHARES))
    yield ask(
        "packed-pays",
        PLACE,
        "Packed in 16 bits, Floyd-Warshall is at least 1.8 times as fast as in 32.",
        f"{TILED}, width {WIDE} over width {PACKED}, fastest tile of each.",
        over(evidence, best(TILED, width=WIDE), best(TILED, width=PACKED), squares),
        at_least(1.8),
    )
    sparse = Graphs("sparse graphs", subjects(evidence, *SPARSE))
    yield ask(
        "batches-over-tiles",
        PLACE,
        f"On sparse graphs {BATCHED} is faster than {TILED}.",
        f"{TILED} over {BATCHED}, fastest launches; holds from 1.",
        over(evidence, best(TILED), best(BATCHED), sparse),
        at_least(1),
    )
    yield ask(
        "batches-over-repeated-sssp",
        PLACE,
        f"On sparse graphs {BATCHED} is at least 20 times as fast as {REPEATED}.",
        f"{REPEATED} over {BATCHED}, fastest launches; holds from 20.",
        over(evidence, best(REPEATED), best(BATCHED), sparse),
        at_least(20),
    )


def _over_libraries(evidence, problem):
    """Against the fastest GPU library of each graph, by name."""
    summary = evidence.summary[evidence.summary["problem"] == problem]
    table = libraries.against(evidence.timings, summary, evidence.published)
    if len(table):
        on = set(table[table["device"] == "published"]["graph"])
        table = table[table["device"].isin(["published", "peer_gpu"]) & table["graph"].isin(on)]
    rows = libraries.best_of(table).to_dict("records") if len(table) else []
    found = [
        Found(
            f"{row['graph']} ({row['algorithm'].split('/')[1].removeprefix('peer_')})",
            *(row[key] for key in ("speedup", "speedup_low", "speedup_high")),
            devices=(row["own_device"],),
            weak=weak(row),
        )
        for row in rows
    ]
    own = libraries.OURS[problem]
    return Comparison(found, f"Published times are of an NVIDIA H200, and {own} has no sound run on one here.", {})


def _by_kind(on_roads, elsewhere, found):
    return (on_roads if found.on.split(" ")[0] in ROADS else elsewhere)(found)


def _levels(evidence):
    table = frontier_levels.by_level(evidence.summary)
    rows = table[(table["algorithm"] == "bfs/persistent") & table["graph"].isin(ROADS)]
    found = []
    for row in rows.to_dict("records"):
        ends = (1000 * row[f"level{end}_ms"] for end in ("", "_low", "_high"))
        found.append(Found(row["graph"], *ends, (row["device"],), "{:.2f} µs".format, weak(row)))
    missing = absent(evidence, ["bfs/persistent"], "road networks and grids")
    return Comparison(found, missing, left_out(evidence, [best("bfs/persistent")], _others(ROADS, found)))


def _shares(evidence):
    tiled, found = best(TILED, width=WIDE), []
    for graph in SHARES:
        row = run(evidence, tiled, graph)
        if row and pd.notna(row["percent_of_limit"]):
            ends = [row["percent_of_limit"] * row["median_ms"] / row[end] for end in ("median_ms", "high_ms", "low_ms")]
            found.append(Found(graph, *ends, (row["device"],), "{:.0f} %".format, weak(row)))
    missing = f"{TILED} has no sound run of width {WIDE} on a probed GPU."
    return Comparison(found, missing, left_out(evidence, [tiled], _others(SHARES, found)))


def _others(graphs, found):
    return [graph for graph in graphs if graph not in {one.on for one in found}]
