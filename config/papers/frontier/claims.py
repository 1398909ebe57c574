"""Numbers of this project's own kernels that are no ratio of two runs."""

import pandas as pd

from warpath.results import libraries, select
from warpath.results.claims.sides import Comparison, Estimate, best, compared, weaknesses


def over_libraries(evidence, row):
    """Our search over the fastest GPU library on each graph; the subject names the library."""
    (problem,) = row["of"]
    summary = evidence.summary[evidence.summary["problem"] == problem]
    table = libraries.against(evidence.timings, summary, evidence.published)
    if len(table):
        graphs = set(table[table["device"].isin(libraries.PUBLISHED)]["graph"])
        table = table[table["device"].isin(libraries.ON_GPU) & table["graph"].isin(graphs)]
    estimates = [
        Estimate(
            f"{row['graph']} ({row['algorithm'].split('/')[1].removeprefix('peer_')})",
            *(row[column] for column in ("speedup", "speedup_low", "speedup_high")),
            devices=(row["own_device"],),
            weaknesses=weaknesses(row),
        )
        for row in (libraries.best_of(table).to_dict("records") if len(table) else [])
    ]
    own = libraries.OURS[problem]
    return Comparison(estimates, f"The published times are from an NVIDIA H200, where {own} has no sound run here.", {})


def times_of_levels(evidence, row):
    """The time of a level, in microseconds."""

    def level(run):
        if not run or run["status"] != select.SOUND or not run["iterations"] > 0:
            return None
        microseconds = (1000 * run[time] / run["iterations"] for time in select.INTERVAL)
        return Estimate(run["graph"], *microseconds, (run["device"],), "{:.2f} µs".format, weaknesses(run))

    return compared(evidence, [best("bfs/persistent")], row["graphs"], level)


def shares_of_rate(evidence, row):
    """The share of the device's rate that Floyd-Warshall reaches, in percent."""

    def share(run):
        if not run or pd.isna(run["percent_of_limit"]):
            return None
        ends = [run["percent_of_limit"] * run["median_ms"] / run[end] for end in ("median_ms", "high_ms", "low_ms")]
        return Estimate(run["graph"], *ends, (run["device"],), "{:.0f} %".format, weaknesses(run))

    shares = compared(evidence, [best("apsp/fw_tiled", width=32)], row["graphs"], share)
    return shares._replace(missing="apsp/fw_tiled has no sound run of width 32 on a GPU with probed rates.")
