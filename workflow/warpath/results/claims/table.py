"""Claims as rows of config/papers/<paper>/claims.yaml; what a row cannot say is a function of claims.py beside it.

Such a function is called with the evidence and the row, in which `graphs`, `slow` and `fast` are what its words stand
for, `found` are its numbers, and `groups` all classes of graphs. workflow/schemas/claims.schema.yaml describes rows.
"""

import importlib.util
import re
from types import SimpleNamespace

from warpath.base import schemas
from warpath.results.claims import files, rules
from warpath.results.claims.sides import best, first, merged, on_average, ratios, timed, times, worst
from warpath.results.claims.verdict import judge_count, judge_times
from warpath.results.claims.wrong import as_printed
from warpath.results.evidence import Graphs, subjects

TAKE = {"best": best, "worst": worst, "first": first, "timed": timed}


def claims(paper, evidence):
    """Judge the rows of a paper in their order."""
    file, *beside = files([paper])
    table, code = schemas.read(file, "claims"), _functions(*beside)
    evidence = code.prepared(evidence) if hasattr(code, "prepared") else evidence
    groups = {name: _graphs(evidence, **said) for name, said in table["graphs"].items()}
    groups |= code.groups(evidence) if hasattr(code, "groups") else {}
    for row in table["claims"]:
        if "function" in row:
            yield from getattr(code, row["function"])(evidence, {"groups": groups})
        elif "answers_of" in row:
            about_it = row["name"], row["place"], row["claim"]
            yield from as_printed(evidence, *about_it, row["answers_of"], groups[row["graphs"]], row["notes"])
        else:
            judged = _judged(evidence, code, row | {"groups": groups})
            yield judged._replace(apart=row["apart"] or judged.apart)


def _functions(path=None):
    """The module beside a table; without one there are no functions."""
    if path is None:
        return SimpleNamespace()
    found = importlib.util.spec_from_file_location(f"claims_of_{path.parent.name}", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _graphs(evidence, called, names=None, start=(), end=""):
    return Graphs(called, names or [name for name in subjects(evidence, *start) if name.endswith(end)])


def _judged(evidence, code, row):
    about_it = row["name"], row["place"], row["claim"], _filled(row["how"], evidence, code, row)
    if "graphs" in row:
        row["graphs"] = _group(row["graphs"], row)
    row |= {side: _side(evidence, row[side]) for side in ("slow", "fast", "time") if side in row}
    if "count" in row:
        count = getattr(code, row["count"])(evidence, row)
        return judge_count(*about_it, count, _filled(row["notes"], evidence, code, row), row["change"])
    row["found"] = _numbers(evidence, code, row)
    found = on_average(row["found"]) if row["average"] else row["found"]
    test = rules.test(row.get("holds"), row.get("size"))
    return judge_times(*about_it, found, test, _filled(row["notes"], evidence, code, row))


def _numbers(evidence, code, row):
    if "numbers" in row:
        return getattr(code, row["numbers"])(evidence, row)
    if "time" in row:
        return times(evidence, row["time"], row["graphs"])
    if "parts" in row:
        return merged(**{part: _part(evidence, row, **said) for part, said in row["parts"].items()})
    return ratios(evidence, row["slow"], row["fast"], row["graphs"])


def _part(evidence, row, slow, fast, graphs=None):
    graphs = _group(graphs, row) if graphs else row["graphs"]
    return ratios(evidence, _side(evidence, slow), _side(evidence, fast), graphs)


def _group(name, row):
    return row["groups"].get(name) or Graphs(name, [name])


def _side(evidence, said):
    said = said if isinstance(said, dict) else {"of": [said] if isinstance(said, str) else said}
    planned = [name for name in said.get("also", ()) if name in set(evidence.summary["algorithm"])]
    return TAKE[said.get("take", "best")](*said["of"], *planned, **said.get("with", {}))


def _filled(text, evidence, code, row):
    """The text with what its functions say, and no gap where one says nothing."""
    filled = re.sub(r"\{(\w+)\}", lambda name: getattr(code, name[1])(evidence, row), text)
    return " ".join(filled.split())
