"""Wrong answers of algorithms that are kept as printed."""

from warpath.results import select
from warpath.results.claims.verdict import remark
from warpath.results.evidence import Count, missing_reason


def wrong_answers(evidence, algorithm, graphs):
    """How many runs of an algorithm were wrong, and a sentence on the worst of them."""
    rows = _finished(evidence, algorithm, graphs)
    wrong = rows[rows["status"] == "wrong"]
    if select.emulated(rows) and wrong.empty:
        reason = "CPU emulation lost no update, but it runs few threads at once; a GPU may lose some."
        return Count("", {}, reason), ""
    names = sorted(set(wrong["graph"]))
    text = f"{len(wrong)} of {len(rows)} runs" + (f", on {', '.join(names)}" if names else "")
    worst = f"At worst {wrong['wrong_vertices'].max():,.0f} wrong vertices in one solve." if names else ""
    answers = {"all runs": bool(names)} if len(rows) else {}
    return Count(text, answers, missing_reason(evidence, [algorithm], "any graph")), worst


def as_printed(evidence, name, place, gist, algorithm, graphs, notes=""):
    """Yield a remark on the answers of an algorithm that is kept as printed, if it was run."""
    if _finished(evidence, algorithm, graphs).empty:
        return
    count, worst = wrong_answers(evidence, algorithm, graphs)
    how = f"Every answer of {algorithm} is compared with the oracle's."
    yield remark(name, place, gist, how, f"wrong: {count.text or 'none'}", f"{worst} {notes}".strip())


def _finished(evidence, algorithm, graphs):
    rows = select.runs(evidence.summary, [algorithm], graphs.names)
    return rows[rows["status"].isin(select.TIMED)]
