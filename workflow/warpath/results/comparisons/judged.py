"""The papers' claims judged on each side: is what holds on one card true on the other?"""

import pandas as pd

from warpath.base import schemas
from warpath.base.errors import UserError
from warpath.results import claims
from warpath.results.evidence import Evidence, published
from warpath.runs import plan

NO_SAMPLES = "not judged: without timings.parquet"


def on(sides):
    """A row for each claim that any side measured: what it says, and each side's verdict. Disagreement comes first.

    The papers are those whose claims the studies of these sides judge; for an unknown study those of its algorithms.
    """
    studies = [group for side in sides for group in side.summary.groupby("study")]
    papers = set().union(*(_of_study(name) or rows["paper"].dropna() for name, rows in studies))
    papers = [paper for paper in claims.names() if paper in papers]
    judged = []
    for side in sides:  # what a claim says needs samples
        found = Evidence(side.timings, side.summary, published())
        found = claims.of_papers(claims.judge(papers, found)) if len(side.timings) else ()
        judged.append({(claim.paper, claim.name): claim for claim in found})
    rows = []
    for key in dict.fromkeys(key for side in judged for key in side):
        found = [side.get(key) for side in judged]
        verdicts = {one.verdict for one in found if one} - {claims.UNMEASURED}
        claim = next(filter(None, found))
        if verdicts:
            row = {"paper": claim.paper, "name": claim.name, "place": claim.place, "claim": claim.gist}
            row |= {"differs": len(verdicts) > 1, "verdicts": [one.verdict if one else NO_SAMPLES for one in found]}
            rows.append(row | {"found": [one.found if one else "" for one in found]})
    return sorted(rows, key=lambda row: not row["differs"])


def _of_study(name):
    try:
        described = schemas.read(plan.study_file(name), "study")
    except UserError:
        return set()
    return {*described["claims"], *map(str, described["include"])}


def table(rows):
    """The rows as a table for a file: columns of verdicts and numbers by side."""
    table = pd.DataFrame(rows)
    for column, title in (("verdicts", "verdict"), ("found", "found")):
        for number in range(len(rows[0][column])):
            table[f"{title} {chr(ord('A') + number)}"] = table[column].str[number]
    return table.drop(columns=["verdicts", "found"])


def in_words(rows):
    """How many claims have the same verdict on all sides, as one sentence."""
    if not rows:
        return "no claim of a paper is measured by these runs"
    differ = sum(row["differs"] for row in rows) or "none"
    return f"{len(rows)} measured on at least one side; the verdict differs in {differ}"
