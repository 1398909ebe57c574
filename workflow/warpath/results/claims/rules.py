"""Rules of claims: tests of a number, made from words. workflow/schemas/claims.schema.yaml describes the words.

A difference of less than 5 % is none, and one of up to 1.25 times is slight: no other tolerance stands for a paper's
"hardly", "slightly", "marginally". The direction of a printed gain is right from a tenth of it on, and from 5 % on.
"""

import math
from typing import Any, NamedTuple

from warpath.results import style

NO_DIFFERENCE, SLIGHT, SAME_DIRECTION = 1.05, 1.25, 10
WORDS = {"slight": (1, SLIGHT), "alike": (1 / SLIGHT, SLIGHT), "twice": (1.5, 3)}


class Test(NamedTuple):
    """A rule on an interval: it decides True where that meets the rule entirely, False where no part does, else None.

    `size` is a second rule, for a printed number, where this one is about the direction of a claim. A claim about
    `some` graph is true if one graph meets the rule.
    """

    words: str
    decide: Any
    printed: str = ""
    size: Any = None
    some: bool = False


def test(holds, size=None):
    """The test that a claim's rules describe: of its direction and of its size, or only of what holds."""
    if not size:
        return _test(holds)
    printed = size.get("at_least") or size.get("about", [0])[0]
    direction = holds or {"at_least": max(NO_DIFFERENCE, printed / SAME_DIRECTION)}
    return _test(direction)._replace(size=_test(size))


def _test(rule):
    unit, about, marks = rule.get("unit"), rule.get("about"), rule.get("marks", {})
    wording = style.duration if unit == "time" else unit.format if unit else style.factor
    word = next((word for word in WORDS if rule.get(word)), None)
    between = rule.get("within") or (rule.get("at_least", -math.inf), rule.get("at_most", math.inf))
    low, high = WORDS.get(word, between)
    printed, suffix = "", ""
    if about:  # a gain of half at least
        low, high, suffix = max(about[0] / 2, 1.5), 2 * about[-1], " (half to double)"
        printed = f"about {about[0]:g}×" if len(about) == 1 else f"{about[0]:g} to {about[1]:g}×"
    elif word == "twice":  # half of twice would be no gain at all
        suffix, printed = " (half to double of the gain)", "about 2×"
    elif word == "slight":
        suffix = " (a loss of less than 5 % decides nothing)"
    ends = {(True, False): f"{wording(high)} or less", (False, True): f"{wording(low)} or more"}
    words = ends.get((math.isinf(low), math.isinf(high)), f"{wording(low)} to {wording(high)}{suffix}")
    doubt = rule.get("doubt")
    words += f", undecided from {wording(doubt)} on" if doubt is not None else ""

    def decide(estimate):
        mark = marks.get(estimate.subject.partition(" ")[0])
        bottom, top = (low, high) if mark is None else (mark, high) if math.isinf(high) else (low, mark)
        if bottom <= estimate.low and estimate.high <= top:
            return True
        under, over = (bottom, top) if doubt is None else (doubt, top) if math.isinf(top) else (bottom, doubt)
        under = under / NO_DIFFERENCE if word == "slight" else under
        return False if estimate.high < under or estimate.low > over else None

    return Test("" if marks else words, decide, printed, some=rule.get("some", False))
