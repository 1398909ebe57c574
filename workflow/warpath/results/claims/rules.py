"""Rules of claims: tests of a number, made from words. workflow/schemas/claims.schema.yaml describes the words."""

import math
from typing import Any, NamedTuple

from warpath.results import style

NO_DIFFERENCE = 1.05  # less than 5 % is none


class Test(NamedTuple):
    """A rule on an interval: True where it meets the rule entirely, False where no part does, None otherwise.

    `size` is a second rule, for a printed number, where this one is about the direction of a claim. A claim about
    `some` graph is true if one graph meets the rule.
    """

    words: str
    decide: Any
    printed: str = ""
    size: Any = None
    some: bool = False

    def __call__(self, estimate):
        return self.decide(estimate)


def test(holds, size=None):
    """The test that a claim's rules describe: of its direction and of its size, or only of what holds."""
    if size:
        return _test(holds or {"at_least": NO_DIFFERENCE})._replace(size=_test(size))
    return _test(holds)


def _test(rule):
    unit, about, marks = rule.get("unit"), rule.get("about"), rule.get("marks", {})
    wording = style.duration if unit == "time" else unit.format if unit else style.factor
    low, high = rule.get("within") or (rule.get("at_least", -math.inf), rule.get("at_most", math.inf))
    printed, suffix = rule.get("printed", ""), ""
    if about:  # a gain of half at least
        low, high, suffix = max(about[0] / 2, 1.5), 2 * about[-1], " (half to double)"
        printed = f"about {about[0]:g}×" if len(about) == 1 else f"{about[0]:g} to {about[1]:g}×"
    elif "twice" in rule:  # half of twice would be no gain at all
        low, high, suffix, printed = 1.5, 3, " (half to double of the gain)", "about 2×"
    ends = {(True, False): f"{wording(high)} or less", (False, True): f"{wording(low)} or more"}
    words = ends.get((math.isinf(low), math.isinf(high)), f"{wording(low)} to {wording(high)}{suffix}")

    def decide(estimate):
        mark = marks.get(estimate.subject.partition(" ")[0])
        bottom, top = (low, high) if mark is None else (mark, high) if math.isinf(high) else (low, mark)
        if bottom <= estimate.low and estimate.high <= top:
            return True
        return False if estimate.high < bottom or estimate.low > top else None

    return Test("" if marks else words, decide, printed, some=rule.get("some", False))
