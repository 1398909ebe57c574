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
from typing import Any, NamedTuple

import pandas as pd

from warpath.results.claims import DEPENDS, FAILS, HOLDS, PARTLY, REMARK, UNMEASURED, Claim
from warpath.results.claims.sides import SINGLE

FEW = 3  # up to so many numbers are listed one by one
MANY = 8  # of more subjects than this, only so many are named
NO_MARK = "on the side of its mark that the claim names"


class Ballot(NamedTuple):
    """What a subject, with its number in words, says: True, False or None. `name` is the subject alone.

    A `single` answer rests on a single sample, and half or double of it might say another.
    """

    subject: str
    answer: Any
    stand_in: bool = False
    single: bool = False
    name: str = ""


class Vote(NamedTuple):
    """A verdict with its reason, the ballots that counted, and those of single samples that did not."""

    verdict: str
    reason: str
    ballots: list
    lone: list


def judge_times(name, place, gist, how, comparison, test, notes=""):
    """Judge a claim about time. The Test says of an estimate whether the claim is true, or None where it is undecided.

    An estimate that is only a bound counts where the test decides it; elsewhere its graph is not measured.
    """
    size = test.size
    rule = f"Holds at {test.words}." if test.words else ""
    rule = f"Direction: {test.words}; size: {size.words}." if size else rule
    about = {"name": name, "place": place, "gist": gist, "how": f"{how} {rule}".strip()}
    estimates, undecided = _counting(comparison.estimates, test)
    if not estimates:
        bounds = f" Bounds alone: {', '.join(undecided.values())}." if undecided else ""
        return _unmeasured(about, "–", comparison.missing + bounds, "Runs of all that is compared, on these graphs.")
    if any("host" in estimate.devices for estimate in estimates):
        reason = "The kernels ran in CPU emulation, which says nothing about a GPU's speed."
        return _unmeasured(about, f"{_listed(estimates)} (CPU emulation)", reason, "The same runs on a GPU.")
    vote, sized = _vote(_ballots(estimates, test), test.some), None
    if size and vote.verdict == HOLDS:
        counting, _ = _counting(comparison.estimates, size)
        sized = _vote(_ballots(counting, size)) if counting else Vote(UNMEASURED, "Only bounds are known.", [], [])
    voting = _voting(estimates)
    others = [estimate for estimate in estimates if estimate not in voting]
    remarks = [
        _size_in_words(sized, comparison.estimates, size),
        f"By direction: {vote.reason}" if sized and vote.reason else vote.reason,
        _stand_ins(estimates, test),
        _not_measured(comparison.unmeasured | undecided),
        _weak_runs(estimates),
        notes,
    ]
    verdict = PARTLY if sized and sized.verdict != HOLDS else vote.verdict
    return Claim(
        paper=None,
        **about,
        found=f"{_listed(voting)}; stand-ins: {_listed(others)}" if others else _listed(voting),
        verdict=verdict,
        reason=" ".join(filter(None, remarks)),
        direction=vote.verdict,
        size=sized.verdict if sized else "",
        voters=f"{'stand-ins alone' if voting[0].stand_in else 'own class'} ({len(voting)})",
        change=_change(verdict, vote, sized, test, voting[0].stand_in),
        apart="on stand-ins alone" if voting[0].stand_in else "",
    )


def judge_count(name, place, gist, how, count, notes="", change=""):
    """Judge a claim about a count, which is true or false on any device."""
    about = {"name": name, "place": place, "gist": gist, "how": how}
    ballots = [Ballot(subject, answer) for subject, answer in count.answers.items() if subject not in count.built]
    if not ballots:
        return _unmeasured(about, count.text or "–", count.missing, "A run of these algorithms.")
    vote = _vote(ballots)
    built = f"Made to satisfy the claim, so without a vote: {_names(count.built)}." if count.built else ""
    reason = " ".join(filter(None, [vote.reason, built, notes]))
    change = change or "Another count."
    return Claim(None, **about, found=count.text, verdict=vote.verdict, reason=reason, change=change)


def remark(name, place, gist, how, found, notes=""):
    """A remark of ours on a paper, which is no claim of it."""
    return Claim(None, name, place, gist, how, found, REMARK, notes)


def median(estimates):
    """The median of the estimates that are no bounds, in words; empty without any."""
    values = [estimate.value for estimate in estimates if not estimate.bound]
    return estimates[0].wording(float(pd.Series(values).median())) if values else ""


def _counting(estimates, test):
    """The estimates that may vote, and the numbers of those that are undecided bounds, by subject."""
    counting = [estimate for estimate in estimates if not estimate.bound or test(estimate) is not None]
    undecided = {estimate.subject: estimate.number for estimate in estimates if estimate not in counting}
    return counting, undecided


def _voting(estimates):
    """The estimates of real graphs; those of stand-ins where there are no others."""
    return [estimate for estimate in estimates if not estimate.stand_in] or estimates


def _ballots(estimates, test):
    ballots = []
    for each in estimates:
        wide = each._replace(low=each.value / 2, high=2 * each.value)
        single = SINGLE in each.weaknesses and test(wide) != test(each)
        ballots.append(Ballot(str(each), test(each), each.stand_in, single, each.subject))
    return ballots


def _vote(ballots, some=False):
    """Hold a vote among the real graphs, or among stand-ins where there are no others."""
    voters = [ballot for ballot in ballots if not ballot.stand_in] or ballots
    counts = Counter(ballot.answer for ballot in voters)
    lone = [ballot for ballot in voters if ballot.single and ballot.answer is not None and counts[ballot.answer] == 1]
    voters = [ballot._replace(answer=None) if ballot in lone else ballot for ballot in voters]
    verdict, reason = (_any_of if some else _tally)(voters)
    alone = f"One single sample does not decide: {_names(ballot.subject for ballot in lone)}." if lone else ""
    reason = "" if len(lone) == len(voters) else reason
    return Vote(verdict, f"{reason} {alone}".strip(), voters, lone)


