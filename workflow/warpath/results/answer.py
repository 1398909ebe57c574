"""The answer of a study in three sentences: what is fastest, where it is not, and what holds."""

from warpath.base.problems import PROBLEMS
from warpath.base.text import listed
from warpath.results import claims, select, shapes, style
from warpath.runs import statuses

NAMED = 3  # graphs that a sentence names before it counts the rest
TITLES = {name: "all pairs" if problem.all_pairs else name.upper() for name, problem in PROBLEMS.items()}
EMULATED = "The kernels ran in CPU emulation: their times say nothing about a GPU and are folded away below."
WORDS = statuses.WORDS | {statuses.WRONG: "wrong"}
NEARLY_EQUAL = "too close to call"


def sentences(summary, judged, timings):
    """At most three lines; those of an emulated study are about its answers and compare no times.

    Graphs on which only one algorithm finished are no comparison.
    """
    if select.emulated(summary):
        return [_answers(summary), EMULATED, *_claims(judged)]
    leads = shapes.winners(summary, timings).dropna(subset="margin")
    endings = " ".join([_answers(summary), *_claims(judged)])
    return [*([_fastest(leads), _exceptions(leads)] if len(leads) else []), endings]


def _fastest(leads):
    parts = []
    for problem, rows in _by_problem(leads):
        winner = _winner(rows)
        won = rows[~rows["tie"] & (rows["winner"] == winner)]
        if not len(won):
            parts.append(f"none clearly for {TITLES[problem]}")
            continue
        every = len(won) == len(rows)
        share = style.all_of(len(rows), "graph") if every else f"{len(won)} of {len(rows)} graphs"
        parts.append(f"{winner} for {TITLES[problem]} ({share}, {style.factor(won['margin'].median())})")
    lead = "; each factor is the median lead over the next algorithm" if not leads["tie"].all() else ""
    return f"Fastest: {listed(parts)}{lead}."


def _exceptions(leads):
    parts = []
    for problem, rows in _by_problem(leads):
        winner = _winner(rows)
        lost = rows[rows["tie"] | (rows["winner"] != winner)]
        names = lost["winner"].mask(lost["tie"], NEARLY_EQUAL)
        groups = sorted(lost.groupby(names), key=lambda item: (item[0] == NEARLY_EQUAL, -len(item[1])))
        parts += [f"{name} for {TITLES[problem]} on {listed([*group['graph']], NAMED)}" for name, group in groups]
    shown = [f"{len(parts) - 4} more" if at == 4 else part for at, part in enumerate(parts[:5])]
    return f"Elsewhere: {'; '.join(shown)}." if parts else "No graph is an exception."


def _winner(rows):
    """The algorithm that leads clearly on most graphs; None where none does, or two do on as many."""
    counts = rows.loc[~rows["tie"], "winner"].value_counts()
    most = counts.index[counts == counts.max()]
    return most[0] if len(most) == 1 else None


def _by_problem(leads):
    return [(name, leads[leads["problem"] == name]) for name in PROBLEMS if (leads["problem"] == name).any()]


def _answers(summary):
    counts = summary["status"].value_counts()
    others = [f"{count} {WORDS[status]}" for status, count in counts.items() if status != select.SOUND]
    right = int(counts.get(select.SOUND, 0))
    share = f"{right} of {len(summary)}" if others else f"All {right}"
    note = f" ({', '.join(others)})" if others else ""
    return f"{share} runs gave right answers{note}."


def _claims(judged):
    """A sentence on the papers' claims, as a list; empty where none was judged."""
    counts, apart = claims.counted(judged)
    measured = sum(counts.values()) - counts[claims.UNMEASURED]
    if not measured and not apart:
        return [f"None of {len(judged)} claims could be measured."] if judged else []
    partly = f", {counts[claims.PARTLY]} more in direction" if counts[claims.PARTLY] else ""
    told = f"{counts[claims.HOLDS]} of {measured} measured claims hold{partly}."
    return list(filter(None, [told, claims.apart_in_words(apart)]))
