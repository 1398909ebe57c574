"""How the runs of a study ended: counts by algorithm, and those without a right answer by their message."""

from warpath.runs import statuses

MOST_ROWS = 50  # of a status that are listed, so that the page stays readable with 10,000 runs


def by_algorithm(summary):
    """A row for each algorithm: its name and the number of its runs with each status, among those that occur."""
    counts = summary.groupby(["algorithm", "status"]).size().unstack(fill_value=0)
    counts = counts[[status for status in statuses.WORDS if status in counts]]
    rows = [(algorithm, row.sum(), row.to_dict()) for algorithm, row in counts.iterrows()]
    return {"statuses": list(counts), "rows": rows}


def by_status(summary):
    """The runs that are not ok; those of an algorithm with the same message but for numbers in one row."""
    endings = []
    for status in statuses.UNSOUND:
        runs = summary[summary["status"] == status].fillna({"error": ""})
        alike = runs["error"].str.replace(r"\d+", "#", regex=True)
        groups = list(runs.groupby(["algorithm", alike], sort=False))
        if groups:
            word = {"view": f"is.status={status}", "word": statuses.WORDS[status], "runs": len(runs)}
            word["meaning"] = statuses.STATUSES[status].meaning
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
