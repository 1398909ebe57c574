"""What differs between the environments of two sides, and what is the same: to be read before any ratio."""

from warpath.results import style
from warpath.results.comparisons import code

ORDER = (
    *("device name", "uuid", "driver", "cuda", "sm clock max mhz", "memory clock max mhz"),
    *("sm clock after a run, median mhz", "commit"),
)
FEW = 3  # of more values than this, the most frequent are listed


def about(side):
    """A line on a side: its runs, their devices, when they were measured, and how many are flagged."""
    dates = sorted({started[:10] for started in side.summary["started"].dropna()})
    measured = f"; measured {dates[0]}" + (f" to {dates[-1]}" if len(dates) > 1 else "") if dates else ""
    known = side.summary[side.summary["device"].isin(list(style.DEVICES))]
    devices = f"; {style.devices(known)}" if len(known) else ""
    flags = side.summary["flags"].str.split().explode().value_counts()
    flagged = f"; flagged: {', '.join(f'{count} {flag}' for flag, count in flags.items())}" if len(flags) else ""
    return f"{len(side.summary)} runs{devices}{measured}{flagged}"


def compared(before, after):
    """Rows (name, value of the first side, of the second) of what differs, and rows (name, value) of what is the same.

    A value that only one side knows is among those that differ, as unknown on the other.
    """
    values = [dict(side.environment) for side in (before, after)]
    names = sorted(values[0].keys() | values[1].keys(), key=lambda name: (_rank(name), name))
    differing, equal = [], []
    for name in names:
        first, second = (entries.get(name, []) for entries in values)
        if {value for value, _ in first} == {value for value, _ in second}:
            equal.append((name, ", ".join(str(value) for value, _ in first)))
        else:
            differing.append((name, in_words(first), in_words(second)))
    return differing, equal


def lines(before, after, table):
    """What differs, as lines for a terminal."""
    differing, equal = compared(before, after)
    yield from (f"differs: {name}: A {first} | B {second}" for name, first, second in differing)
    if equal:
        yield f"the same: {', '.join(f'{name} {value}' for name, value in equal[:6])}" + ", …" * (len(equal) > 6)
    yield f"code of the algorithms: {code_in_words(table)}"


def code_in_words(table):
    """How many runs were measured with the same code on both sides."""
    found = table["code"].value_counts()
    words = {code.SAME: "the same in {} runs", code.CHANGED: "changed in {}", code.UNKNOWN: "unknown in {}"}
    return ", ".join(text.format(found[kind]) for kind, text in words.items() if kind in found)


def in_words(values):
    """The values of one entry, the most frequent first, with the number of runs of each."""
    if not values:
        return "unknown"
    if len(values) == 1:
        return str(values[0][0])
    more = f" and {len(values) - FEW} more" if len(values) > FEW else ""
    return ", ".join(f"{value} ({runs} runs)" for value, runs in values[:FEW]) + more


def _rank(name):
    return ORDER.index(name) if name in ORDER else len(ORDER)
