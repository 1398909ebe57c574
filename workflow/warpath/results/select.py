"""Select rows of the tables for figures and claims."""

import weakref

import numpy as np
import pandas as pd

from warpath.base.problems import PROBLEMS
from warpath.results import statistics
from warpath.runs.statuses import SOUND, TIMED, TIMEOUT

RUN = ["algorithm", "graph", "launch"]
INTERVAL = ["median_ms", "low_ms", "high_ms"]
ALL_PAIRS = [problem.name for problem in PROBLEMS.values() if problem.all_pairs]


def best(summary, per=("algorithm", "graph")):
    """Per algorithm and graph the fastest launch that is ok; where none is, one of the others, for its status."""
    ranked = summary.assign(unsound=summary["status"] != SOUND)
    ranked = ranked.sort_values(["unsound", "median_ms", "launch"], kind="stable")
    return ranked.drop_duplicates(list(per)).drop(columns="unsound").sort_index()


def runs(summary, algorithms, graphs=None):
    """The rows of these algorithms, on all graphs or on these and their stand-ins."""
    rows = summary[summary["algorithm"].isin(algorithms)]
    return rows if graphs is None else rows[subjects(rows).isin(list(graphs))]


def least_ms(row):
    """How long a solve took at least that timed out; None if that is not known, or if it did not.

    The limit covers all solves of a run: a warm-up, and samples until the budget is used up, went before. With the
    default settings they took less than a fifth of it; half is left for other settings.
    """
    ended = row["status"] == TIMEOUT and pd.notna(row["time_limit_s"])
    return 1000 * row["time_limit_s"] / 2 if ended else None


def by(table, *columns):
    """The rows of a table as lists of dicts, by what they have in these columns."""
    found = {}
    for row in table.to_dict("records"):
        found.setdefault(tuple(row[column] for column in columns), []).append(row)
    return found


def subjects(table):
    """The graphs that runs are about: those that their graphs stand in for, or these themselves."""
    return table["stand_in_for"].fillna(table["graph"])


def subject(row):
    return row["graph"] if pd.isna(row["stand_in_for"]) else row["stand_in_for"]


def label(row):
    """The graph's name for readers, which marks a stand-in."""
    name = subject(row)
    return name if name == row["graph"] else f"{name} (stand-in)"


def printed(published, paper, quantity="time"):
    return published[(published["paper"] == paper) & (published["quantity"] == quantity)]


def sound(summary):
    """The rows that may enter a comparison of times."""
    return summary[summary["status"] == SOUND]


def timed(summary):
    """The rows that have times: sound ones, and those with a wrong answer."""
    return summary[summary["status"].isin(TIMED) & summary["median_ms"].notna()]


def fastest_ms(summary, algorithms):
    """The shortest time of these algorithms on each graph, or on its stand-in, where all of them have one."""
    rows = sound(runs(summary, algorithms))
    times = rows.assign(graph=subjects(rows))
    times = times.pivot_table(index="graph", columns="algorithm", values="median_ms", aggfunc="min")
    return times.reindex(columns=algorithms).dropna().min(axis=1).to_dict()


def searches(summary):
    return summary[~summary["problem"].isin(ALL_PAIRS)]


def emulated(rows):
    """Whether any of the rows ran in CPU emulation, whose times say nothing about a GPU."""
    return "host" in set(rows["device"])


def samples(timings, run):
    """The samples of one run in all processes, as a dict from source to values."""
    found = processes(timings, run)
    sources = dict.fromkeys(source for process in found for source in process)
    return {source: np.concatenate([process.get(source, []) for process in found]) for source in sources}


_searched = {}  # column -> the table that was searched last, its processes, sources, values, and the rows of each run


def processes(timings, run, column="solve_ms"):
    """For each process of one run a dict from source to values; those of wrong answers only of a run that is wrong."""
    if column not in _searched or _searched[column][0]() is not timings:
        rows = timings.groupby([*RUN, "status"], sort=False).indices
        numbers, sources = (timings[name].fillna(-1).to_numpy() for name in ("process", "source"))
        _searched[column] = weakref.ref(timings), numbers, sources, timings[column].to_numpy(float), rows
    _, numbers, sources, values, rows = _searched[column]
    mine = rows.get((*(run[key] for key in RUN), run.get("status", SOUND)), [])
    parts = [mine[numbers[mine] == number] for number in dict.fromkeys(numbers[mine])]
    return [{key: values[part][sources[part] == key] for key in dict.fromkeys(sources[part])} for part in parts]


def ratio(timings, slow, fast):
    """How many times faster `fast` is than `slow` (two rows of the summary): (ratio, low, high)."""
    return statistics.ratio_interval(processes(timings, slow), processes(timings, fast))


def speedups(timings, summary):
    """The speed-up of every algorithm's best launch over the fastest sequential run of the same problem and graph."""
    cpu = sound(summary[summary["device"] == "cpu"]).sort_values("median_ms", ascending=False, kind="stable")
    base = {(row["problem"], row["graph"]): row for row in cpu.to_dict("records")}  # the last one is the fastest
    rows = []
    for row in sound(best(summary)).to_dict("records"):
        against = base.get((row["problem"], row["graph"]))
        if row["device"] == "cpu" or against is None:
            continue
        flags = " ".join(dict.fromkeys(f"{row['flags']} {against['flags']}".split()))  # of either side
        speedup, low, high = ratio(timings, against, row)
        rows.append({**row, "flags": flags, "baseline": against["algorithm"], "baseline_ms": against["median_ms"]})
        rows[-1].update(speedup=speedup, speedup_low=low, speedup_high=high)
    return pd.DataFrame(rows)
