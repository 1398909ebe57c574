"""warpath's kernels against libraries: which runs are compared, and the claims about them."""

import pandas as pd
import pytest
import synthetic
from synthetic import runs

from warpath.base import places
from warpath.results import evidence, libraries, style
from warpath.results.evidence import Evidence
from warpath.results.figures import Nothing, frontier_factors, frontier_levels, frontier_libraries

PRINTED = pd.DataFrame({"algorithm": ["bfs/galois", "bfs/gunrock"], "value": [5.0, 20.0]}).assign(
    paper="libraries", place="a library", quantity="time", problem="bfs", graph="ny", device="NVIDIA H200"
)

OURS = "ny bfs/persistent:b1024=1"


def against(*records, printed=PRINTED):
    tables = synthetic.tables(*records)
    return libraries.against(tables.timings, tables.summary, printed)


def test_fastest_launch_is_compared_with_every_library():
    scipy = runs("ny bfs/peer_scipy=50", device="peer")
    table = against(*runs(f"{OURS} bfs/persistent:b512=3"), *scipy).set_index("algorithm")
    assert list(table["device"]) == ["published", "published", "peer"]
    assert set(table["own_launch"]) == {"b1024"}
    expected = {"bfs/galois": 5, "bfs/gunrock": 20, "bfs/peer_scipy": 50}
    assert table["speedup"].to_dict() == pytest.approx(expected, rel=0.1)
    assert (table["speedup_low"] < table["speedup"]).all() and (table["speedup"] < table["speedup_high"]).sum() >= 2
    assert list(libraries.best_of(table.reset_index())["algorithm"]) == ["bfs/galois"]


def test_the_closest_library_is_one_on_a_gpu_of_several():
    names = ["graph", "algorithm", "device", "library_ms"]
    rows = [("a", "x", "peer_gpu", 3), ("a", "y", "published", 2), ("a", "z", "peer", 1), ("b", "x", "peer_gpu", 1)]
    table = pd.DataFrame(rows, columns=names).assign(problem="bfs")
    assert libraries.closest(table)[["graph", "algorithm"]].values.tolist() == [["a", "y"]]
    assert libraries.closest(table[table["graph"] == "b"])["algorithm"].tolist() == ["x"]
    assert libraries.closest(table[table["device"] == "peer"])["algorithm"].tolist() == ["z"]


def test_the_front_page_says_what_the_published_tables_give():
    folder = places.ROOT / "docs/h200/frontier"
    tables = evidence.read(folder / "timings.parquet", folder / "summary.csv")
    readme, factors = (places.ROOT / "README.md").read_text(), frontier_factors.draw(tables).data
    for problem, rows in factors[factors["device"].isin(libraries.ON_GPU)].groupby("problem"):
        span = f"{style.factor(rows['speedup'].min())[:-1]} to {style.factor(rows['speedup'].max())}"
        assert span in readme, problem


def test_published_times_are_compared_as_geometric_means_over_sources():
    (record,) = runs(OURS)
    for sample in record["samples"]:
        sample["solve_ms"] = {17: 1.0, 3: 1.0, 99: 4.0, 250: 4.0}[sample["source"]]
    assert against(record)["speedup"].tolist() == pytest.approx([2.5, 10.0])


def test_other_cards_wrong_answers_and_emulation_are_not_compared():
    (other,) = runs(OURS)
    other["environment"] |= {"device_name": "Another GPU"}
    for record in (other, *runs(OURS, status="wrong"), *runs(OURS, device="host")):
        tables = synthetic.tables(record)
        assert libraries.against(tables.timings, tables.summary, PRINTED).empty
        with pytest.raises(Nothing, match="make peers"):
            frontier_libraries.draw(Evidence(tables.timings, tables.summary, PRINTED))


def test_the_time_of_a_level_is_that_of_the_solve_over_its_levels():
    measured = runs("ny bfs/persistent=0.7; grid4k bfs/persistent=16")
    for record, levels in zip(measured, (555, 5636), strict=True):
        record["samples"] = [sample | {"iterations": levels} for sample in record["samples"]]
    tables = synthetic.tables(*measured)
    levels = frontier_levels.by_level(tables.summary)["level_ms"]
    assert levels.tolist() == pytest.approx([0.7 / 555, 16 / 5636], rel=0.05)
