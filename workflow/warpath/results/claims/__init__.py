"""The papers' claims, measured again: a table for each paper, config/papers/<paper>/claims.yaml.

`table` reads the rows, `sides` computes the numbers of a comparison, and `verdict` turns numbers into a verdict.
"""

import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from warpath.base import errors, places

HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED = "holds", "direction holds", "does not hold", "depends", "not measured"
VERDICTS = (HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED)
REMARK = "remark"  # in place of a verdict: what this project adds to a paper, never counted with the paper's claims


class Claim(NamedTuple):
    """A conclusion of a paper: where it stands, its gist, how it is measured here, the numbers found, the verdict.

    A verdict has a `direction` and, where the paper states a number, a `size`. `voters` are the graphs behind it, and
    `change` is what would change it. A verdict that says less than others stands `apart` from them, in words.
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
    apart: str = ""
    quote: str = ""


def names():
    return places.papers("claims.yaml")


def files(papers, *kinds):
    """The files of these papers by which they are judged, or those of other kinds, as far as they exist."""
    found = (places.of_paper(paper, kind) for paper in papers for kind in kinds or ("claims.yaml", "claims.py"))
    return [file for file in found if file.exists()]


def known(papers, by=""):
    """Return `papers`; UserError, beginning with `by`, when one of them has no table of claims."""
    own = [paper for paper in papers if "/" in paper and files([paper])]
    return errors.require_known(papers, [*names(), *own], "there are no claims of", "Claims", by)


def judge(papers, evidence):
    return [claim._replace(paper=Path(paper).name) for paper in known(papers) for claim in _claims(paper, evidence)]


def of_papers(judged):
    """The claims of the papers, without our remarks."""
    return [claim for claim in judged if claim.verdict != REMARK]


def counted(judged):
    """How often each verdict was given on the paper's own ground, and the verdicts that stand apart, by why they do."""
    apart = {}
    for claim in of_papers(judged):
        apart.setdefault(claim.apart if claim.verdict != UNMEASURED else "", []).append(claim.verdict)
    given = sorted(apart.pop("", ()), key=VERDICTS.index)
    return Counter(given), apart


def counts_in_words(counts):
    """How often each verdict was given: 5 hold, 2 depend."""
    several = {HOLDS: "hold", PARTLY: "hold in direction", FAILS: "do not hold", DEPENDS: "depend"}
    words = ((count, verdict if count == 1 else several.get(verdict, verdict)) for verdict, count in counts.items())
    return ", ".join(f"{count} {word}" for count, word in words)


def apart_in_words(apart):
    """A sentence on the verdicts that stand apart; empty without any."""
    groups = (f"{len(all)} {why} ({counts_in_words({HOLDS: all.count(HOLDS)})})" for why, all in sorted(apart.items()))
    return f"Not counted among them: {'; '.join(groups)}." if apart else ""


def _claims(paper, evidence):
    """The claims of one paper; after an error a single one that tells it, so that the report is still made."""
    from warpath.results.claims import table  # which imports what is defined here

    try:
        return list(table.claims(paper, evidence))
    except errors.UserError as error:
        reason = str(error)
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{line.filename}:{line.lineno}: {error!r}"
    print(f"warpath: claims of {paper}: {reason}", file=sys.stderr)
    return [Claim(paper, "all", "–", f"Claims of {paper}.", "–", "–", UNMEASURED, f"Error in its file: {reason}")]
