"""What the jobs of a workflow cost beyond what they measured, in one line for its end."""

import json
from pathlib import Path


def line(runs, since):
    """`since` is a time as of time.time(): records that are older were made by an earlier workflow."""
    costs = [cost for run in runs if (cost := _costs(Path(run.record), since))]
    if not costs:
        return "no run was made"
    total, measuring, waiting = (_sum(costs, name) for name in ("total_s", "measure_s", "lease_s"))
    beyond = total - measuring - waiting
    share = 100 * beyond / (total - waiting) if total > waiting else 0
    waited = f", {waiting:.1f} s waiting for a device" if waiting >= 0.05 * len(costs) else ""
    return (
        f"{len(costs)} runs measured for {measuring:.1f} s; being jobs cost {beyond:.1f} s more, "
        f"{beyond / len(costs):.2f} s each, {share:.0f} % of their time{waited}"
    )


def _costs(record, since):
    try:
        return json.loads(record.read_text())["costs"] if record.stat().st_mtime >= since else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _sum(costs, name):
    return sum(cost.get(name) or 0.0 for cost in costs)
