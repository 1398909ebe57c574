"""The papers' claims, measured again: one file per paper, named like the paper.

Each file has a generator `claims(evidence)` that yields its Claim records in the order of the paper. Files that begin
with _ are shared: `_sides` computes the numbers of a comparison, `_verdict` turns numbers into a verdict.
"""

import importlib
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

from warpath.base import errors

FOLDER = Path(__file__).parent
HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED = "holds", "direction holds", "does not hold", "depends", "not measured"
VERDICTS = (HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED)
REMARK = "remark"  # in place of a verdict: what this project adds to a paper, never counted with the paper's claims


class Claim(NamedTuple):
    """A conclusion of a paper: where it stands, its gist, how it is measured here, the numbers found, the verdict.

    A verdict has a `direction` and, where the paper states a number, a `size`. `voters` are the graphs behind it, and
    `change` is what would change it.
    """

    paper: str
    name: str
    place: str
    gist: str
    how: str
    found: str
    verdict: str
    reason: str
    direction: str = ""
    size: str = ""
    voters: str = ""
    change: str = ""


def names():
    return sorted(file.stem for file in FOLDER.glob("[a-z]*.py"))


def known(papers, by=""):
    """Return `papers`; UserError, beginning with `by`, when one of them has no claims file."""
    return errors.require_known(papers, names(), "there are no claims of", "Claims", by)


def judge(papers, evidence):
    """Judge every claim of these papers by the evidence."""
    return [claim._replace(paper=paper) for paper in known(papers) for claim in _claims(paper, evidence)]


def of_papers(judged):
    """The claims of the papers, without our remarks."""
    return [claim for claim in judged if claim.verdict != REMARK]


def remarks(judged):
    """Our own remarks on the papers."""
    return [claim for claim in judged if claim.verdict == REMARK]


def _claims(paper, evidence):
    """The claims of one paper; if its file raises, a single claim with the error, so that the report is still made."""
    try:
        return list(importlib.import_module(f"warpath.results.claims.{paper}").claims(evidence))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{line.filename}:{line.lineno}: {error!r}"
        print(f"warpath: claims of {paper}: {reason}", file=sys.stderr)
        return [Claim(paper, "all", "–", f"Claims of {paper}.", "–", "–", UNMEASURED, f"Error in its file: {reason}")]
