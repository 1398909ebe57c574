"""How numbers become a verdict, and what a reader should know of them besides.

A claim about time is judged on a GPU only: numbers of the CPU emulation are shown, and the verdict is `not measured`.
A graph says yes or no to a claim when the whole 95 % interval of its number does (10 % either way where there is one
sample alone); one whose interval crosses the mark is undecided. A claim holds, or does not, where more than half of the
graphs are decided and all of those agree; otherwise it depends.
"""

import pandas as pd

from warpath.results.claims import DEPENDS, FAILS, HOLDS, UNMEASURED, Claim

FEW = 3  # that many are listed one by one


def ask(name, place, gist, how, comparison, test, notes=""):
    """A claim about time: its name, where it stands, what it says, how that is measured, the numbers and the rule.

    A bound counts where it decides; elsewhere its graph is not measured.
    """
    about = {"name": name, "place": place, "gist": gist, "how": how}
    found = [one for one in comparison.found if not one.bound or test(one) is not None]
    open_bounds = {one.on: f"{one.bound} {one.wording(one.value)}" for one in comparison.found if one not in found}
    if not found:
        return _claim(about, "–", UNMEASURED, comparison.missing)
    if any("host" in one.devices for one in found):
        reason = "The kernels ran in CPU emulation, which says nothing about a GPU's speed."
        return _claim(about, f"{_listed(found)} (CPU emulation)", UNMEASURED, reason)
    verdict, reason = _vote([(str(one), test(one)) for one in found])
    reasons = [reason, _not_measured(comparison.unmeasured | open_bounds), _weak(found), notes]
    return _claim(about, _listed(found), verdict, " ".join(filter(None, reasons)))


def counted(name, place, gist, how, count, notes=""):
    """A claim about something else than time, true or false on any device."""
    about = {"name": name, "place": place, "gist": gist, "how": how}
    if not count.answers:
        return _claim(about, "–", UNMEASURED, count.missing)
    verdict, reason = _vote(list(count.answers.items()))
    return _claim(about, count.said, verdict, f"{reason} {notes}".strip())


def _vote(answers):
    """The verdict, and who says what; `answers` are pairs of a subject and True, False or None."""
    undecided = [who for who, said in answers if said is None]
    yes = [who for who, said in answers if said is not None and said]
    no = [who for who, said in answers if said is not None and not said]
    tail = f" Undecided: {', '.join(undecided)}." if undecided else ""
    if yes and no:
        return DEPENDS, f"True for {', '.join(yes)}; false for {', '.join(no)}.{tail}"
    if not yes and not no:
        return DEPENDS, "Every interval crosses the mark: too close to tell."
    if len(undecided) >= len(yes + no):
        return DEPENDS, f"Too few decided: {'true' if yes else 'false'} for {', '.join(yes + no)}.{tail}"
    agreed = f"All {len(yes + no)} agree." if len(answers) > 1 else ""
    return (HOLDS if yes else FAILS), (agreed + tail).strip()


def _not_measured(unmeasured):
    graphs = {}
    for graph, why in unmeasured.items():
        graphs.setdefault(why, []).append(graph)
    said = "; ".join(f"{', '.join(names)} ({why})" for why, names in graphs.items())
    return f"Not measured on: {said}." if said else ""


def _weak(found):
    """Which numbers rest on runs that were flagged, or on one sample."""
    weak = {}
    for one in found:
        for word in one.weak:
            weak.setdefault(word, []).append(one.on)
    said = [f"{word} ({_named(names, len(found))})" for word, names in weak.items()]
    return f"Weak runs: {', '.join(said)}." if said else ""


def _named(names, total):
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} of {total}"


def _listed(found):
    """A few numbers one by one, many by their middle and their ends."""
    wording = found[0].wording
    if len(found) <= FEW:
        return ", ".join(f"{one}{_interval(one)}" for one in found)
    low, high = min(found, key=lambda one: one.value), max(found, key=lambda one: one.value)
    middle = float(pd.Series([one.value for one in found]).median())
    return f"median {wording(middle)}; from {low} to {high}"


def _interval(found):
    if found.bound or found.low == found.high:
        return ""
    return f" ({found.wording(found.low)} – {found.wording(found.high)})"


def _claim(about, found, verdict, reason):
    return Claim(**{"paper": None, **about}, found=found, verdict=verdict, reason=reason)
