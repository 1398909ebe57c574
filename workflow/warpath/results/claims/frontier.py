"""What this project set out to reach on an H200, asked like any paper's conclusion.

Rates and costs of a level are judged on whatever GPU ran them; times of libraries are from the same card, or not used.
"""

import pandas as pd

from warpath.results import libraries
from warpath.results.evidence import Found, absent, at_least, at_most, compare, fastest, gains, subjects, timed
from warpath.results.figures import frontier_levels

ROADS = ("ny", "fla", "grid1k", "grid4k")
SHARES = {"square-16k": 95, "square-8k": 90, "square-4k": 75, "square-2k": 50}
SPARSE = ("facebook_combined", "soc-sign-bitcoinotc", "bio-HS-CX", "p2p-Gnutella")
WIDE, PACKED = 32, 16


def claims(evidence):
    yield from _searches(evidence, "bfs", 2, 5)
    yield from _searches(evidence, "sssp", 1.5, 2.5)
    yield timed(
        _about(
            "short-levels",
            "On roads and grids a level of BFS takes at most 1.5 µs while one cluster suffices, 3 µs when all work.",
            "Time over levels of bfs/persistent; marks 1.5 µs, and 3 µs on grid4k, whose levels outgrow a cluster.",
        ),
        list(_levels(evidence)),
        lambda found: at_most(3 if found.on == "grid4k" else 1.5)(found),
        absent(evidence, ["bfs/persistent"], "road networks and grids"),
    )
    yield timed(
        _about(
            "rate-of-add-min",
            "Floyd-Warshall in 32 bits runs at 50, 75, 90 and 95 % of the add-min rate from 2,048 to 16,384 vertices.",
            "n³ over the time of apsp/fw_tiled with width 32, as a share of the rate that the device was probed at.",
        ),
        list(_shares(evidence)),
        lambda found: at_least(SHARES[found.on])(found),
        "No sound run of apsp/fw_tiled on a probed GPU.",
    )
    yield timed(
        _about(
            "packed-pays",
            "Packed in 16 bits, Floyd-Warshall is at least 1.8 times as fast as in 32.",
            "apsp/fw_tiled, width 32 over width 16, fastest tile of each.",
        ),
        _packed(evidence),
        at_least(1.8),
        absent(evidence, ["apsp/fw_tiled"], "graphs of 2,048 vertices and more"),
    )
    sparse = subjects(evidence, *SPARSE)
    for slow, mark in (("apsp/fw_tiled", 1), ("apsp/repeated_sssp", 20)):
        faster = "faster than" if mark == 1 else f"at least {mark} times as fast as"
        yield timed(
            _about(
                f"batches-over-{slow.split('/')[1].replace('_', '-')}",
                f"On sparse graphs batches of vertices are {faster} {slow}.",
                f"{slow} over apsp/batched, fastest launches; holds from {mark}.",
            ),
            gains(evidence, [slow], ["apsp/batched"], sparse),
            at_least(mark),
            absent(evidence, [slow, "apsp/batched"], "sparse graphs"),
        )


def _about(name, gist, how):
    return {"paper": "frontier", "name": name, "place": "docs/performance.md", "gist": gist, "how": how}


def _searches(evidence, problem, mark, on_roads):
    own = libraries.OURS[problem]
    table = libraries.against(evidence.timings, evidence.summary, evidence.published)
    rows = table[table["problem"] == problem] if len(table) else table
    rows = rows[rows["device"].isin(["published", "peer_gpu"])] if len(rows) else rows
    rows = libraries.best_of(rows).to_dict("records") if len(rows) else []
    names = {row["graph"]: row["algorithm"].split("/")[1] for row in rows}
    found = [
        Found(
            f"{row['graph']} ({names[row['graph']]})",
            *(row[key] for key in ("speedup", "speedup_low", "speedup_high")),
            devices=(row["own_device"],),
        )
        for row in rows
    ]
    yield timed(
        _about(
            f"{problem}-over-libraries",
            f"{own} is at least {mark} times as fast as the fastest GPU library, {on_roads} times on roads and grids.",
            "Published time of the fastest library on the same card over ours, geometric means over sources.",
        ),
        found,
        lambda one: at_least(on_roads if one.on.split(" ")[0] in ROADS else mark)(one),
        f"Published times are of an NVIDIA H200, and {own} has no sound run on one here.",
    )


def _levels(evidence):
    table = frontier_levels.by_level(evidence.summary)
    rows = table[(table["algorithm"] == "bfs/persistent") & table["graph"].isin(ROADS)]
    for row in rows.to_dict("records"):
        ends = (1000 * row[f"level{end}_ms"] for end in ("", "_low", "_high"))
        yield Found(row["graph"], *ends, devices=(row["device"],), wording=lambda value: f"{value:.2f} µs")


def _shares(evidence):
    for graph in SHARES:
        row = _tiled(evidence, graph, WIDE)
        if row and pd.notna(row["percent_of_limit"]):
            ends = [row["percent_of_limit"] * row["median_ms"] / row[end] for end in ("median_ms", "high_ms", "low_ms")]
            yield Found(graph, *ends, devices=(row["device"],), wording=lambda value: f"{value:.0f} %")


def _packed(evidence):
    pairs = ([_tiled(evidence, graph, width) for width in (WIDE, PACKED)] for graph in SHARES)
    return [found for pair in pairs if (found := compare(evidence, *pair))]


def _tiled(evidence, graph, width):
    """The fastest sound run of the tiled kernel with words of this width."""
    of_width = evidence.summary["launch"].str.startswith(f"w{width}-")
    return fastest(evidence._replace(summary=evidence.summary[of_width]), ["apsp/fw_tiled"], graph)
