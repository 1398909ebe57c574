"""How the runs of a study ended: counts by algorithm, and those without a right answer by their message."""

from warpath.results import select, style

MOST_ROWS = 50  # of a status that are listed, so that the page stays readable with 10,000 runs
ENDINGS = {  # every status but ok, the worst first, and the flag of runs that failed since; its meaning
    "failed": "ended by an unexpected error; the next workflow tries these runs again",
    "missing": "planned, but without a usable record",
    "wrong": "finished, but an answer differs from the oracle's; never part of a comparison",
    "timeout": "ended by the time limit",
    "out_of_memory": "did not fit into memory",
    "unsupported": "the device or the algorithm cannot do this launch or this graph",
    select.OUTDATED: "due again, but failed: these are their last good results",
}


def by_algorithm(summary):
    """A row for each algorithm: its name and the number of its runs with each status, among those that occur."""
    counts = summary.groupby(["algorithm", "status"]).size().unstack(fill_value=0)
    counts = counts[[status for status in style.STATUSES if status in counts]]
    rows = [(algorithm, row.sum(), row.to_dict()) for algorithm, row in counts.iterrows()]
    return {"statuses": list(counts), "rows": rows}


def by_status(summary):
    """The runs that are not ok or outdated; those of an algorithm with the same message but for numbers in one row."""
    endings = []
    old = select.outdated(summary)
    for status, meaning in ENDINGS.items():
        runs = summary[old if status == select.OUTDATED else summary["status"] == status].fillna({"error": ""})
        alike = runs["error"].str.replace(r"\d+", "#", regex=True)
        groups = list(runs.groupby(["algorithm", alike], sort=False))
        if groups:
            view = f"is.{'flags' if status == select.OUTDATED else 'status'}={status}"
            word = {"view": view, "word": style.STATUSES.get(status, status), "meaning": meaning, "runs": len(runs)}
            rows = [_ending(*group) for group in groups[:MOST_ROWS]]
            endings.append(word | {"rows": rows, "more": len(groups) - len(rows)})
    return endings


def _ending(key, runs):
    algorithm, _ = key
    wrong = runs["wrong_vertices"].fillna(0)
    most, message = wrong.max(), runs["error"].iloc[wrong.argmax()]
    return {
        "algorithm": algorithm,
        "message": message if runs["error"].nunique() == 1 else f"{message} (of the others only the numbers differ)",
        "graphs": _some(runs["graph"].unique()),
        "launches": _some(runs["launch"].unique()),
        "runs": len(runs),
        "wrong": f"{int(most):,}" if most else "",
    }


def _some(names, most=4):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
