"""What being jobs cost runs beyond what they measured, and what a workflow says of its runs at its end."""

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


def of(costs):
    """Seconds that a job took beyond its measured solves; waiting for a device is no cost of its own. None where it did
    not come to the end of its measurement and nobody knows."""
    total, measuring = costs.get("total_s"), costs.get("measure_s")
    return None if total is None or measuring is None else total - measuring - (costs.get("lease_s") or 0.0)


def summed(jobs):
    """Seconds of all jobs of which that is known, by their costs: measuring, waiting and beyond; None without any."""
    known = [costs for costs in jobs if of(costs) is not None]
    if not known:
        return None
    measuring, beyond = sum(costs["measure_s"] for costs in known), sum(map(of, known))
    return {
        "jobs": len(known),
        "measuring": measuring,
        "waiting": sum(costs.get("lease_s") or 0.0 for costs in known),
        "beyond": beyond,
        "per_job": beyond / len(known),
        "share": beyond / (measuring + beyond) if measuring + beyond else 0,
    }


def _costs(made):
    runs = f"{len(made)} runs{_endings(made)}"
    costs = summed(record["costs"] for record in made)
    if not costs:
        return runs
    waited = f", {costs['waiting']:.1f} s waiting for a device" if costs["waiting"] >= 0.05 * costs["jobs"] else ""
    return (
        f"{runs} measured for {costs['measuring']:.1f} s; being jobs cost {costs['beyond']:.1f} s more, "
        f"{costs['per_job']:.2f} s each, {100 * costs['share']:.0f} % of their time{waited}"
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
