"""Claims as rows of a paper's claims.yaml; what a row cannot say is a function of claims.py beside it.

Such a function is called with the evidence and the row, in which `graphs`, `slow` and `fast` are what its words stand
for and `found` are its numbers. workflow/schemas/claims.schema.yaml describes rows.
"""

import importlib.util
import re
from dataclasses import replace

from warpath.base import schemas
from warpath.results import select
from warpath.results.claims import REMARK, Claim, files, rules, sides
from warpath.results.claims.verdict import judge_count, judge_times, median
from warpath.results.evidence import Count, Graphs, missing_reason

SIDES = ("slow", "fast", "side")


def claims(paper, evidence):
    file, *beside = files([paper])
    table, code = schemas.read(file, "claims"), None
    for path in beside:
        found = importlib.util.spec_from_file_location(f"claims_of_{path.parent.name}", path)
        code = importlib.util.module_from_spec(found)
        found.loader.exec_module(code)
    evidence = replace(evidence, drawn=frozenset(table["drawn"]))
    groups = {}
    for name, said in table["graphs"].items():
        ends = tuple(said.get("start", ())), said.get("end", "")
        found = [graph for graph in evidence.names if graph.startswith(ends[0]) and graph.endswith(ends[1])]
        groups[name] = Graphs(said["called"], said.get("names") or found)
    for row in table["claims"]:
        about = {"paper": paper, "gist": row["claim"]}
        about |= {key: row.get(key) for key in ("name", "place", "quote", "how")}
        remark = {"verdict": REMARK, "reason": row["notes"]}
        if "answers_of" in row and "how" not in row:
            count = wrong_answers(evidence, row["answers_of"], groups[row["graphs"]])
            about |= {"how": f"Every answer of {row['answers_of']} is compared with the oracle's."}
            if count.answers:
                yield Claim(**about, found=f"wrong: {count.text}", **remark)
        elif "found" in row and "verdict" not in row:
            yield Claim(**about, found=row["found"], **remark)
        else:
            yield _judged(evidence, code, about, row | {"groups": groups})


def _judged(evidence, code, about, row):
    row = _meant(evidence, row, row)
    if count := _count(evidence, code, row):
        return judge_count(about, count, _notes(evidence, code, row), row["change"])._replace(apart=row["apart"])
    row["found"] = _numbers(evidence, code, row)
    found = sides.on_average(row["found"]) if row["average"] else row["found"]
    test = rules.test(row.get("holds"), row.get("size"))
    judged = judge_times(about, found, test, _notes(evidence, code, row))
    return judged._replace(apart=row["apart"] or judged.apart)


def _count(evidence, code, row):
    """What is counted, or comes out by arithmetic; None for a claim about other numbers."""
    if "answers_of" in row:
        return wrong_answers(evidence, row["answers_of"], row["graphs"])
    if "verdict" in row:
        return Count(row["found"], {row["found"]: row["verdict"]}, "")
    return getattr(code, row["count"])(evidence, row) if "count" in row else None


def _numbers(evidence, code, row):
    if "numbers" in row:
        return getattr(code, row["numbers"])(evidence, row)
    if "parts" not in row:
        return _compared(evidence, row)
    parts = row["parts"].items()
    return sides.merged({part: _compared(evidence, _meant(evidence, row, said)) for part, said in parts})


def _compared(evidence, row):
    chosen = [row[side] for side in SIDES if side in row]
    if "across" in row:
        return sides.across(evidence, chosen, row["across"])
    if "trend" in row:
        return sides.trend(evidence, chosen, row["graphs"], **row["trend"])
    compare = sides.ratios if len(chosen) > 1 else sides.numbers
    return compare(evidence, *chosen, row["graphs"])


def _meant(evidence, row, said):
    """The row with what one of its parts has said, or itself: graphs and sides in place of the words for them."""
    named = {"graphs": row["groups"].get(name) or Graphs(name, [name])} if (name := said.get("graphs")) else {}
    return row | named | {side: _side(evidence, said[side]) for side in SIDES if side in said}


def _side(evidence, said):
    said = said if isinstance(said, dict) else {"of": [said] if isinstance(said, str) else said}
    planned = [name for name in said.get("also", ()) if name in set(evidence.summary["algorithm"])]
    given = {key: said[key] for key in said.keys() - {"of", "also", "with"}}
    return sides.Side((*said["of"], *planned), said.get("with", {}), **given)


def _notes(evidence, code, row):
    """The remarks on a verdict, with what functions say and other comparisons in words."""
    text = re.sub(r"\{(\w+)\}", lambda name: getattr(code, name[1])(evidence, row), row["notes"])
    for said in row["beside"]:
        meant = _meant(evidence, row, said)
        factor = median(sides.ratios(evidence, meant["slow"], meant["fast"], meant["graphs"]).estimates)
        text += f" {said['says'].format(factor)}" if factor else ""
    return " ".join(text.split())


def wrong_answers(evidence, algorithm, graphs):
    """How many runs of an algorithm that is kept as printed were wrong."""
    rows = select.runs(evidence.summary, [algorithm], graphs.names)
    rows = rows[rows["status"].isin(select.TIMED)]
    wrong = rows[rows["status"] == "wrong"]
    if select.emulated(rows) and wrong.empty:
        return Count("", {}, "CPU emulation lost no update, but it runs few threads at once; a GPU may lose some.")
    text = f"{len(wrong)} of {len(rows)} runs"
    if len(wrong):
        most = f"at worst {wrong['wrong_vertices'].max():,.0f} vertices in one solve"
        text += f", on {', '.join(sorted(set(wrong['graph'])))}; {most}"
    answers = {"all runs": len(wrong) > 0} if len(rows) else {}
    return Count(text, answers, missing_reason(evidence, [algorithm], "any graph"))
