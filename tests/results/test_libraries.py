"""warpath's kernels against libraries: which runs are compared, and the claims about them."""

import csv

import pandas as pd
import pytest
import synthetic
from synthetic import runs

from warpath.base import places
from warpath.results import evidence, libraries, published, style
from warpath.results.evidence import Evidence
from warpath.results.figures import Nothing, frontier_factors, frontier_levels, frontier_libraries

PRINTED = pd.DataFrame(
    [
        {"paper": "libraries", "place": name, "quantity": "time", "problem": "bfs", "graph": "ny",
         "algorithm": f"bfs/{name}", "device": "NVIDIA H200", "value": value}
        for name, value in (("galois", 5.0), ("gunrock", 20.0))
    ]
)  # fmt: skip

DRAWN_ANEW = ("rmat22", "rmat24", "urand10m6")


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


def peers_times(shared, file, column, quantity):
    """The rows of the peers' own file, and those of ours, by problem, graph and algorithm."""
    rows = csv.DictReader((shared / "peers" / file).open())
    measured = {
        (row["problem"], row["graph"], f"{row['problem']}/{row['peer']}"): float(row[column])
        for row in rows
        if quantity == "time" or row["solve_ms"] != row["with_init_ms"]
    }
    numbers = published.read()
    here = numbers[(numbers["paper"] == libraries.PAPER) & (numbers["quantity"] == quantity)]
    keys = zip(here["problem"], here["graph"], here["algorithm"], strict=True)
    return measured, dict(zip(keys, here["value"], strict=True))


def test_published_times_are_the_measured_ones(shared):
    measured, here = peers_times(shared, "h200.csv", "geomean_ms", "time")
    measured |= peers_times(shared, "stronger.csv", "solve_ms", "time")[0]
    for problem, graph, algorithm in list(measured):
        if graph in DRAWN_ANEW:
            measured[problem, f"{graph}-cupy", algorithm] = measured[problem, graph, algorithm]
    assert here == measured
    measured, here = peers_times(shared, "stronger.csv", "with_init_ms", "time with clearing")
    assert {key: time for key, time in here.items() if not key[1].endswith("-cupy")} == measured


def test_codes_of_papers_and_libraries_on_the_cpu_are_told_apart():
    rows = [
        ("adds", "ADDS, code of a paper", "NVIDIA H200"),
        ("pasgal", "PASGAL", "16 CPU cores beside an NVIDIA H200"),
    ]
    more = [{**PRINTED.iloc[0], "algorithm": f"bfs/{name}", "place": place, "device": device, "value": 0.5}
            for name, place, device in rows]  # fmt: skip
    printed = pd.concat([PRINTED, pd.DataFrame(more)])
    tables = synthetic.tables(*runs(OURS))
    table = libraries.against(tables.timings, tables.summary, printed)
    kinds = dict(zip(table["algorithm"], table["device"], strict=True))
    assert kinds["bfs/adds"] == "published_code" and kinds["bfs/pasgal"] == "published_cpu"
    assert libraries.closest(table)["algorithm"].tolist() == ["bfs/adds"]
    picture = frontier_libraries.draw(Evidence(tables.timings, tables.summary, printed))
    heads = [text.get_text() for text in picture.figure.axes[0].texts if text.get_label() == "column"]
    assert heads == [*["galois\npublished", "gunrock\npublished", "adds\na paper's", "pasgal\nCPU, publ."]]
    other = tables.summary.assign(device_name="Another GPU")
    assert libraries.against(tables.timings, other, printed).empty
