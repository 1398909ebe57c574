"""From numbers to a verdict, and the remarks that go with it.

A claim about time is judged on a GPU only; numbers of the CPU emulation are shown, and the verdict is `not measured`.
A graph votes for or against a claim when the whole interval of its number lies on one side of the mark (a single
sample may be 25 % off). Real graphs vote; stand-ins vote only where no real graph has a number. A single
sample that no other graph agrees with does not count, unless half and double of it say the same. A claim holds, or does
not, when more than half of the voters decide and all of these agree; otherwise it depends.

Where a paper prints a number, the same vote is held on the size: whether the number lies between half and double of
what is printed. A claim whose direction alone holds has the verdict `direction holds`.
"""

from collections import Counter
from typing import NamedTuple

import pandas as pd

from warpath.base.text import listed
from warpath.results.claims import DEPENDS, FAILS, HOLDS, PARTLY, UNMEASURED, Claim
from warpath.results.claims.sides import SINGLE

FEW = 3  # up to so many numbers are listed one by one
MANY = 8  # of more subjects than this, only so many are named
NO_MARK = "on the claim's side of the threshold"


class Vote(NamedTuple):
    """A verdict, its reason, the subjects that did not say yes, and those whose single samples did not count."""

    verdict: str
    reason: str
    against: list
    lone: list


def judge_times(about, comparison, test, notes=""):
    """Judge a claim about time. The Test says of an estimate whether the claim is true, or None where it is undecided.

    An estimate that is only a bound counts where the test decides it; elsewhere its graph is not measured.
    """
    size = test.size
    rule = f"Direction: {test.words}; size: {size.words}." if size else f"Holds at {test.words}." if test.words else ""
    about = about | {"how": f"{about['how']} {rule}".strip()}
    estimates, undecided = _counting(comparison.estimates, test)
    if not estimates:
        bounds = f" Bounds alone: {', '.join(undecided.values())}." if undecided else ""
        return _unmeasured(about, "–", comparison.missing + bounds, "Runs of all that is compared, on these graphs.")
    if any("host" in estimate.devices for estimate in estimates):
        reason = "The kernels ran in CPU emulation, which says nothing about a GPU's speed."
        return _unmeasured(about, f"{_listed(estimates)} (CPU emulation)", reason, "The same runs on a GPU.")
    vote, sized = _vote(estimates, test), None
    if size and vote.verdict == HOLDS:
        counting, _ = _counting(comparison.estimates, size)
        sized = _vote(counting, size) if counting else Vote(UNMEASURED, "Only bounds are known.", [], [])
    voting = _voting(estimates)
    others, by_stand_ins = [each for each in estimates if each not in voting], voting[0].stand_in
    beside = Counter({True: "true", False: "false", None: "undecided"}[test.decide(each)] for each in others)
    told = ", ".join(f"{count} {word}" for word, count in beside.items())
    reasons = _grouped((comparison.unmeasured | undecided).items())
    unmeasured = "; ".join(f"{_names(subjects)} ({reason})" for reason, subjects in reasons)
    remarks = [
        _size_in_words(sized, comparison.estimates, size) if sized else "",
        f"By direction: {vote.reason}" if sized and vote.reason else vote.reason,
        f"Stand-ins, beside the vote: {told}." if told else "",
        f"Not measured on: {unmeasured}." if unmeasured else "",
        _weak_runs(estimates),
        notes,
    ]
    verdict = PARTLY if sized and sized.verdict != HOLDS else vote.verdict
    return Claim(
        **about,
        found=f"{_listed(voting)}; stand-ins: {_listed(others)}" if others else _listed(voting),
        verdict=verdict,
        reason=" ".join(filter(None, remarks)),
        direction=vote.verdict,
        size=sized.verdict if sized else "",
        voters=f"{'stand-ins alone' if by_stand_ins else 'own class'} ({len(voting)})",
        change=_change(verdict, vote, sized, test, by_stand_ins),
        apart="on stand-ins alone" if by_stand_ins else "",
    )


def judge_count(about, count, notes="", change=""):
    """Judge a claim about a count, which is true or false on any device."""
    answers = {subject: answer for subject, answer in count.answers.items() if subject not in count.built}
    if not answers:
        return _unmeasured(about, count.text or "–", count.missing, "A run of these algorithms.")
    verdict, reason = _tally(answers)
    built = f"Made to satisfy the claim, so without a vote: {_names(count.built)}." if count.built else ""
    told = {"reason": " ".join(filter(None, [reason, built, notes])), "change": change or "Another count."}
    return Claim(**about, found=count.text, verdict=verdict, **told)


def median(estimates):
    """The median of the estimates that are no bounds, in words; empty without any."""
    values = [estimate.value for estimate in estimates if not estimate.bound]
    return estimates[0].wording(float(pd.Series(values).median())) if values else ""


def _counting(estimates, test):
    """The estimates that may vote, and the numbers of those that are undecided bounds, by subject."""
    counting = [estimate for estimate in estimates if not estimate.bound or test.decide(estimate) is not None]
    undecided = {estimate.subject: estimate.number for estimate in estimates if estimate not in counting}
    return counting, undecided


