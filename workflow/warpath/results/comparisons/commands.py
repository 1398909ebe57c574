"""The sub-commands that compare: what was measured, or with `ab` what is measured for it."""

import argparse
import collections
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.text import counted
from warpath.results.comparisons import verdicts
from warpath.results.comparisons.verdicts import EXITS

PLACES = """\
A place is one of these:
  results                      the results of a workflow
  docs/h200/frontier           a published study
  summary.csv                  a table that somebody sent
  HEAD~9:docs/h200/frontier    what git has of a published study or table at a commit
"""
FEW = 12  # runs of a verdict that a terminal shows


def add_to(step):
    compare = step(
        "compare",
        _compare,
        f"compare finished measurements, nothing is measured; {EXITS}",
        description=f"Compare every run of B with the same run of A; {EXITS}.",
        epilog=PLACES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    compare.add_argument("before", metavar="A", help="what the others are compared with")
    compare.add_argument("after", metavar="B", nargs="+", help="what is compared with A; each by itself")
    about = "a smaller change is none (%(default)s), nor one that runs with the same code on both sides show, too"
    compare.add_argument("--tolerance", type=_percent, default=5, metavar="PERCENT", help=about)
    compare.add_argument("--output", default=places.COMPARISON, metavar="DIR", help="where to write (%(default)s)")

    ab = step(
        "ab",
        _ab,
        f"measure the kernels of a commit or folder and those of this checkout in turns; {EXITS}",
        description="Measure each run of the study in the settings whose code differs between the kernels of A and B, "
        f"those of this checkout, in turns on one device. Nothing is kept. It {EXITS}.",
        forks=True,
    )
    ab.add_argument("base", metavar="A", help="a commit, or a folder with kernels")
    ab.add_argument("--only", default="", metavar="WORDS", help="runs with these words in algorithm, graph or launch")
    ab.add_argument("--width", type=_percent, default=3, help="percent, of the interval to reach (%(default)s)")
    ab.add_argument("--budget", type=float, default=60, help="seconds of a run if it is wider (%(default)s)")
    ab.add_argument("--output", default=places.TURNS, metavar="DIR", help="where to write (%(default)s)")


def _percent(text):
    value = float(text)
    if not 0 < value < 1000:
        raise argparse.ArgumentTypeError(f"{text} is not a percentage above 0")
    return value


def _compare(arguments):
    import pandas as pd

    from warpath.results import frames
    from warpath.results.comparisons import figure, judged, pages, ratios, sides

    folder, mark = Path(arguments.output), 1 + arguments.tolerance / 100
    before, *others = map(sides.read, [arguments.before, *arguments.after])
    parts = [pages.part(before, after, mark) for after in others]
    for number, part in enumerate(parts, 1):
        name = "comparison" if number == 1 else f"comparison-{number}"
        part["reading"] = figure.draw(part["table"], (before.name, part["side"].name), folder, name)
        part["picture"] = folder / f"{name}.svg"
    claims = judged.on([before, *others])
    whole = ratios.ranked(pd.concat([part["table"] for part in parts], ignore_index=True))
    frames.write(whole, folder / "comparison.csv")
    if claims:
        frames.write(judged.table(claims), folder / "claims.csv")
    pages.write(before, parts, whole, claims, mark, folder / "comparison.html")
    for part in parts:
        print(*_lines(before, part), sep="\n")
    print(f"claims: {judged.in_words(claims)}")
    print(folder / "comparison.html")
    return verdicts.exit_code(whole["verdict"])


def _lines(before, part):
    """What a terminal shows of one comparison: environments, verdicts, and the first runs that got slower or faster."""
    from warpath.results.comparisons import pages

    for label, side in (("A", before), ("B", part["side"])):
        yield f"{label}: {side.name}: {pages.about(side)}"
    yield from (f"differs: {name}: A {first} | B {second}" for name, first, second in part["differing"])
    yield f"code of the algorithms: {part['code']}"
    yield part["control"]
    for verdict in (verdicts.BROKEN, *verdicts.STEPS, verdicts.REPAIRED):
        rows = part["table"][part["table"]["verdict"] == verdict]
        yield from map(_line, rows[:FEW].to_dict("records"))
        if len(rows) > FEW:
            yield f"{verdict:9} … and {len(rows) - FEW} more"
    if part["reasons"]:
        yield f"not compared: {part['reasons']}"
    yield part["answer"]


def _line(row):
    from warpath.results import style
    from warpath.results.comparisons import ratios

    run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
    if row["basis"] == ratios.STATUS:
        return f"{row['verdict']:9} {row['a_status']} → {row['b_status']}: {run}"
    ends = " to ".join(style.factor(row[end]) for end in ("low", "high"))
    return f"{row['verdict']:9} {style.factor(row['ratio'])} ({ends}): {run}"


def _ab(arguments):
    import pandas as pd

    from warpath.base import settings
    from warpath.results import frames, style
    from warpath.results.comparisons import ab, code
    from warpath.runs import plan, turns

    config, rows, width, output = settings.read(), [], 1 + arguments.width / 100, Path(arguments.output)
    turns.settle(config["device"])
    study, words = plan.load(config), arguments.only.lower().split()
    named = {run: f"{run.id} {run.graph} {run.launch}".lower() for run in study.runs if run.process == 1}
    runs = [run for run, name in named.items() if all(word in name for word in words)]
    with ab.kernels(arguments.base) as (name, folder):
        print(f"A: {name}; B: {places.KERNELS}; {study.device}")
        changes = {run: ab.change(run, folder, config["timing"]["warmup"]) for run in runs}
        for change, count in collections.Counter(changes.values()).items():
            print(f"code of {counted(count, 'run')}: {change}" + ", skipped" * (change != code.CHANGED))
        changed, same = ([run for run in runs if changes[run] == kind] for kind in (code.CHANGED, code.SAME))
        if not changed + same:
            raise UserError(f"{name}: no run of study {study.name} can be compared")
        for run, base in [((changed + same)[0], places.KERNELS), *((run, folder) for run in changed)]:
            row = ab.measured(run, (base, places.KERNELS), config["timing"], width, arguments.budget)
            rows.append(row)
            mark = ab.mark(rows[0], width)
            row |= {"mark": mark, "verdict": ab.verdict(row, mark, width) if row is not rows[0] else "control"}
            effort = f"{row['processes']} processes, {row['turns']} turns, {row['seconds']:.0f} s"
            print(*filter(None, [_line(row), effort, row.get("error")]), sep="; ", flush=True)
            frames.write(pd.DataFrame(rows), output / "ab.csv")
    found = [row["verdict"] for row in rows[1:]]
    print(f"Beyond {style.percent(100 * (mark - 1))}, as B differs from itself: {verdicts.counted(found) or 'no run'}.")
    unsure = verdicts.UNDECIDED in found or not {code.SAME, code.CHANGED, ab.NEW}.issuperset(changes.values())
    return verdicts.exit_code(found, verdicts.CANNOT_TELL if unsure else verdicts.NOTHING_SLOWER)
