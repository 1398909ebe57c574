"""Write the page of a comparison: one file that needs no network, into which another summary.csv can be dropped.

The sentences that the terminal shows, too, are here.
"""

import numpy as np

from warpath.base.text import counted, listed
from warpath.results import packed, page, select, statistics, style
from warpath.results.comparisons import code, judged, ratios, verdicts

PARTS = ("data", "csv", "state", "table", "compare")
METHOD = (
    "The ratio is the geometric mean over start vertices of B's median time over A's, with a 95 % bootstrap interval "
    "that draws vertices and then repetitions; without samples from the same vertices it follows from both medians and "
    "their intervals."
)
OF_A = [*select.RUN, "device", "status", *select.INTERVAL, "samples", "vertices", "arcs"]
OF_ROW = ["against", *select.RUN, "verdict", *ratios.ESTIMATE, "mark"]
OF_ROW += ["a_ms", "b_ms", "a_status", "b_status", "basis", "code"]
FEW = 3  # of more values than this, the most frequent are listed


def part(before, after, mark):
    """What is told of one side compared with `before`: its table, and in words what else the two differ in."""
    table, reasons = ratios.compared(before, after, mark)
    return {
        "side": after,
        "table": table,
        "answer": f"Of {len(table)} runs that both have: {verdicts.counted(table['verdict'])} in {after.name}.",
        "differing": environment(before, after),
        "code": code.in_words(table),
        "control": control(table),
        "reasons": ratios.in_words(reasons),
    }


def write(before, parts, table, claims, mark, output):
    """Write the page; each of the `parts` has its picture and what it shows, too, and `table` the rows of all."""
    shown = [before, *(part["side"] for part in parts)]
    labels = [chr(ord("A") + number) for number in range(len(shown))]
    content = {
        "title": f"{' and '.join(side.name for side in shown[1:])} against {before.name}",
        "answer": " ".join(part["answer"] for part in parts),
        "sides": [(label, side.name, about(side)) for label, side in zip(labels, shown, strict=True)],
        "parts": [
            part | {"label": label, "image": page.image(part["picture"])}
            for label, part in zip(labels[1:], parts, strict=True)
        ],
        "emulated": select.emulated(table),
        "claims": claims,
        "judged": judged.in_words(claims),
        "verdicts": [name for name in verdicts.VERDICTS if name in set(table["verdict"])],
        "percent": f"{100 * (mark - 1):g}",
        "method": METHOD,
        "data": {
            "a": packed.of_table(before.summary[OF_A]),
            "rows": packed.of_table(table[OF_ROW]),
            "devices": style.devices(before.summary),
            "commits": ", ".join(sorted(before.summary["commit"].dropna().unique())),
            "mark": mark,
            "single": statistics.SINGLE_MARGIN,
            "verdicts": verdicts.VERDICTS,
        },
    }
    page.render("compare.html.j2", output, content, [page.own_scripts(PARTS)])


def control(table):
    """What runs whose code is the same on both sides say of the machines."""
    rows = table[table["control"]]
    if rows.empty:
        commit = next(iter(table["a_commit"].dropna()), "<commit>").removesuffix("-dirty")
        return (
            "Control: no run was measured twice with the same code on cards of one name, so it cannot be told how much "
            f"of a difference is noise. `warpath ab {commit}` measures the kernels of that commit and yours in turns."
        )
    sizes = np.log(rows["ratio"].astype(float))
    spread = 100 * np.expm1(statistics.prediction_limit(sizes.abs()))
    return (
        f"Control: {counted(len(rows), 'run')} measured twice with the same code; 95 % of such ratios are within "
        f"{style.digits(spread)} % of 1, with a median of {style.factor(np.exp(sizes.median()))}. That is what "
        "process, day, card and driver make: no difference counts that control runs of like time show, too."
    )


def about(side):
    """A line on a side: its runs, their devices, when they were measured, and how many are flagged."""
    dates = sorted({started[:10] for started in side.summary["started"].dropna()})
    flags = side.summary["flags"].str.split().explode().value_counts()
    parts = [
        f"{len(side.summary)} runs",
        style.devices(side.summary),
        f"measured {' to '.join(dict.fromkeys([dates[0], dates[-1]]))}" if dates else "",
        f"flagged: {', '.join(f'{count} {flag}' for flag, count in flags.items())}" if len(flags) else "",
    ]
    return "; ".join(filter(None, parts))


def environment(before, after):
    """Rows (name, value of the first side, of the second) of what differs; what one side does not know is unknown."""
    values = [dict(side.environment) for side in (before, after)]
    differing = []
    for name in values[0] | values[1]:
        first, second = (entries.get(name, []) for entries in values)
        if {value for value, _ in first} != {value for value, _ in second}:
            differing.append((name, _in_words(first), _in_words(second)))
    return differing


def _in_words(values):
    """The values of one entry, the most frequent first, with the number of runs of each."""
    if len(values) == 1:
        return str(values[0][0])
    return listed([f"{value} ({runs} runs)" for value, runs in values], FEW) if values else "unknown"