def _tally(ballots):
    """The verdict of all ballots and its reason."""
    yes, no, undecided = _sides(ballots)
    tail = f" Undecided: {_names(undecided)}." if undecided else ""
    if yes and no:
        return DEPENDS, f"True: {_names(yes)}; false: {_names(no)}.{tail}"
    if not yes and not no:
        return DEPENDS, f"Too close to tell: {_names(undecided)}."
    if len(undecided) >= len(yes + no):
        return DEPENDS, f"Too few decide. {'True' if yes else 'False'}: {_names(yes + no)}.{tail}"
    agreed = f"All {len(yes + no)}{' that decide' if undecided else ''} agree." if len(ballots) > 1 else ""
    return (HOLDS if yes else FAILS), (agreed + tail).strip()


def _any_of(ballots):
    """The verdict on a claim that one graph is enough for, and its reason."""
    yes, no, undecided = _sides(ballots)
    if yes:
        return HOLDS, f"True: {_names(yes)}." + (f" False: {_names(no)}." if no else "")
    if undecided:
        return DEPENDS, f"True of none; undecided: {_names(undecided)}."
    return FAILS, f"True of none of {len(no)}." if len(no) > 1 else ""


def _sides(ballots):
    return [
        [subject for subject, given, *_ in ballots if (given if given is None else bool(given)) is answer]
        for answer in (True, False, None)
    ]


def _size_in_words(sized, estimates, size):
    """A sentence that tells direction and size apart."""
    if sized is None:
        return ""
    voting = _voting(estimates)
    number, printed = median(voting) or voting[0].number, size.printed or size.words
    if sized.verdict == HOLDS:
        return f"Direction and size hold ({number}{f' for {size.printed}' if size.printed else ''})."
    if sized.verdict == FAILS:
        return f"Direction holds, size does not ({number} instead of {printed})."
    why = "is not measured" if sized.verdict == UNMEASURED else "depends"
    return f"Direction holds, size {why} ({number} against {printed}). By size: {sized.reason}"


def _stand_ins(estimates, test):
    """What the stand-ins say where real graphs decide."""
    answers = [test(estimate) for estimate in estimates if estimate.stand_in]
    if not answers or len(answers) == len(estimates):
        return ""
    counts = Counter("undecided" if answer is None else "true" if answer else "false" for answer in answers)
    return f"Stand-ins, beside the vote: {', '.join(f'{count} {word}' for word, count in counts.items())}."


def _change(verdict, vote, sized, test, by_stand_ins):
    """What would change a verdict."""
    words, size = test.words or NO_MARK, test.size
    lone = list(dict.fromkeys(ballot.name for ballot in [*vote.lone, *(sized.lone if sized else [])]))
    against = [ballot.name for ballot in vote.ballots if not ballot.answer and ballot.name not in lone]
    outside = f", or sizes outside of {size.words}" if sized else ""
    sentences = {
        HOLDS: f"A graph of this class whose number is not {words}{outside}.",
        PARTLY: f"Sizes of {size and size.words}; for the direction, a graph of this class that is not at {words}.",
        FAILS: f"A graph of this class at {words}.",
        DEPENDS: f"To hold: {words} on {_names(against)}." if against else "",
    }
    parts = [
        sentences[verdict],
        f"More than one sample on {_names(lone)}." if lone else "",
        "Real graphs in the place of the stand-ins." if by_stand_ins else "",
    ]
    return " ".join(filter(None, parts))


def _names(subjects):
    """The subjects in words; of many, the first ones."""
    subjects = list(subjects)
    more = f" and {len(subjects) - MANY} more" if len(subjects) > MANY + 1 else ""
    return ", ".join(subjects[:MANY] if more else subjects) + more


def _not_measured(reasons):
    """One sentence on the graphs without a number, grouped by reason."""
    graphs = {}
    for graph, reason in reasons.items():
        graphs.setdefault(reason, []).append(graph)
    groups = "; ".join(f"{_names(names)} ({reason})" for reason, names in graphs.items())
    return f"Not measured on: {groups}." if groups else ""


def _weak_runs(estimates):
    """One sentence on the numbers that rest on flagged runs or on a single sample."""
    subjects = {}
    for estimate in estimates:
        for weakness in estimate.weaknesses:
            subjects.setdefault(weakness, []).append(estimate.subject)
    groups = []
    for weakness, names in subjects.items():
        which = ", ".join(names) if len(names) <= FEW else f"{len(names)} of {len(estimates)}"
        groups.append(f"{weakness} ({which})")
    return f"Weak runs: {', '.join(groups)}." if groups else ""


def _listed(estimates):
    """A few numbers one by one; of many the median and both ends."""
    wording = estimates[0].wording
    if len(estimates) <= FEW:
        return ", ".join(f"{estimate}{_interval(estimate)}" for estimate in estimates)
    values = [estimate.value for estimate in estimates]
    low, high = estimates[values.index(min(values))], estimates[values.index(max(values))]
    middle = median(estimates) or wording(float(pd.Series(values).median()))
    return f"median {middle}; from {low} to {high}"


def _interval(estimate):
    if estimate.bound or estimate.low == estimate.high:
        return ""
    return f" ({estimate.wording(estimate.low)} – {estimate.wording(estimate.high)})"


def _unmeasured(about, found, reason, change):
    return Claim(None, **about, found=found, verdict=UNMEASURED, reason=reason, change=change)
