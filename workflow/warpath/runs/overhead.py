"""The overhead of jobs, beyond what they measure, and the summary that ends a workflow."""

import collections
import json
from datetime import datetime
from pathlib import Path

from warpath.base.text import counted


def ended(path, since=0):
    """The status, costs and end of the record at `path`; None if it is damaged or was written before `since`."""
    try:
        if Path(path).stat().st_mtime < since:
            return None
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        finished = datetime.fromisoformat(record["finished"]).timestamp()
        return {"status": record["status"], "costs": dict(record["costs"]), "finished": finished}
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        return None


def lines(paths, since):
    """Summarise the records at `paths` of runs that ended after `since`, a time as of time.time()."""
    found = [record for path in paths if (record := ended(path, since))]
    new = [record for record in found if record["finished"] >= since]
    kept = len(found) - len(new)
    has_them = "the record of 1 run is kept" if kept == 1 else f"the records of {kept} runs are kept"
    return [
        _costs(new) if new else "no run was measured",
        *([f"{has_them}; `warpath forget GRAPH [ALGORITHM]` has them measured again"] if kept else []),
    ]


def seconds(costs):
    """Return what a job took beyond measuring and waiting for a device; None if it did not finish."""
    total, measuring = costs.get("total_s"), costs.get("measure_s")
    others = sum(costs.get(name) or 0.0 for name in ("lease_s", "energy_s"))
    return None if total is None or measuring is None else total - measuring - others


def summed(jobs):
    """Add up the costs of all jobs that finished, in seconds; None if none did."""
    finished = [costs for costs in jobs if seconds(costs) is not None]
    if not finished:
        return None
    measuring, beyond = sum(costs["measure_s"] for costs in finished), sum(map(seconds, finished))
    return {
        "jobs": len(finished),
        "measuring": measuring,
        "waiting": sum(costs.get("lease_s") or 0.0 for costs in finished),
        "beyond": beyond,
        "per_job": beyond / len(finished),
        "share": beyond / (measuring + beyond) if measuring + beyond else 0,
    }


def _costs(records):
    counts = collections.Counter(record["status"] for record in records)
    statuses = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    runs = f"{counted(len(records), 'run')} ({'all answers right' if set(counts) == {'ok'} else statuses})"
    costs = summed(record["costs"] for record in records)
    if not costs:
        return runs
    waiting = f", {costs['waiting']:.1f} s waiting for a device" if costs["waiting"] >= 0.05 * costs["jobs"] else ""
    return (
        f"{runs} measured for {costs['measuring']:.1f} s; job overhead: {costs['beyond']:.1f} s, "
        f"{costs['per_job']:.2f} s each, {100 * costs['share']:.0f} % of their time{waiting}"
    )
