"""What a workflow says at its end: how its runs ended, and what being jobs cost beyond what they measured."""

import collections
import json
from pathlib import Path


def lines(runs, since):
    """`since` is a time as of time.time(): records that are older were made by an earlier workflow."""
    made = [record for run in runs if (record := _made(Path(run.record), since))]
    if not made:
        return ["no run was made"]
    wrong = collections.Counter(
        f"{record['problem']}/{record['algorithm']}"
        for record in made
        if record["status"] == "wrong" and record["exact"]
    )
    named = ", ".join(f"{name} ({count})" for name, count in wrong.items())
    return [_costs(made), *([f"WRONG ANSWERS of algorithms that should be exact: {named}"] if wrong else [])]


def _costs(made):
    total, measuring, waiting = (_sum(made, name) for name in ("total_s", "measure_s", "lease_s"))
    beyond = total - measuring - waiting
    share = 100 * beyond / (total - waiting) if total > waiting else 0
    waited = f", {waiting:.1f} s waiting for a device" if waiting >= 0.05 * len(made) else ""
    return (
        f"{len(made)} runs{_endings(made)} measured for {measuring:.1f} s; being jobs cost {beyond:.1f} s more, "
        f"{beyond / len(made):.2f} s each, {share:.0f} % of their time{waited}"
    )


def _endings(made):
    counts = collections.Counter(record["status"] for record in made)
    said = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    return "" if set(counts) == {"ok"} else f" ({said})"


def _made(path, since):
    try:
        record = json.loads(path.read_text()) if path.stat().st_mtime >= since else None
        return record if record and {"status", "exact", "costs", "problem", "algorithm"} <= record.keys() else None
    except (OSError, ValueError, AttributeError):
        return None


def _sum(made, name):
    return sum(record["costs"].get(name) or 0.0 for record in made)
