"""Write the page of a comparison: one file that needs no network, into which another summary.csv can be dropped."""

import base64
import datetime

import numpy as np

from warpath.base.files import atomic
from warpath.base.text import counted
from warpath.results import packed, page, statistics, style
from warpath.results.comparisons import environment, judged, ratios, sides

SCRIPTS = ("data.js", "csv.js", "compare.js")
ENDLESS = 1e300  # an end of an interval that a time limit leaves open
METHOD = (
    "The ratio is the geometric mean over start vertices of B's median time over A's, with a 95 % bootstrap interval "
    "that draws vertices and then repetitions; without samples it follows from both medians and their intervals."
)
OF_RUN = ["algorithm", "graph", "launch"]
OF_A = [*OF_RUN, "device", "status", "median_ms", "low_ms", "high_ms", "samples", "time_limit_s", "vertices", "arcs"]
OF_ROW = [
    *["against", *OF_RUN, "verdict", "ratio", "low", "high", "a_ms", "b_ms", "a_status", "b_status"],
    *["basis", "code"],
]


def write(before, parts, claims, mark, output):
    """Write the page; `parts` has a comparison with `before` for each other side: table, reasons, picture, reading."""
    table = ratios.joined([part["table"] for part in parts])
    _, *labels = sides.labels_of(1 + len(parts))
    shown = [("A", before.name, environment.about(before))]
    shown += [
        (label, part["side"].name, environment.about(part["side"])) for label, part in zip(labels, parts, strict=True)
    ]
    scripts = [page.own_scripts(SCRIPTS)]
    content = {
        "title": f"{' and '.join(part['side'].name for part in parts)} against {before.name}",
        "answer": " ".join(answer(part["side"].name, part["table"]) for part in parts),
        "sides": shown,
        "parts": [_part(label, before, part) for label, part in zip(labels, parts, strict=True)],
        "emulated": any((part["table"]["device"] == "host").any() for part in parts),
        "claims": claims,
        "judged": judged.in_words(claims),
        "verdicts": list(ratios.counts(table)),
        "percent": f"{100 * (mark - 1):g}",
        "method": METHOD,
        "now": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "data": _data(before, table, mark),
        "scripts": scripts,
        "script_hashes": list(map(page.script_hash, scripts)),
    }
    with atomic(output) as temporary:
        temporary.write_text(page.template("compare.html.j2", packed=packed.text).render(content), encoding="utf-8")


def image(picture):
    """A drawn picture as an address that needs no file."""
    return "data:image/svg+xml;base64," + base64.b64encode(picture.read_bytes()).decode()


def answer(name, table):
    """The verdicts in one sentence."""
    words = ", ".join(f"{count} {verdict}" for verdict, count in ratios.counts(table).items())
    return f"Of {len(table)} runs that both have: {words} in {name}."


def control(table):
    """What runs whose code is the same on both sides say of the machines."""
    rows = table[(table["code"] == "same") & (table["basis"] != ratios.ONE)]
    if rows.empty:
        return (
            "No run was measured twice with the same code, so nothing here tells how much times vary from one process, "
            "day or card to the next."
        )
    changed = ratios.counts(rows[rows["verdict"].isin([ratios.SLOWER, ratios.FASTER])])
    words = " and ".join(f"{count} {verdict}" for verdict, count in changed.items()) or "none differs"
    spread = np.exp(np.log(rows["ratio"].astype(float)).abs().quantile(0.95)) - 1
    return (
        f"Control: {counted(len(rows), 'run')} measured twice with the same code: {words}; 95 % of the ratios are "
        f"within {style.digits(100 * spread)} %. That is what process, day, card and driver make; a change of code has "
        "to exceed it."
    )


def _part(label, before, part):
    differing, equal = environment.compared(before, part["side"])
    return {
        "label": label,
        "differing": differing,
        "equal": equal,
        "code": environment.code_in_words(part["table"]),
        "control": control(part["table"]),
        "reasons": ratios.in_words(part["reasons"]),
        "image": image(part["picture"]),
        "reading": part["reading"],
    }


def _data(before, table, mark):
    """What the page's scripts work with."""
    return {
        "a": packed.of_table(before.summary[OF_A]),
        "rows": packed.of_table(table[OF_ROW].replace(np.inf, ENDLESS)),
        "devices": style.devices(before.summary[before.summary["device"].isin(list(style.DEVICES))]),
        "commits": ", ".join(sorted(before.summary["commit"].dropna().unique())),
        "mark": mark,
        "single": statistics.SINGLE_MARGIN,
        "verdicts": list(ratios.VERDICTS),
    }
