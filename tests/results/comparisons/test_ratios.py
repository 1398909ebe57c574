"""Ratios with their intervals, and what verdicts they get."""

import numpy as np
import pandas as pd
import pytest

from warpath.results.comparisons import ratios, sides, verdicts


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (1.06, 1.2, verdicts.SLOWER),
        (1.04, 1.2, verdicts.UNDECIDED),  # slower for certain, but perhaps by less than 5 %
        (0.97, 1.04, verdicts.SAME),
        (0.9, 1.1, verdicts.UNDECIDED),
        (0.7, 0.9, verdicts.FASTER),
        (1.06, float("inf"), verdicts.SLOWER),
        (None, None, verdicts.UNDECIDED),
    ],
)
def test_a_verdict_needs_the_whole_interval(low, high, verdict):
    assert verdicts.verdict(low, high) == verdict


def compare(first, second):
    return ratios.compared(sides.read(first), sides.read(second))


def test_what_matters_comes_first(make, record):
    names = [("rome99", "bfs/level", f"b{block}") for block in (32, 64, 128, 256, 512)]
    factors = [1, 0.5, 3, 1.2, 1]
    before = [record(*name) for name in names]
    after = [record(*name, slower=factor) for name, factor in zip(names, factors, strict=True)]
    after[4] |= {"status": "wrong", "error": "17 wrong vertices"}
    table, reasons = compare(make("a", *before), make("b", *after))
    assert list(zip(table["launch"], table["verdict"], strict=True)) == [
        *[("b512", "broken"), ("b128", "slower"), ("b256", "slower"), ("b64", "faster"), ("b32", "same")]
    ]
    assert table["ratio"].dropna().round(6).tolist() == [3, 1.2, 0.5, 1]
    assert (table["basis"].iloc[1:] == ratios.PAIRED).all() and reasons == {}


def test_sources_are_compared_one_by_one_whatever_their_number_of_samples(make, record):
    """A median over all samples would lie at another source on each side."""
    before, after = record(), record()
    times = {"a": {3: [20.0, 20.1], 17: [12.0, 12.1, 12.05]}, "b": {3: [19.2, 19.3], 17: [11.6, 11.5]}}
    for one, side in ((before, "a"), (after, "b")):
        one["samples"] = [
            one["samples"][0] | {"source": source, "repetition": number, "solve_ms": time}
            for source, values in times[side].items()
            for number, time in enumerate(values)
        ]
    table, _ = compare(make("a", before), make("b", after))
    row = table.iloc[0]
    assert 0.95 < row["low"] <= row["ratio"] <= row["high"] < 0.97


def test_tables_without_samples_use_their_intervals(publish, record):
    before, after = (publish(f"x{factor}", record(slower=factor), samples=False) for factor in (1, 2))
    row = compare(before, after)[0].iloc[0]
    assert (row["verdict"], row["basis"]) == ("slower", ratios.BY_INTERVALS)
    assert row["low"] < row["ratio"] < row["high"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("ok,1", "ok,9", ["undecided", ratios.MEDIANS]),
        ("ok,1", "timeout,", ["broken", ratios.STATUS]),
        ("ok,0", "ok,1", ["repaired", ratios.STATUS]),  # a time of zero is none
    ],
)
def test_medians_alone_decide_nothing(tmp_path, before, after, expected):
    for name, row in (("a.csv", before), ("b.csv", after)):
        (tmp_path / name).write_text(f"graph,algorithm,launch,status,median_ms\nrome99,bfs/level,b64,{row}\n")
    table, _ = compare(tmp_path / "a.csv", tmp_path / "b.csv")
    assert table[["verdict", "basis"]].values.tolist() == [expected]


def test_single_samples_decide_by_a_wide_margin_alone(make, record):
    before, after = record(), record(slower=1.2)
    for one in (before, after):
        one["samples"] = one["samples"][:1]
    row = compare(make("a", before), make("b", after))[0].iloc[0]
    assert (row["verdict"], row["basis"]) == ("undecided", ratios.SINGLE)
    assert row["low"] == pytest.approx(0.96) and row["high"] == pytest.approx(1.5)


def test_one_measurement_in_both_tables_is_the_same(publish, record):
    both = record()
    row = compare(publish("a", both), publish("b", both))[0].iloc[0]
    assert row[["verdict", "basis", "ratio", "code"]].tolist() == ["same", ratios.ONE, 1.0, "same"]


def test_other_graphs_and_other_kinds_of_device_are_not_compared(make, record):
    before = [record(), record("email-Eu-core"), record("p2p-Gnutella08"), record(launch="b64"), record(launch="b512")]
    after = [record(vertices=99), record("email-Eu-core", device="host"), record("p2p-Gnutella08"), record(launch="b1")]
    failed = {"status": "failed", "error": "x", "samples": []}
    before[4] |= failed
    _, reasons = compare(make("a", *before), make("b", *after, record(launch="b512") | failed))
    found = {reason.partition(" in /")[0]: count for reason, count in reasons.items()}
    others = ["on another graph of the same name", "emulated on one side", ratios.UNSOUND_BOTH]
    assert found == dict.fromkeys(["only", *others], 1) and len(reasons) == 5


def test_the_same_code_is_called_different_in_at_most_5_percent_of_runs():
    """Solves under 1 ms included, which scatter more, and with outliers; 20 rounds of few runs or many."""
    random = np.random.default_rng(1)
    for runs in (2, 8, 18, 48, 200):
        times = np.geomspace(0.02, 100, runs)
        beyond, marks = [], []
        for _ in range(20):
            logs = np.where(times < 1, 0.12, 0.02) * random.standard_t(3, runs)
            table = pd.DataFrame({"control": True, "a_ms": times, "ratio": np.exp(logs)})
            marks.append(np.maximum(verdicts.MARK, ratios.noise(table)))
            beyond += list(np.exp(np.log(table["ratio"]).abs()) > marks[-1])
        assert np.mean(beyond) <= 0.05
    assert np.median(marks, axis=0)[0] > 1.3 and np.median(marks, axis=0)[-1] < 1.1  # long solves keep a low mark


def test_a_change_of_code_has_to_exceed_what_the_same_code_shows(make, record):
    launches, noise = [f"b{block}" for block in range(1, 21)], np.linspace(0.9, 1.1, 20)
    same = {"kernel_sources": {"level.cu": "1"}}
    before = [record(launch=launch, **same) for launch in launches] + [record(launch="g2"), record(launch="g4")]
    after = [record(launch=launch, slower=by, **same) for launch, by in zip(launches, noise, strict=True)]
    after += [record(launch="g2", slower=1.08), record(launch="g4", slower=1.4)]
    table, _ = compare(make("a", *before), make("b", *after))
    verdict = dict(zip(table["launch"], table["verdict"], strict=True))
    assert verdict.pop("g4") == "slower" and set(verdict.values()) <= {"same", "undecided"}
    assert table["mark"].to_numpy() == pytest.approx(1.1, rel=0.02) and table["control"].sum() == 20
