"""The answer of a study in three sentences: what is fastest, where it is not, and what holds."""

from collections import Counter

import pandas as pd

from warpath.algorithms.problems import PROBLEMS
from warpath.results import claims, select, style

NAMED = 3  # graphs that a sentence names before it counts the rest
TITLES = {name: "all pairs" if problem.all_pairs else name.upper() for name, problem in PROBLEMS.items()}
EMULATED = "The kernels ran in CPU emulation: their times say nothing about a GPU and are folded away below."
WORDS = style.STATUSES | {"wrong": "wrong"}
NEARLY_EQUAL = "too close to call"


def sentences(summary, judged):
    """At most three lines; those of an emulated study are about its answers and compare no times."""
    if select.emulated(summary):
        return [_answers(summary), EMULATED, *_claims(judged)]
    leads = leaders(summary)
    endings = " ".join([_answers(summary), *_claims(judged)])
    return [*([_fastest(leads), _exceptions(leads)] if len(leads) else []), endings]


def leaders(summary):
    """Per problem and graph the fastest algorithm, its lead over the next, and whether their intervals are apart.

    Graphs on which only one algorithm finished are left out.
    """
    rows = []
    best = select.sound(select.best(summary))
    best = best[best["median_ms"] > 0]
    for (problem, graph), group in best.groupby(["problem", "graph"], sort=False):
        if len(group) > 1:
            first, second = group.sort_values("median_ms", kind="stable").head(2).to_dict("records")
            lead = second["median_ms"] / first["median_ms"]
            rows.append((problem, graph, first["algorithm"], lead, bool(first["high_ms"] < second["low_ms"])))
    return pd.DataFrame(rows, columns=["problem", "graph", "algorithm", "lead", "clear"])


def _fastest(leads):
    parts = []
    for problem, rows in _by_problem(leads):
        winner = _winner(rows)
        won = rows[rows["clear"] & (rows["algorithm"] == winner)]
        if not len(won):
            parts.append(f"none clearly for {TITLES[problem]}")
            continue
        parts.append(
            f"{winner} for {TITLES[problem]} ({_share(len(won), len(rows))}, {style.factor(won['lead'].median())})"
        )
    lead = "; each factor is the median lead over the next algorithm" if leads["clear"].any() else ""
    return f"Fastest: {_listed(parts)}{lead}."


def _exceptions(leads):
    parts = []
    for problem, rows in _by_problem(leads):
        winner = _winner(rows)
        lost = rows[~rows["clear"] | (rows["algorithm"] != winner)]
        names = lost["algorithm"].where(lost["clear"], NEARLY_EQUAL)
        groups = sorted(lost.groupby(names), key=lambda item: (item[0] == NEARLY_EQUAL, -len(item[1])))
        parts += [f"{name} for {TITLES[problem]} on {_named(group['graph'])}" for name, group in groups]
    shown = [f"{len(parts) - 4} more" if at == 4 else part for at, part in enumerate(parts[:5])]
    return f"Elsewhere: {'; '.join(shown)}." if parts else "No graph is an exception."


def _winner(rows):
    """The algorithm that leads clearly on most graphs; where none does, the one that leads on most."""
    counts = (rows[rows["clear"]] if rows["clear"].any() else rows)["algorithm"].value_counts()
    return min(counts[counts == counts.max()].index)


def _by_problem(leads):
    return [(name, leads[leads["problem"] == name]) for name in PROBLEMS if (leads["problem"] == name).any()]


def _named(graphs):
    names = list(graphs) if len(graphs) <= NAMED + 1 else [*graphs[:NAMED], f"{len(graphs) - NAMED} more"]
    return _listed(names)


def _share(won, graphs):
    if won == graphs:
        return {1: "1 graph", 2: "both graphs"}.get(graphs, f"all {graphs} graphs")
    return f"{won} of {graphs} graphs"


def _listed(parts):
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _answers(summary):
    counts = summary["status"].value_counts()
    others = [f"{count} {WORDS[status]}" for status, count in counts.items() if status != select.SOUND]
    right = int(counts.get(select.SOUND, 0))
    if not others:
        return f"All {right} runs gave right answers."
    return f"{right} of {len(summary)} runs gave right answers ({', '.join(others)})."


def _claims(judged):
    """A sentence on the papers' claims, as a list; empty where none was judged."""
    counts = Counter(claim.verdict for claim in claims.of_papers(judged))
    measured = sum(counts.values()) - counts[claims.UNMEASURED]
    if not measured:
        return [f"None of {len(judged)} claims could be measured."] if judged else []
    partly = f", {counts[claims.PARTLY]} more in direction" if counts[claims.PARTLY] else ""
    return [f"{counts[claims.HOLDS]} of {measured} measured claims hold{partly}."]
