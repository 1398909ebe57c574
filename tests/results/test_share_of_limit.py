"""Bounds of algorithms, and the share of a GPU's limit that a run reached."""

import json
from pathlib import Path

import pytest
from synthetic import RATES

from warpath.algorithms import discovery
from warpath.results import frames, limits

ON_H200 = {"status": "ok", "device": "cuda", "device_name": "NVIDIA H200", "median_ms": 1.0, "placement": "device"}
ON_H200 |= {"vertices": 1000, "arcs": 2_000_000}
PUBLISHED = sorted(Path(__file__).parents[2].glob("docs/*/*/summary.csv"))


def percent(algorithm, vertices, arcs, **changes):
    run = ON_H200 | {"vertices": vertices, "arcs": arcs} | changes
    return limits.percent_of_limit(run, discovery.named(algorithm), RATES)


def test_share_of_the_limit_of_a_device():
    # 4 bytes each for 1 M offsets, 2 M targets, 2 M weights where there are any, and about 1 M distances
    assert percent("bfs/level", 999_999, 2_000_000) == pytest.approx(100 * 16e6 / 1e-3 / 4e12, rel=1e-5)
    assert percent("sssp/racy", 999_999, 2_000_000) == pytest.approx(100 * 24e6 / 1e-3 / 4e12, rel=1e-5)
    for algorithm in ("apsp/fw_vertex", "apsp/fw_pair", "apsp/fw_blocked"):
        assert percent(algorithm, 1000, 2000) == pytest.approx(100 * 1e9 / 1e-3 / 16e12)
    assert percent("apsp/fw_tiled", 1000, 2000, width=32) == pytest.approx(100 * 1e9 / 1e-3 / 16e12)
    assert percent("apsp/fw_tiled", 1000, 2000, width=16) == pytest.approx(100 * 1e9 / 1e-3 / 32e12)
    for algorithm in ("apsp/batched", "apsp/repeated_sssp", "apsp/peer_networkx"):
        assert percent(algorithm, 1000, 2000) is None


def test_arcs_on_the_host_are_compared_with_the_link():
    for algorithm, moved in (("bfs/level", 8e6), ("sssp/racy", 16e6)):
        run = ON_H200 | {"placement": "host"}, discovery.named(algorithm)
        assert limits.percent_of_limit(*run, RATES | {"link_bytes_per_s": 50e9}) == pytest.approx(
            100 * moved / 1e-3 / 50e9
        )
        assert limits.percent_of_limit(*run, RATES) is None  # an old probe lacks the rate


@pytest.mark.parametrize(
    "change", [{"device": "cpu"}, {"device": "host"}, {"status": "wrong"}, {"device_name": "Tesla T4"}]
)
def test_no_limit_for_another_device_or_a_wrong_answer(change):
    level = discovery.named("bfs/level")
    assert limits.percent_of_limit(ON_H200, level, RATES) > 0
    assert limits.percent_of_limit(ON_H200 | change, level, RATES) is None
    assert limits.percent_of_limit(ON_H200, level, None) is None


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.parent.name)
def test_published_shares_are_what_the_bounds_give(file):
    probe = limits.rates(file.with_name("probe.json"))
    rows = frames.read_summary(file).dropna(subset="percent_of_limit").to_dict("records")
    for row in rows:
        share = limits.percent_of_limit(row, discovery.named(row["algorithm"]), probe)
        assert share == pytest.approx(row["percent_of_limit"], rel=1e-6)


@pytest.mark.parametrize(
    "text",
    ["[1]", "null", "", "[" * 10**5, "{}", json.dumps(RATES | {"environment": None}), '{"environment": 1}']
    + [json.dumps(RATES | {"relaxations_per_s": rate}) for rate in (0, "fast", None)],
)
def test_file_that_is_not_a_probe_is_reported_once_and_ignored(tmp_path, text, capsys):
    file = tmp_path / "probe.json"
    file.write_text(text)
    assert limits.rates(file) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warpath: {file}: ignored, not a probe file")
    file.write_text(json.dumps(RATES))
    assert limits.rates(file) == RATES
    assert limits.rates(tmp_path / "absent") is None and capsys.readouterr().err == ""
