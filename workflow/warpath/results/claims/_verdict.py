"""From numbers to a verdict, and the remarks that go with it.

A claim about time is judged on a GPU only; numbers of the CPU emulation are shown, and the verdict is `not measured`.
A graph decides for or against a claim when the whole 95 % interval of its number lies on one side of the mark (10 %
are added either way to a single sample). A claim holds, or does not, when more than half of the graphs decide and all
of these agree; otherwise it depends.
"""

import pandas as pd

from warpath.results.claims import DEPENDS, FAILS, HOLDS, UNMEASURED, Claim

FEW = 3  # up to so many are listed by name


def judge_times(name, place, gist, how, comparison, test, notes=""):
    """Judge a claim about time. `test` says of an estimate whether the claim is true, or None where it is undecided.

    An estimate that is only a bound counts where the test decides it; elsewhere its graph is not measured.
    """
    about = {"name": name, "place": place, "gist": gist, "how": how}
    estimates = [estimate for estimate in comparison.estimates if not estimate.bound or test(estimate) is not None]
    undecided = {estimate.subject: estimate.number for estimate in comparison.estimates if estimate not in estimates}
    if not estimates:
        return _claim(about, "–", UNMEASURED, comparison.missing)
    if any("host" in estimate.devices for estimate in estimates):
        reason = "The kernels ran in CPU emulation, which says nothing about a GPU's speed."
        return _claim(about, f"{_listed(estimates)} (CPU emulation)", UNMEASURED, reason)
    verdict, reason = _vote([(str(estimate), test(estimate)) for estimate in estimates])
    remarks = [reason, _not_measured(comparison.unmeasured | undecided), _weak_runs(estimates), notes]
    return _claim(about, _listed(estimates), verdict, " ".join(filter(None, remarks)))


def judge_count(name, place, gist, how, count, notes=""):
    """Judge a claim about a count, which is true or false on any device."""
    about = {"name": name, "place": place, "gist": gist, "how": how}
    if not count.answers:
        return _claim(about, "–", UNMEASURED, count.missing)
    verdict, reason = _vote(list(count.answers.items()))
    return _claim(about, count.text, verdict, f"{reason} {notes}".strip())


def _vote(answers):
    """The verdict and its reason. `answers` are pairs of a subject and True, False or None."""
    undecided = [subject for subject, answer in answers if answer is None]
    yes = [subject for subject, answer in answers if answer is not None and answer]
    no = [subject for subject, answer in answers if answer is not None and not answer]
    tail = f" Undecided: {', '.join(undecided)}." if undecided else ""
    if yes and no:
        return DEPENDS, f"True: {', '.join(yes)}; false: {', '.join(no)}.{tail}"
    if not yes and not no:
        return DEPENDS, "Every interval contains the mark: too close to tell."
    if len(undecided) >= len(yes + no):
        return DEPENDS, f"Too few decide. {'True' if yes else 'False'}: {', '.join(yes + no)}.{tail}"
    agreed = f"All {len(yes + no)} agree." if len(answers) > 1 else ""
    return (HOLDS if yes else FAILS), (agreed + tail).strip()


def _not_measured(reasons):
    """One sentence on the graphs without a number, grouped by reason."""
    graphs = {}
    for graph, reason in reasons.items():
        graphs.setdefault(reason, []).append(graph)
    groups = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in graphs.items())
    return f"Not measured on: {groups}." if groups else ""


def _weak_runs(estimates):
    """One sentence on the numbers that rest on flagged runs or on a single sample."""
    subjects = {}
    for estimate in estimates:
        for weakness in estimate.weaknesses:
            subjects.setdefault(weakness, []).append(estimate.subject)
    groups = [f"{weakness} ({_few(names, len(estimates))})" for weakness, names in subjects.items()]
    return f"Weak runs: {', '.join(groups)}." if groups else ""


def _few(names, total):
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} of {total}"


def _listed(estimates):
    """A few numbers one by one; of many the median and both ends."""
    wording = estimates[0].wording
    if len(estimates) <= FEW:
        return ", ".join(f"{estimate}{_interval(estimate)}" for estimate in estimates)
    values = [estimate.value for estimate in estimates]
    low, high = estimates[values.index(min(values))], estimates[values.index(max(values))]
    return f"median {wording(float(pd.Series(values).median()))}; from {low} to {high}"


def _interval(estimate):
    if estimate.bound or estimate.low == estimate.high:
        return ""
    return f" ({estimate.wording(estimate.low)} – {estimate.wording(estimate.high)})"


def _claim(about, numbers, verdict, reason):
    return Claim(paper=None, **about, found=numbers, verdict=verdict, reason=reason)
