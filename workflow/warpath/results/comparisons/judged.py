"""The papers' claims judged on each side: is what holds on one card true on the other?"""

import pandas as pd

from warpath.base import schemas
from warpath.base.errors import UserError
from warpath.results import claims, published
from warpath.results.comparisons.sides import labels_of
from warpath.results.evidence import Evidence
from warpath.runs import plan

NO_SAMPLES = "not judged: without timings.parquet"


def on(sides):
    """A row for each claim that any side measured: what it says, and each side's verdict. Disagreement comes first."""
    papers = _papers(sides)
    judged = [_of(side, papers) for side in sides]
    names = dict.fromkeys(key for side in judged for key, claim in side.items() if claim.verdict != claims.UNMEASURED)
    rows = [_row(key, judged) for key in names]
    return sorted(rows, key=lambda row: not row["differs"])


def _papers(sides):
    """The papers whose claims the studies of these sides judge; for an unknown study those of its algorithms."""
    papers = set()
    for side in sides:
        for name, rows in side.summary.groupby("study"):
            papers |= _of_study(name) or set(rows["paper"].dropna())
    return [paper for paper in claims.names() if paper in papers]


def _of_study(name):
    try:
        described = schemas.read(plan.study_file(name), "study")
    except UserError:
        return set()
    return {*described["claims"], *map(str, described["include"])}


def _of(side, papers):
    """The claims of these papers by paper and name; none without samples."""
    if side.timings.empty:
        return {}
    evidence = Evidence(side.timings, side.summary, published.read(), side.rates)
    return {(claim.paper, claim.name): claim for claim in claims.of_papers(claims.judge(papers, evidence))}


def _row(key, judged):
    found = [side.get(key) for side in judged]
    claim = next(filter(None, found))
    verdicts = [one.verdict if one else NO_SAMPLES for one in found]
    numbers = [one.found if one else "" for one in found]
    measured = {verdict for verdict in verdicts if verdict in claims.VERDICTS and verdict != claims.UNMEASURED}
    return {
        "paper": claim.paper,
        "name": claim.name,
        "place": claim.place,
        "claim": claim.gist,
        "differs": len(measured) > 1,
        "verdicts": verdicts,
        "found": numbers,
    }


def table(rows, sides):
    """The rows as a table for a file: columns of verdicts and numbers by side."""
    labels = labels_of(len(sides))
    return pd.DataFrame(
        {field: row[field] for field in ("paper", "name", "place", "claim", "differs")}
        | {f"verdict {label}": verdict for label, verdict in zip(labels, row["verdicts"], strict=True)}
        | {f"found {label}": found for label, found in zip(labels, row["found"], strict=True)}
        for row in rows
    )


def in_words(rows):
    """How many claims have the same verdict on all sides, as one sentence."""
    if not rows:
        return "no claim of a paper is measured by these runs"
    differ = sum(row["differs"] for row in rows)
    return f"{len(rows)} measured on at least one side; the verdict differs in {differ}"
