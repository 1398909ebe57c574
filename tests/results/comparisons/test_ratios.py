"""Ratios with their intervals, and what verdicts they get."""

import pytest

from warpath.results.comparisons import ratios, sides


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (1.06, 1.2, ratios.SLOWER),
        (1.04, 1.2, ratios.UNDECIDED),  # slower for certain, but perhaps by less than 5 %
        (0.97, 1.04, ratios.SAME),
        (0.9, 1.1, ratios.UNDECIDED),
        (0.7, 0.9, ratios.FASTER),
        (1.06, float("inf"), ratios.SLOWER),
        (None, None, ratios.UNDECIDED),
    ],
)
def test_a_verdict_needs_the_whole_interval(low, high, verdict):
    assert ratios.verdict(low, high) == verdict


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
        ("ok,1", "timeout,", ["broken", ratios.STATUS]),  # nobody knows the time limit
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


def test_a_time_limit_bounds_the_ratio(make, record):
    ended = {"status": "timeout", "error": "not finished after 240 s", "time_limit_s": 240, "samples": []}
    quick, slow, limit = make("a", record()), make("c", record(median_ms=130_000.0)), make("b", record(**ended))
    table, _ = compare(quick, limit)
    assert table[["verdict", "basis"]].values.tolist() == [["slower", ratios.LIMIT]]
    assert table["ratio"].iloc[0] == pytest.approx(120_000, rel=0.1) and table["high"].iloc[0] == float("inf")
    assert compare(slow, limit)[0]["verdict"].tolist() == ["undecided"]  # a warm-up went before
    assert compare(limit, quick)[0]["verdict"].tolist() == ["faster"]


def test_other_graphs_and_other_kinds_of_device_are_not_compared(make, record):
    before = [record(), record("email-Eu-core"), record("p2p-Gnutella08"), record(launch="b64"), record(launch="b512")]
    after = [record(vertices=99), record("email-Eu-core", device="host"), record("p2p-Gnutella08"), record(launch="b1")]
    failed = {"status": "failed", "error": "x", "samples": []}
    before[4] |= failed
    _, reasons = compare(make("a", *before), make("b", *after, record(launch="b512") | failed))
    found = {reason.partition(" in /")[0]: count for reason, count in reasons.items()}
    others = ["on another graph of the same name", "emulated on one side", ratios.UNSOUND_BOTH]
    assert found == dict.fromkeys(["only", *others], 1) and len(reasons) == 5