def _voting(estimates):
    """The estimates of real graphs; those of stand-ins where there are no others."""
    return [estimate for estimate in estimates if not estimate.stand_in] or estimates


def _vote(estimates, test):
    """Hold a vote among the real graphs, or among stand-ins where there are no others."""
    voters = _voting(estimates)
    answers = [test.decide(each) for each in voters]

    def lone(each, answer):
        wide = test.decide(each._replace(low=each.value / 2, high=2 * each.value))
        return answer is not None and answers.count(answer) == 1 and SINGLE in each.weaknesses and wide != answer

    alone = [each for each, answer in zip(voters, answers, strict=True) if lone(each, answer)]
    given = {str(each): None if each in alone else answer for each, answer in zip(voters, answers, strict=True)}
    verdict, reason = _tally(given, test.some)
    against = [each.subject for each in voters if not given[str(each)] and each not in alone]
    told = f"One single sample does not decide: {_names(map(str, alone))}." if alone else ""
    reason = "" if len(alone) == len(voters) else reason
    return Vote(verdict, f"{reason} {told}".strip(), against, [each.subject for each in alone])


def _tally(answers, some=False):
    """The verdict of all answers (True, False or None, by who gave them) and its reason; for `some`, one is enough."""
    yes, no, undecided = ([who for who, said in answers.items() if said is one] for one in (True, False, None))
    tail = f" Undecided: {_names(undecided)}." if undecided else ""
    if some and yes:
        return HOLDS, f"True: {_names(yes)}." + (f" False: {_names(no)}." if no else "")
    if some and undecided:
        return DEPENDS, f"True of none; undecided: {_names(undecided)}."
    if yes and no:
        return DEPENDS, f"True: {_names(yes)}; false: {_names(no)}.{tail}"
    if not yes and not no:
        return DEPENDS, f"Too close to tell: {_names(undecided)}."
    if len(undecided) >= len(yes + no):
        return DEPENDS, f"Too few decide. {'True' if yes else 'False'}: {_names(yes + no)}.{tail}"
    every = "Both" if len(yes + no) == 2 else f"All {len(yes + no)}"
    agreed = f"{every}{' that decide' if undecided else ''} agree." if len(answers) > 1 else ""
    return (HOLDS if yes else FAILS), (agreed + tail).strip()


def _size_in_words(sized, estimates, size):
    """A sentence that tells direction and size apart."""
    voting = _voting(estimates)
    number, printed = median(voting) or voting[0].number, size.printed or size.words
    if sized.verdict == HOLDS:
        return f"Direction and size hold ({number}{f' for {size.printed}' if size.printed else ''})."
    if sized.verdict == FAILS:
        return f"Direction holds, size does not ({number} instead of {printed})."
    why = "is not measured" if sized.verdict == UNMEASURED else "depends"
    return f"Direction holds, size {why} ({number} against {printed}). By size: {sized.reason}"


def _change(verdict, vote, sized, test, by_stand_ins):
    words, size = test.words or NO_MARK, test.size
    lone = list(dict.fromkeys([*vote.lone, *(sized.lone if sized else [])]))
    against = [subject for subject in vote.against if subject not in lone]
    outside = f", or sizes outside of {size.words}" if sized else ""
    sentences = {
        HOLDS: f"One such graph whose number is not {words}{outside}.",
        PARTLY: f"Sizes of {size and size.words}; for the direction, one such graph that is not at {words}.",
        FAILS: f"One such graph at {words}.",
        DEPENDS: f"To hold: {words} on {_names(against)}." if against else "",
    }
    parts = [
        sentences[verdict],
        f"More than one sample on {_names(lone)}." if lone else "",
        "Real graphs in the place of the stand-ins." if by_stand_ins else "",
    ]
    return " ".join(filter(None, parts))


def _names(subjects):
    return listed([*subjects], MANY)


def _grouped(pairs):
    """Lists of subjects by what is said of them."""
    groups = {}
    for subject, said in pairs:
        groups.setdefault(said, []).append(subject)
    return groups.items()


def _weak_runs(estimates):
    """One sentence on the numbers that rest on flagged runs or on a single sample."""
    weak = _grouped((each.subject, weakness) for each in estimates for weakness in each.weaknesses)
    count = len(estimates)
    groups = [f"{why} ({', '.join(of) if len(of) <= FEW else f'{len(of)} of {count}'})" for why, of in weak]
    return f"Weak runs: {', '.join(groups)}." if groups else ""


def _listed(estimates):
    """A few numbers one by one, with intervals; of many the median and both ends."""
    wording = estimates[0].wording
    if len(estimates) <= FEW:
        return ", ".join(f"{estimate}{_interval(estimate)}" for estimate in estimates)
    low, high = (end(estimates, key=lambda estimate: estimate.value) for end in (min, max))
    middle = median(estimates) or wording(float(pd.Series([each.value for each in estimates]).median()))
    return f"median {middle}; from {low} to {high}"


def _interval(estimate):
    if estimate.bound or estimate.low == estimate.high:
        return ""
    return f" ({estimate.wording(estimate.low)} – {estimate.wording(estimate.high)})"


def _unmeasured(about, found, reason, change):
    return Claim(**about, found=found, verdict=UNMEASURED, reason=reason, change=change)
