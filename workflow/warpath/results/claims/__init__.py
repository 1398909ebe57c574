"""What the papers concluded, asked again: one file a paper, whose name the claims take.

A claim is a generator's row: each file has `claims(evidence)` that yields Claim records in the order of the paper.
Files whose names begin with _ are no papers: `_sides` says what is known of a comparison, `_verdict` what follows.
"""

import importlib
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

from warpath.foundation import errors

FOLDER = Path(__file__).parent
HOLDS, FAILS, DEPENDS, UNMEASURED = "holds", "does not hold", "depends", "not measured"
VERDICTS = (HOLDS, FAILS, DEPENDS, UNMEASURED)


class Claim(NamedTuple):
    """A conclusion of a paper and what became of it."""

    paper: str
    name: str
    place: str
    gist: str
    how: str
    found: str
    verdict: str
    reason: str


def names():
    return sorted(file.stem for file in FOLDER.glob("[a-z]*.py"))


def known(wanted, by=""):
    """`wanted` (by whom), when there is a file for each."""
    return errors.require_known(wanted, names(), "there are no claims of", "Claims", by)


def judge(papers, evidence):
    """Every claim of these papers, judged by the evidence."""
    return [claim._replace(paper=paper) for paper in known(papers) for claim in _claims(paper, evidence)]


def _claims(paper, evidence):
    """A file with a mistake costs its own claims, not the report."""
    try:
        return list(importlib.import_module(f"warpath.results.claims.{paper}").claims(evidence))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{line.filename}:{line.lineno}: {error!r}"
        print(f"warpath: claims of {paper}: {reason}", file=sys.stderr)
        return [Claim(paper, "all", "–", f"Claims of {paper}.", "–", "–", UNMEASURED, f"This file fails: {reason}")]
