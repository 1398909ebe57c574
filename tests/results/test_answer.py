"""The sentences that a report opens with."""

import math

import pytest
import synthetic
from synthetic import runs

from warpath.results import answer, claims, packed, shapes


def sentences(text, judged=(), **changes):
    """The answer of the runs in a text."""
    made = synthetic.tables(text, **changes)
    return answer.sentences(made.summary, list(judged), made.timings)


def claim(verdict):
    return claims.Claim("paper", "name", "", "", "", "", verdict, "")


def test_fastest_by_how_much_where_not_and_what_holds():
    leads = "; ".join(f"{name} bfs/level=1 bfs/queue=3" for name in "abc")
    others = "d bfs/level=5 bfs/queue=1; e bfs/level=1 bfs/queue=1; f bfs/level=1"  # the last has nothing to compare
    judged = [claim(each) for each in (claims.HOLDS, claims.FAILS, claims.PARTLY, claims.UNMEASURED, claims.REMARK)]
    assert sentences(f"{leads}; {others}", judged) == [
        "BFS: level is fastest on most (level on 3, queue on 1, too close to call on 1 of 5 graphs), by 3×.",
        "On a GPU bfs/level is fastest on 5 of 6 graphs for BFS, with block 256 on 5 of them.",
        "Elsewhere: bfs/queue for BFS on d; too close to call for BFS on e.",
        "All 11 runs gave right answers. 1 of 3 measured claims hold, 1 more in direction.",
    ]


def test_a_tie_is_the_interval_of_the_ratio_where_there_are_samples():
    """Both algorithms are slow from the same sources: their own intervals overlap."""
    records = runs("a bfs/level=1 bfs/queue=1")
    for record, factor in zip(records, (1, 1.5), strict=True):
        for sample in record["samples"]:
            sample["solve_ms"] = factor * sample["solve_ms"] * (1 + sample["source"] / 50)
    tables = synthetic.tables(*records)
    row = shapes.winners(tables.summary, tables.timings).iloc[0]
    assert row["margin_low"] > 1.4 and not row["tie"]
    fastest = answer.sentences(tables.summary, [], tables.timings)[0]
    assert fastest == "BFS: level is fastest on 1 graph, by 1.5×."


@pytest.mark.parametrize(("slower", "tie"), [(1.2, True), (1.4, False)])
def test_two_single_samples_tie_where_their_margin_may_be_chance(slower, tie):
    fastest, *_ = sentences(f"a bfs/level=1* bfs/queue={slower}*")
    assert fastest.startswith("BFS: no overall winner (too close to call on 1 of 1 graphs)") == tie


@pytest.mark.parametrize(
    ("sequential", "levels", "kind"), [(9, 9, shapes.SHORT), (1, math.nan, shapes.SPARSE)], ids=["rounds", "dijkstra"]
)
def test_as_many_rounds_as_vertices_are_no_levels(sequential, levels, kind):
    records = runs("a sssp/bellman_ford=1 sssp/cpu_bellman_ford=1")
    for record, iterations in zip(records, (1000, sequential), strict=True):
        record["samples"] = [sample | {"iterations": iterations} for sample in record["samples"]]
    shape = shapes.table(synthetic.tables(*records).summary).iloc[0]
    assert shape["vertices"] == 1000 and shape["levels"] == pytest.approx(levels, nan_ok=True)
    assert shape["kind"] == kind


def test_the_alphabet_decides_for_none_of_two_that_lead_on_as_many():
    told = sentences("a bfs/level=1 bfs/queue=3; b bfs/level=3 bfs/queue=1; c bfs/level=1 bfs/queue=1")
    assert told[0] == "BFS: no overall winner (level on 1, queue on 1, too close to call on 1 of 3 graphs)."
    assert "Elsewhere: bfs/level for BFS on a; bfs/queue for BFS on b; too close to call for BFS on c." in told


def test_many_exceptions_are_counted():
    graphs = "; ".join(f"g{number} bfs/level={4 if number > 6 else 1} bfs/queue=2" for number in range(13))
    _, _, elsewhere, _ = sentences(graphs)
    assert elsewhere == "Elsewhere: bfs/queue for BFS on g7, g8, g9 and 3 more."


def test_emulated_study_compares_no_times():
    lines = sentences("a bfs/level=1 bfs/queue=4", [claim(claims.HOLDS)], device="host")
    assert lines == ["All 2 runs gave right answers.", answer.EMULATED, "1 of 1 measured claims hold."]


def test_wrong_answers_are_never_the_fastest():
    fastest, *_, endings = sentences("a bfs/level!wrong=1 bfs/queue=4 bfs/scan=2")
    assert fastest == "BFS: scan is fastest on 1 graph, by 2×."
    assert endings == "2 of 3 runs gave right answers (1 wrong)."


def test_columns_keep_texts_numbers_and_dates():
    rows = synthetic.tables("a bfs/level=1.23456789; b bfs/level=2").summary
    columns = {column["name"]: column for column in packed.of_table(rows)["columns"]}
    assert columns["graph"]["levels"] == ["a", "b"] and columns["graph"]["codes"] == [0, 1]
    assert columns["median_ms"]["values"] == pytest.approx(list(rows["median_ms"]), rel=1e-5)
    assert columns["started"]["values"] == [1795251600, 1795251600]
    assert columns["directed"]["levels"] == ["yes"]
    assert columns["median_ms"]["unit"] == "ms" and columns["median_ms"]["meaning"]
