"""The answer of a study in four sentences: what is fastest, with which launch on a GPU, where it is not, what holds."""

from warpath.base.problems import PROBLEMS
from warpath.base.text import counted, listed
from warpath.devices import ON_GPU
from warpath.results import claims, select, shapes, style
from warpath.runs import statuses

NAMED = 3  # graphs that a sentence names before it counts the rest
TITLES = {name: "all pairs" if problem.all_pairs else name.upper() for name, problem in PROBLEMS.items()}
EMULATED = "The kernels ran in CPU emulation: their times say nothing about a GPU and are folded away below."
WORDS = statuses.WORDS | {statuses.WRONG: "wrong"}


def sentences(summary, judged, timings):
    """At most four lines; those of an emulated study are about its answers and compare no times.

    Graphs on which only one algorithm finished are no comparison.
    """
    if select.emulated(summary):
        return [_answers(summary), EMULATED, *_claims(judged)]
    leads = shapes.winners(summary, timings).dropna(subset="margin")
    endings = " ".join([_answers(summary), *_claims(judged)])
    return [*([shapes.leaders(leads), *_launches(summary), _exceptions(leads)] if len(leads) else []), endings]


def _launches(summary):
    """A sentence, in a list, on what is fastest on a GPU at each problem; an empty one without runs there."""
    best = select.best(select.sound(summary[summary["device"].isin(ON_GPU)]), ["problem", "graph"])
    problems = dict(list(best.groupby("problem")))
    parts = [_launch(problems[problem], title) for problem, title in TITLES.items() if problem in problems]
    return [f"On a GPU {'; '.join(parts)}."] if parts else []


def _launch(best, title):
    """The algorithm that is fastest on most graphs, its most frequent launch, and how long it prepares."""
    counts, graphs = best["algorithm"].value_counts(), counted(len(best), "graph")
    if not (first := shapes.leader(best["algorithm"])):
        most = [*counts.index[counts == counts.iloc[0]]]
        verb = "are each" if len(most) > 1 else "is"
        return f"{listed(most)} {verb} fastest on {counts.iloc[0]} of {graphs} for {title}"
    mine = best[best["algorithm"] == first]
    launches, ready = mine["launch"].map(style.launch).value_counts(), mine["prepare_ms"].dropna()
    told = [f"{first} is fastest on {len(mine)} of {graphs} for {title}"]
    told += [f"with {launch} on {count} of them" for launch, count in launches.head(1).items() if launch]
    told += [f"prepared in {style.span(ready, style.duration)}"] if len(ready) else []
    return ", ".join(told)


def _exceptions(leads):
    parts = []
    for problem, title in TITLES.items():
        rows = leads[leads["problem"] == problem]
        names = rows["winner"].mask(rows["tie"], shapes.NEARLY_EQUAL)
        lost = rows[names != shapes.leader(names)].groupby(names)["graph"]
        groups = sorted(lost, key=lambda item: (item[0] == shapes.NEARLY_EQUAL, -len(item[1])))
        parts += [f"{name} for {title} on {listed([*graphs], NAMED)}" for name, graphs in groups]
    shown = [f"{len(parts) - 4} more" if at == 4 else part for at, part in enumerate(parts[:5])]
    return f"Elsewhere: {'; '.join(shown)}." if parts else "No graph is an exception."


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
