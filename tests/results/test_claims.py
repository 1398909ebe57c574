import importlib

import pandas as pd
import pytest
import synthetic

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.base import places
from warpath.base.errors import UserError
from warpath.results import claims, published
from warpath.results.evidence import Evidence

HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED = claims.VERDICTS
PAPERS = ("harish2007", "singh2017", "agarwal2015", "rejaud", "pathak2021")
WITHOUT_RUNS = {"printed-times-possible", "memory-limit", "floyd-warshall-memory-limit"}  # by arithmetic
NOT_ABOUT_TIME = {"kernel-calls-follow-levels", "racy-wrong", *WITHOUT_RUNS}
NOT_ABOUT_TIME |= {"bfs-as-printed", "one-frontier-as-printed"}
ON_CPU_ALONE = {"repeated-sssp-unless-dense-on-cpu", "floyd-warshall-if-dense-on-cpu"}
NOT_IN_STUDY = {"apsp-100k"}  # it times out by synthetic's rule of thumb


def judge(paper, folder, *records):
    tables = synthetic.tables(folder, *records)
    evidence = Evidence(tables.timings, tables.summary, published.read())
    return {claim.name: claim for claim in claims.judge([paper], evidence)}


def gpu(graph, algorithm, median_ms, launch="b256", **changes):
    device = "cpu" if "/cpu_" in algorithm else changes.pop("device", "cuda")
    return synthetic.record(
        graph, algorithm, launch if device != "cpu" else "default", device, median_ms=median_ms, **changes
    )


def of_study(tables, paper, device="cuda"):
    planned, evidence = tables(paper, device)
    return claims.judge(planned.claims, Evidence(*evidence))


def test_an_error_in_a_file_affects_only_its_own_claims_and_names_the_line(tmp_path, monkeypatch, capsys):
    mistaken = importlib.import_module("warpath.results.claims.singh2017")
    monkeypatch.setattr(mistaken, "claims", lambda evidence: evidence.nonsense)
    tables = synthetic.tables(tmp_path, gpu("rome99", "bfs/level", 1))
    evidence = Evidence(tables.timings, tables.summary, published.read())
    first, *others = claims.judge(["singh2017", "agarwal2015"], evidence)
    assert (first.paper, first.verdict) == ("singh2017", UNMEASURED)
    assert "test_claims.py:" in first.reason and "nonsense" in first.reason
    assert "nonsense" in capsys.readouterr().err
    assert {claim.paper for claim in others} == {"agarwal2015"}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_papers_own_study_measures_each_of_its_claims(tables, paper):
    for claim in of_study(tables, paper):
        assert (claim.verdict == UNMEASURED) == (claim.name in NOT_IN_STUDY), f"{claim.name}: {claim.reason}"
        assert claim.gist and claim.place and claim.how and claim.found
        assert claim.change or claim.verdict == claims.REMARK
        assert "nan" not in f"{claim.found} {claim.reason}"


@pytest.mark.parametrize("paper", PAPERS)
def test_emulation_never_decides_a_claim_about_time(tables, paper):
    for claim in of_study(tables, paper, "host"):
        if claim.name not in NOT_ABOUT_TIME | ON_CPU_ALONE:
            assert claim.verdict == UNMEASURED
            assert "CPU emulation" in claim.reason or claim.name in NOT_IN_STUDY


@pytest.mark.parametrize("paper", PAPERS)
def test_without_runs_no_claim_is_measured_and_each_gives_the_reason(tmp_path, paper):
    for name, claim in judge(paper, tmp_path, synthetic.record("path-64")).items():
        if name not in WITHOUT_RUNS:
            assert claim.verdict == UNMEASURED
            assert "This study does not run" in claim.reason


def test_every_conclusion_of_the_papers_has_a_claim(tmp_path):
    counts = {paper: len(judge(paper, tmp_path, synthetic.record())) for paper in PAPERS}
    assert counts == {"harish2007": 19, "singh2017": 4, "agarwal2015": 3, "rejaud": 21, "pathak2021": 23}


CASES = [  # paper, claim, runs as (graph, algorithm, ms[, launch]), verdict
    (
        "pathak2021",
        "printed-sssp-speedup-on-graph-1",
        [("dense-2700", "sssp/cpu_dijkstra", 40), ("dense-2700", "sssp/two_kernel", 10)],
        HOLDS,
    ),
    (
        "pathak2021",
        "printed-sssp-speedup-on-graph-5",
        [("rgg_n_2_24_s0", "sssp/cpu_dijkstra", 40), ("rgg_n_2_24_s0", "sssp/two_kernel", 10)],
        PARTLY,
    ),
    ("harish2007", "bfs-speedup", [("random-1m-d6", "bfs/cpu_queue", 100), ("random-1m-d6", "bfs/frontier", 3)], HOLDS),
    ("harish2007", "bfs-speedup", [("random-1m-d6", "bfs/cpu_queue", 1), ("random-1m-d6", "bfs/frontier", 9)], FAILS),
    (
        "harish2007",
        "bfs-speedup",
        [("random-1m-d6", "bfs/cpu_queue", 500), ("random-1m-d6", "bfs/frontier", 1)],
        PARTLY,
    ),
    (
        "harish2007",
        "bfs-speedup",
        [
            *[("random-1m-d6", "bfs/cpu_queue", 100), ("random-1m-d6", "bfs/frontier", 3)],
            *[("random-2m-d6", "bfs/cpu_queue", 10), ("random-2m-d6", "bfs/frontier", 50)],
        ],
        DEPENDS,
    ),
    (
        "harish2007",
        "sssp-speedup",
        [("random-1m-d6", "sssp/cpu_dijkstra", 90), ("random-1m-d6", "sssp/racy", 1)],
        HOLDS,
    ),
    (
        "harish2007",
        "scale-free-slower",
        [("scale-free-1m", "bfs/frontier", 2), ("random-1m-d6", "bfs/frontier", 1)],
        HOLDS,
    ),
    (
        "harish2007",
        "scale-free-slower",
        [("scale-free-1m", "bfs/frontier", 1), ("random-1m-d6", "bfs/frontier", 1)],
        FAILS,
    ),
    (
        "harish2007",
        "repeated-sssp-beats-floyd-warshall",
        [("random-1k-d6", "apsp/fw_pair", 1), ("random-1k-d6", "apsp/repeated_sssp", 5)],
        FAILS,
    ),
    (
        "harish2007",
        "thread-per-vertex-slower",
        [("random-1k-d6", "apsp/fw_pair", 1), ("random-1k-d6", "apsp/fw_vertex", 9)],
        HOLDS,
    ),
    (
        "harish2007",
        "no-gain-on-roads",
        [("USA-road-d.NY", "bfs/cpu_queue", 1), ("USA-road-d.NY", "bfs/frontier", 2)],
        HOLDS,
    ),
    (
        "harish2007",
        "no-gain-on-roads",
        [("USA-road-d.NY", "bfs/cpu_queue", 9), ("USA-road-d.NY", "bfs/frontier", 2)],
        FAILS,
    ),
    (
        "singh2017",
        "speedup",
        [("singh-10", "bfs/cpu_queue", 13), ("singh-10", "bfs/frontier_struct", 1, "default")],
        HOLDS,
    ),
    (
        "singh2017",
        "speedup",
        [("singh-10", "bfs/cpu_queue", 13), ("singh-10", "bfs/frontier_struct", 99, "default")],
        FAILS,
    ),
    (
        "singh2017",
        "compact-list-beats-queue-and-matrix",
        [
            ("singh-10", "bfs/frontier_struct", 2, "default"),
            *[("singh-10", "bfs/queue_struct", 1, "default"), ("singh-10", "bfs/matrix", 4, "default")],
        ],
        DEPENDS,
    ),
    (
        "agarwal2015",
        "two-flags-faster",
        [("p2p-Gnutella08", "sssp/bellman_ford", 50), ("p2p-Gnutella08", "sssp/two_flags", 10)],
        HOLDS,
    ),
    (
        "agarwal2015",
        "two-flags-faster",
        [("p2p-Gnutella08", "sssp/bellman_ford", 10), ("p2p-Gnutella08", "sssp/two_flags", 10)],
        FAILS,
    ),
    ("rejaud", "incore-faster", [("web-Google", "sssp/bmf_outcore", 9), ("web-Google", "sssp/bmf_incore", 5)], HOLDS),
    (
        "rejaud",
        "shared-memory-slowest",
        [
            ("web-Google", "sssp/bmf_shared", 5),
            ("web-Google", "sssp/bmf_incore", 4),
            ("web-Google", "sssp/bmf_outcore", 9),
        ],
        FAILS,
    ),
    (
        "rejaud",
        "to-process-edge-faster",
        [
            *[("web-Google", f"sssp/bmf_{name}", 900) for name in ("outcore", "shared", "incore")],
            ("web-Google", "sssp/tpe_outcore", 12),  # of which half is computing
            ("web-Google", "sssp/tpe_incore", 13),
        ],
        HOLDS,
    ),
    (
        "rejaud",
        "to-process-edge-faster",
        [
            *[("web-Google", f"sssp/bmf_{name}", 900) for name in ("outcore", "shared", "incore")],
            ("web-Google", "sssp/tpe_outcore", 30),
            ("web-Google", "sssp/tpe_incore", 30),
        ],
        PARTLY,
    ),
    (
        "pathak2021",
        "level-best",
        [("as-skitter", "bfs/level", 1), ("as-skitter", "bfs/queue", 3), ("as-skitter", "bfs/scan", 2)],
        HOLDS,
    ),
    (
        "pathak2021",
        "level-best",
        [("as-skitter", "bfs/level", 5), ("as-skitter", "bfs/queue", 3), ("as-skitter", "bfs/scan", 9)],
        FAILS,
    ),
    (
        "pathak2021",
        "blocked-beats-gpu",
        [
            ("bio-HS-CX", "apsp/fw_blocked", 1),
            ("bio-HS-CX", "apsp/fw_pair", 50),
            ("bio-HS-CX", "apsp/repeated_sssp", 15),
        ],
        PARTLY,
    ),
    (
        "pathak2021",
        "blocked-beats-cpu",
        [
            ("rome99", "apsp/fw_blocked", 1),
            ("rome99", "apsp/cpu_floyd_warshall", 900),
            ("rome99", "apsp/cpu_repeated_dijkstra", 700),
        ],
        HOLDS,
    ),
    (
        "pathak2021",
        "naive-over-cpu",
        [("rome99", "apsp/fw_pair", 5), ("rome99", "apsp/cpu_floyd_warshall", 1)],
        FAILS,
    ),
    (
        "pathak2021",
        "naive-over-cpu",
        [("rome99", "apsp/fw_pair", 1), ("rome99", "apsp/cpu_floyd_warshall", 43.8)],
        PARTLY,
    ),
    (
        "pathak2021",
        "repeated-sssp-unless-dense",
        [
            *[("facebook_combined", "apsp/fw_pair", 1), ("facebook_combined", "apsp/repeated_sssp", 2)],
            *[("dense-7500", "apsp/fw_pair", 2), ("dense-7500", "apsp/repeated_sssp", 1)],
        ],
        HOLDS,
    ),
    (
        "pathak2021",
        "floyd-warshall-if-dense-on-cpu",
        [
            *[
                ("facebook_combined", "apsp/cpu_floyd_warshall", 1),
                ("facebook_combined", "apsp/cpu_repeated_dijkstra", 2),
            ],
            *[("dense-7500", "apsp/cpu_floyd_warshall", 2), ("dense-7500", "apsp/cpu_repeated_dijkstra", 1)],
        ],
        HOLDS,
    ),
    (
        "pathak2021",
        "edges-count-more-than-vertices",
        [("bio-human-gene1", "sssp/two_kernel", 4), ("soc-Slashdot0902", "sssp/two_kernel", 1)],
        HOLDS,
    ),
    (
        "pathak2021",
        "edges-count-more-than-vertices",
        [("bio-human-gene1", "sssp/cpu_dijkstra", 1), ("soc-Slashdot0902", "sssp/cpu_dijkstra", 4)],
        FAILS,
    ),
    (
        "rejaud",
        "to-process-edge-faster-out-of-core",
        [
            *[("web-Google", f"sssp/bmf_{name}", 900) for name in ("outcore", "shared", "incore")],
            ("web-Google", "sssp/tpe_outcore", 12),  # 150 times by its computing, enough in core alone
        ],
        PARTLY,
    ),
    (
        "harish2007",
        "floyd-warshall-speedup",
        [("random-1k-d6", "apsp/cpu_floyd_warshall", 3), ("random-1k-d6", "apsp/fw_pair", 1)],
        HOLDS,
    ),
    (
        "harish2007",
        "repeated-sssp-speedup",
        [("random-1k-d6", "apsp/cpu_floyd_warshall", 3), ("random-1k-d6", "apsp/repeated_sssp", 1)],
        PARTLY,
    ),
]


@pytest.mark.parametrize(("paper", "name", "runs", "verdict"), CASES)
def test_verdict_follows_the_numbers(tmp_path, paper, name, runs, verdict):
    claim = judge(paper, tmp_path, *[gpu(*run) for run in runs])[name]
    assert claim.verdict == verdict, claim


def test_a_size_is_told_apart_from_a_direction(tmp_path):
    runs = [gpu("rome99", "apsp/fw_pair", 1), gpu("rome99", "apsp/cpu_floyd_warshall", 43.8)]
    claim = judge("pathak2021", tmp_path, *runs)["naive-over-cpu"]
    assert (claim.verdict, claim.direction, claim.size) == (PARTLY, HOLDS, FAILS)
    assert claim.reason.startswith("Direction holds, size does not (43.8× instead of 6 to 7×).")
    assert "3× to 14× (half to double)" in claim.how and "3× to 14×" in claim.change


def test_a_ratio_too_close_to_its_mark_is_undecided(tmp_path):
    claim = judge("harish2007", tmp_path, *by_repeated_sssp(1))["repeated-sssp-beats-floyd-warshall"]
    assert claim.verdict == DEPENDS and "Too close to tell" in claim.reason
    assert claim.change == "To hold: 1× or more on random-100k-d6."


def by_repeated_sssp(*milliseconds):
    """All pairs in 1 ms by repeated SSSP and in these times by Floyd-Warshall: true above 1, undecided at 1."""
    sizes = ("100k", "1m", "2m", "5m", "10m")
    for size, time in zip(sizes, milliseconds, strict=False):
        yield gpu(f"random-{size}-d6", "apsp/fw_pair", time)
        yield gpu(f"random-{size}-d6", "apsp/repeated_sssp", 1)


def test_a_ratio_that_grows_is_said_to_pass_its_mark(tmp_path):
    runs = [
        gpu(f"random-{thousands}k-d6", f"apsp/{name}", ms, vertices=1000 * thousands)
        for thousands, ratio in ((2, 0.05), (4, 0.25), (8, 0.5))
        for name, ms in (("fw_pair", 100 * ratio), ("repeated_sssp", 100))
    ]
    claim = judge("harish2007", tmp_path, *runs)["repeated-sssp-beats-floyd-warshall"]
    assert claim.verdict == FAILS and "faster from about 16,000 vertices on" in claim.reason


def over_cpu(*milliseconds):
    """BFS in 1 ms on a GPU and these times on a CPU."""
    sizes = ("100k", "1m", "2m", "5m", "10m")
    for size, time in zip(sizes, milliseconds, strict=False):
        yield gpu(f"random-{size}-d6", "bfs/cpu_queue", time)
        yield gpu(f"random-{size}-d6", "bfs/frontier", 1)


@pytest.mark.parametrize(
    ("milliseconds", "verdict"),
    [((2, 2, 1), HOLDS), ((2, 1), DEPENDS), ((2, 1, 1), DEPENDS), ((0.5, 1, 1), DEPENDS), ((0.5, 0.5, 1), FAILS)],
)
def test_more_than_half_of_the_graphs_must_be_decided(tmp_path, milliseconds, verdict):
    claim = judge("harish2007", tmp_path, *by_repeated_sssp(*milliseconds))["repeated-sssp-beats-floyd-warshall"]
    assert claim.verdict == verdict, claim
    assert "Undecided: 1× on" in claim.reason


def level_over_queue(stand_in, *milliseconds):
    """BFS on the paper's graphs or their stand-ins: level in 1 ms, queue and scan in these times."""
    graphs = ("dense-2700", "bio-human-gene1", "soc-Slashdot0902", "as-skitter")
    for graph, time in zip(graphs, milliseconds, strict=False):
        changes = {"stand_in_for": graph} if stand_in else {}
        name = f"{graph}.stand-in" if stand_in else graph
        yield gpu(name, "bfs/level", 1, **changes)
        yield from (gpu(name, f"bfs/{other}", time, **changes) for other in ("queue", "scan"))


def test_stand_ins_never_outvote_real_graphs(tmp_path):
    real, others = level_over_queue(False, 2), list(level_over_queue(True, 2, 0.5, 0.5, 0.5))[3:]
    claim = judge("pathak2021", tmp_path / "both", *real, *others)["level-best"]
    assert (claim.verdict, claim.voters) == (HOLDS, "own class (1)")
    assert "Stand-ins, beside the vote: 3 false." in claim.reason and "; stand-ins: 0.5× on" in claim.found
    claim = judge("pathak2021", tmp_path / "alone", *others)["level-best"]
    assert (claim.verdict, claim.voters) == (FAILS, "stand-ins alone (3)")
    assert "Real graphs in the place of the stand-ins." in claim.change


def single(*records):
    """The records with one sample each."""
    return [record | {"samples": record["samples"][:1]} for record in records]


def test_one_single_sample_does_not_decide(tmp_path):
    agreeing, other = list(level_over_queue(False, 2, 2)), list(level_over_queue(False, 2, 2, 0.5))[6:]
    claim = judge("pathak2021", tmp_path / "alone", *single(*other))["level-best"]
    assert claim.verdict == DEPENDS and claim.reason.startswith("One single sample does not decide: 0.")
    claim = judge("pathak2021", tmp_path / "beside", *agreeing, *single(*other))["level-best"]
    assert claim.verdict == HOLDS and "More than one sample on soc-Slashdot0902." in claim.change
    claim = judge("pathak2021", tmp_path / "two", *single(*agreeing))["level-best"]
    assert claim.verdict == HOLDS


def test_one_single_sample_far_from_the_mark_decides(tmp_path):
    near, far = (gpu("random-30k-d6", "apsp/repeated_sssp", ms) for ms in (70_000, 50_000))  # two minutes printed
    assert judge("harish2007", tmp_path / "near", *single(near))["apsp-30k"].verdict == DEPENDS
    assert judge("harish2007", tmp_path / "far", *single(far))["apsp-30k"].verdict == HOLDS


def test_an_average_is_judged_as_one(tmp_path):
    runs = [gpu(f"random-{size}-d6", "apsp/repeated_sssp", 1) for size in ("1k", "2k")]
    runs += [gpu(f"random-{size}-d6", "apsp/cpu_floyd_warshall", ms) for size, ms in (("1k", 0.5), ("2k", 30))]
    claim = judge("harish2007", tmp_path, *runs)["repeated-sssp-speedup"]
    assert claim.verdict == HOLDS and "on the average of 2 graphs" in claim.found
    assert "By graph: 0.5" in claim.reason


def test_printed_absolutes_are_times_to_reach(tmp_path):
    fast = gpu("random-10m-d6", "bfs/frontier", 8)
    assert judge("harish2007", tmp_path / "fast", fast)["bfs-10m"].verdict == HOLDS
    slow = gpu("random-10m-d6", "bfs/frontier", 8000)
    assert judge("harish2007", tmp_path / "slow", slow)["bfs-10m"].verdict == FAILS


def test_a_matrix_of_the_papers_card_has_more_than_a_few_thousand_vertices(tmp_path):
    claim = judge("harish2007", tmp_path, synthetic.record())["floyd-warshall-memory-limit"]
    assert claim.verdict == FAILS and claim.found == "13,856 vertices"


def test_remarks_are_not_counted_with_the_claims(tmp_path):
    judged = list(judge("rejaud", tmp_path, synthetic.record()).values())
    assert [claim.name for claim in claims.remarks(judged)] == ["printed-times-possible"]
    assert len(claims.of_papers(judged)) == len(judged) - 1


def test_wrong_answers_have_times_where_a_claim_is_about_them(tmp_path):
    runs = [gpu("dense-2700", "sssp/two_kernel", 11), gpu("dense-2700", "sssp/racy", 10, status="wrong")]
    claim = judge("pathak2021", tmp_path, *runs)["atomics-slightly-slower"]
    assert claim.verdict == HOLDS and "1.1× on dense-2700" in claim.found


def timed_out(graph, algorithm, **changes):
    return gpu(graph, algorithm, 1, status="timeout", error=synthetic.TIMED_OUT, **changes)


def test_graphs_without_a_number_are_named(tmp_path):
    runs = [
        *over_cpu(40, 40),
        *[gpu("random-5m-d6", "bfs/cpu_queue", 40), gpu("random-5m-d6", "bfs/frontier", 1, status="wrong")],
        *[timed_out("random-10m-d6", "bfs/cpu_queue"), timed_out("random-10m-d6", "bfs/frontier")],
        gpu("random-2m-d6", "bfs/cpu_queue", 40),  # bfs/frontier is not planned on it
    ]
    claim = judge("harish2007", tmp_path, *runs)["bfs-speedup"]
    assert claim.verdict == HOLDS
    assert claim.reason.endswith(
        "All 2 agree. Not measured on: random-5m-d6 (bfs/frontier: wrong answer); random-10m-d6 (timed out)."
    )


@pytest.mark.parametrize(
    ("slow", "fast", "verdict"),
    [
        (timed_out("random-1m-d6", "apsp/fw_pair"), gpu("random-1m-d6", "apsp/repeated_sssp", 6_000), HOLDS),
        # Half of the limit counts: a warm-up may have taken the other half.
        (timed_out("random-1m-d6", "apsp/fw_pair"), gpu("random-1m-d6", "apsp/repeated_sssp", 130_000), UNMEASURED),
        (gpu("random-1m-d6", "apsp/fw_pair", 10), timed_out("random-1m-d6", "apsp/repeated_sssp"), FAILS),
        (
            timed_out("random-1m-d6", "apsp/fw_pair", vertices=None),
            gpu("random-1m-d6", "apsp/repeated_sssp", 1),
            UNMEASURED,
        ),
    ],
)
def test_a_time_limit_is_a_bound_that_counts_where_it_decides(tmp_path, slow, fast, verdict):
    claim = judge("harish2007", tmp_path, slow, fast)["repeated-sssp-beats-floyd-warshall"]
    assert claim.verdict == verdict, claim
    if verdict in (HOLDS, FAILS):
        assert claim.found.startswith("at least 20" if verdict == HOLDS else "at most ")


def test_a_bound_decides_a_direction_and_not_a_size(tmp_path):
    runs = timed_out("random-1m-d6", "bfs/cpu_queue"), gpu("random-1m-d6", "bfs/frontier", 6_000)
    claim = judge("harish2007", tmp_path, *runs)["bfs-speedup"]
    assert (claim.verdict, claim.direction, claim.size) == (PARTLY, HOLDS, UNMEASURED)


def test_the_best_of_several_is_known_once_each_of_them_is(tmp_path):
    level, queue = gpu("as-skitter", "bfs/level", 1), gpu("as-skitter", "bfs/queue", 3)
    claim = judge("pathak2021", tmp_path / "wrong", level, queue, gpu("as-skitter", "bfs/scan", 9, status="wrong"))
    assert claim["level-best"].verdict == UNMEASURED
    claim = judge("pathak2021", tmp_path / "timeout", level, queue, timed_out("as-skitter", "bfs/scan"))["level-best"]
    assert claim.verdict == HOLDS and "3× on as-skitter" in claim.found


def test_the_slower_of_two_is_known_once_both_of_them_are(tmp_path):
    shared, outcore = gpu("web-Google", "sssp/bmf_shared", 10), gpu("web-Google", "sssp/bmf_outcore", 5)
    failed = gpu("web-Google", "sssp/bmf_incore", 5, status="failed")
    claim = judge("rejaud", tmp_path / "failed", shared, outcore, failed)["shared-memory-slowest"]
    assert claim.verdict == UNMEASURED
    claim = judge("rejaud", tmp_path / "timeout", shared, outcore, timed_out("web-Google", "sssp/bmf_incore"))
    assert claim["shared-memory-slowest"].verdict == FAILS


def test_weak_runs_are_named(tmp_path):
    runs = [*over_cpu(40, 40), gpu("random-2m-d6", "bfs/cpu_queue", 40, flags=["noisy", "throttled"])]
    runs += [gpu("random-2m-d6", "bfs/frontier", 1, flags=["noisy"])]
    runs[0]["samples"] = runs[0]["samples"][:1]
    claim = judge("harish2007", tmp_path, *runs)["bfs-speedup"]
    assert "Weak runs: single sample (random-100k-d6), noisy (random-2m-d6), throttled (random-2m-d6)." in claim.reason


@pytest.mark.parametrize(("milliseconds", "verdict"), [(1.2, DEPENDS), (1.3, HOLDS)])
def test_single_samples_near_the_mark_are_undecided(tmp_path, milliseconds, verdict):
    runs = single(*by_repeated_sssp(milliseconds, milliseconds))
    for run, time in zip(runs, (milliseconds, 1) * 2, strict=True):
        run["samples"][0] |= {"solve_ms": time}
    assert judge("harish2007", tmp_path, *runs)["repeated-sssp-beats-floyd-warshall"].verdict == verdict


def test_searches_on_the_same_road_network_are_told_apart(tmp_path):
    pairs = (("bfs/cpu_queue", "bfs/frontier"), ("sssp/cpu_dijkstra", "sssp/racy"))
    runs = [gpu("USA-road-d.NY", algorithm, ms) for pair in pairs for algorithm, ms in zip(pair, (9, 2), strict=True)]
    claim = judge("harish2007", tmp_path, *runs)["no-gain-on-roads"]
    assert "4.5× on USA-road-d.NY (BFS)" in claim.found and "4.5× on USA-road-d.NY (SSSP)" in claim.found
    assert claim.reason.startswith("All 2 agree.") and "2.48× (BFS) and 2.17× (SSSP)" in claim.reason


def test_scale_free_and_random_are_compared_by_one_algorithm(tmp_path):
    runs = [
        gpu("scale-free-1m", "sssp/racy", 1, status="wrong"),
        gpu("scale-free-1m", "sssp/two_kernel", 9),
        gpu("random-1m-d6", "sssp/racy", 1),
        gpu("random-1m-d6", "sssp/two_kernel", 9),
    ]
    claim = judge("harish2007", tmp_path / "both", *runs)["scale-free-slower"]
    assert claim.verdict == FAILS and "1× on 1m vertices (SSSP)" in claim.found
    bfs = [gpu("scale-free-1m", "bfs/frontier", 2), gpu("random-1m-d6", "bfs/frontier", 1)]
    claim = judge("harish2007", tmp_path / "neither", *runs[:3], *bfs)["scale-free-slower"]
    assert claim.verdict == HOLDS
    assert "Not measured on: 1m vertices (SSSP) (no algorithm right on both)." in claim.reason


def growing(times, **changes):
    for degree, ms in times.items():
        yield gpu(f"random-100k-d{degree}", "bfs/frontier", ms, vertices=100_000, arcs=degree * 100_000, **changes)


def test_an_exponent_has_an_interval_and_needs_four_graphs(tmp_path):
    few = judge("harish2007", tmp_path / "few", *growing({12: 12, 25: 25, 50: 50}))["linear-in-degree"]
    assert few.verdict == UNMEASURED
    near = judge("harish2007", tmp_path / "near", *growing({12: 12, 25: 25, 50: 50, 100: 100}))["linear-in-degree"]
    assert near.verdict == HOLDS and " – " in near.found
    times = {degree: degree**1.2 for degree in (12, 13, 14, 15)}
    mark = judge("harish2007", tmp_path / "mark", *growing(times))["linear-in-degree"]
    assert (mark.verdict, mark.size) == (PARTLY, DEPENDS)


def test_growth_is_a_direction_and_proportion_a_size(tmp_path):
    times = {degree: degree**0.3 for degree in (12, 25, 50, 100)}
    claim = judge("harish2007", tmp_path, *growing(times))["linear-in-degree"]
    assert (claim.verdict, claim.direction, claim.size) == (PARTLY, HOLDS, FAILS)
    assert "instead of in proportion (1)" in claim.reason


def speedups(factors, density=(5e-1, 5e-2, 1e-4, 1e-6)):
    names = ("dense-2700", "bio-human-gene1", "soc-Slashdot0902", "as-skitter")
    for graph, factor, share in zip(names, factors, density, strict=False):
        size = {"vertices": 10_000, "arcs": int(share * 1e8)}
        yield gpu(graph, "sssp/cpu_dijkstra", 10 * factor, **size)
        yield gpu(graph, "sssp/two_kernel", 10, **size)


@pytest.mark.parametrize(
    ("factors", "verdict"),
    [((1, 2, 4, 8), HOLDS), ((8, 4, 2, 1), FAILS), ((1, 1.01, 1, 1.01), DEPENDS), ((1, 2, 4), UNMEASURED)],
)
def test_a_rank_correlation_has_an_interval_from_its_times(tmp_path, factors, verdict):
    claim = judge("pathak2021", tmp_path, *speedups(factors))["speedup-falls-with-density"]
    assert claim.verdict == verdict, claim


def test_graphs_of_other_papers_do_not_count(tmp_path):
    runs = [gpu(graph, f"bfs/{name}", 1) for graph in ("rome99", "as-skitter") for name in ("queue", "scan")]
    runs += [gpu("rome99", "bfs/level", 9), gpu("as-skitter", "bfs/level", 0.1)]
    claim = judge("pathak2021", tmp_path, *runs)["level-best"]
    assert claim.verdict == HOLDS and "rome99" not in claim.found


@pytest.mark.parametrize(("ms", "remark"), [(0.16, True), (50, False)])
def test_launch_bound_comparisons_are_remarked_on(tmp_path, ms, remark):
    """Both have 40 launches: 4 µs a launch, or 1.25 ms."""
    runs = [gpu("p2p-Gnutella08", f"sssp/{name}", ms) for name in ("bellman_ford", "two_flags")]
    reason = judge("agarwal2015", tmp_path, *runs)["two-flags-faster"].reason
    assert ("launches were compared, one a round against two" in reason) == remark


def test_a_round_that_outgrows_its_launch_is_not_called_launch_bound(tmp_path):
    """4 µs a launch on one graph; on the other a round of the basic algorithm takes 12."""
    times = {"p2p-Gnutella08": (0.16, 0.16), "p2p-Gnutella31": (0.48, 0.16)}
    runs = [
        gpu(graph, f"sssp/{name}", ms)
        for graph, pair in times.items()
        for name, ms in zip(("bellman_ford", "two_flags"), pair, strict=True)
    ]
    assert "On 1 of 2 graphs launches" in judge("agarwal2015", tmp_path, *runs)["two-flags-faster"].reason


def test_the_serial_counterpart_is_the_one_with_v_rounds(tmp_path):
    runs = [
        gpu("email-Eu-core", algorithm, ms)
        for algorithm, ms in (
            ("sssp/cpu_bellman_ford", 0.01),
            ("sssp/cpu_all_rounds", 90),
            ("sssp/bellman_ford", 9),
            ("sssp/two_flags", 9),
        )
    ]
    claim = judge("agarwal2015", tmp_path, *runs)["speedup-over-serial"]
    assert claim.verdict == HOLDS and "10× on email-Eu-core (bellman_ford)" in claim.found
    assert "stops early, sssp/bellman_ford is 0.00111× as fast" in claim.reason


def test_printed_times_of_the_last_call_are_scaled_to_all_calls(tmp_path):
    runs = [gpu("singh-10", "bfs/cpu_queue", 13), gpu("singh-10", "bfs/frontier_struct", 1, "default")]
    assert "2.48×, 2.02×, 1.9×" in judge("singh2017", tmp_path, *runs)["speedup"].reason


def test_only_the_papers_launch_counts_and_its_last_call_is_reported(tmp_path):
    cpu, other = gpu("singh-10", "bfs/cpu_queue", 2), gpu("singh-10", "bfs/frontier_struct", 1, "b512")
    claim = judge("singh2017", tmp_path / "other", cpu, other)["speedup"]
    assert claim.verdict == UNMEASURED and "as many threads as vertices" in claim.reason
    run = gpu("singh-10", "bfs/frontier_struct", 1, "default", parameters={})
    for sample in run["samples"]:
        sample["phases"] = {"last_call_ms": 0.1}
    claim = judge("singh2017", tmp_path / "default", cpu, run)["speedup"]
    assert claim.verdict == PARTLY
    factor = claim.reason.partition("which the paper's timer has: ")[2].partition("×")[0]
    assert float(factor) == pytest.approx(20, rel=0.05)  # 2 ms over 0.1


@pytest.mark.parametrize(
    ("paper", "graph", "algorithm", "name"),
    [
        ("harish2007", "random-1m-d6", "bfs/one_frontier", "bfs-as-printed"),
        ("singh2017", "singh-64", "bfs/one_frontier_struct", "one-frontier-as-printed"),
    ],
)
def test_wrong_answers_of_a_printed_listing_are_remarked_on(tmp_path, paper, graph, algorithm, name):
    run = gpu(graph, algorithm, 1, status="wrong")
    run["samples"][0]["wrong_vertices"] = 7
    remark = judge(paper, tmp_path, run)[name]
    assert remark.verdict == claims.REMARK and remark.found == f"wrong: 1 of 1 runs, on {graph}"
    assert "At worst 7 wrong vertices" in remark.reason


def test_the_filter_of_the_text_is_compared_with_ours_and_may_win(tmp_path):
    times = {"bmf_outcore": 50, "bmf_shared": 50, "bmf_incore": 50, "tpe_outcore": 40, "tpe_incore": 40}
    times |= {"tpe_outcore_one_scan": 10, "tpe_incore_one_scan": 20}
    runs = [gpu("web-Google", f"sssp/{name}", ms) for name, ms in times.items()]
    claim = judge("rejaud", tmp_path, *runs)["to-process-edge-always-pays"]
    assert "5× on web-Google" in claim.found and "takes 0.25× as long" in claim.reason


def test_the_race_free_sssp_counts_where_the_papers_own_is_wrong(tmp_path):
    runs = [
        gpu("random-1m-d6", "sssp/cpu_dijkstra", 100),
        gpu("random-1m-d6", "sssp/racy", 0.001, status="wrong"),
        gpu("random-1m-d6", "sssp/two_kernel", 20),
    ]
    claim = judge("harish2007", tmp_path, *runs)["sssp-speedup"]
    assert claim.verdict == PARTLY and "5× on random-1m-d6" in claim.found
    assert "With its wrong answers, sssp/racy is 100000× as fast as the CPU" in claim.reason


def test_stand_ins_count_for_their_graph(tmp_path):
    runs = [
        gpu("web-Google.stand-in", f"sssp/bmf_{core}", ms, standin_for="web-Google")
        for core, ms in (("outcore", 6), ("incore", 3))
    ]
    claim = judge("rejaud", tmp_path, *runs)["incore-faster"]
    assert claim.verdict == HOLDS and "on web-Google (stand-in)" in claim.found


def configured(ms, order="source", **changes):
    """A run in each of the report's five configurations; `changes` apply to the last, which is the fastest."""
    return [
        gpu(
            "web-Google",
            "sssp/bmf_outcore",
            time,
            f"b{block}-g{grid}-{order}",
            parameters={"block": block, "grid": grid, "order": order},
            **(changes if block == 1024 else {}),
        )
        for (block, grid), time in zip(CONFIGURATIONS, ms, strict=True)
    ]


def test_edge_order_and_configuration(tmp_path):
    runs = [*configured([30, 20, 20, 20, 10]), *configured([60, 40, 40, 40, 20], "target")]
    judged = judge("rejaud", tmp_path, *runs)
    assert judged["source-order-faster"].verdict == HOLDS
    assert "1.2× on roadNet-CA to" in judged["source-order-faster"].reason
    assert judged["configuration-hardly-matters"].verdict == FAILS
    assert "3× on web-Google" in judged["configuration-hardly-matters"].found


@pytest.mark.parametrize(
    ("graph", "name", "found"),
    [
        ("roadNet-CA", "to-process-edge-by-source-faster-on-roads", "2×"),
        ("higgs-social_network", "to-process-edge-by-source-slower-on-higgs", "0.5×"),
    ],
)
def test_computing_with_a_list_is_compared_by_order_on_the_networks_that_are_named(tmp_path, graph, name, found):
    runs = [
        gpu(graph, "sssp/tpe_outcore", 100, f"b256-g8-{order}", parameters={"block": 256, "grid": 8, "order": order})
        for order in ("source", "target")
    ]
    for run, compute in zip(runs, (10, 20), strict=True):
        run["samples"] = [sample | {"phases": {"compute_ms": compute}} for sample in run["samples"]]
    claim = judge("rejaud", tmp_path, *runs)[name]
    assert f"{found} on {graph}" in claim.found


def test_each_source_counts_the_same_in_the_time_of_computing_with_a_list(tmp_path):
    runs = [
        gpu("web-Google", f"sssp/{name}", 100) for name in ("bmf_outcore", "bmf_shared", "bmf_incore", "tpe_incore")
    ]
    for run in runs:
        run["samples"] = [
            sample | {"solve_ms": 20 * factor, "phases": {"compute_ms": 10 * factor} if run is runs[-1] else {}}
            for sample, factor in zip(run["samples"], (1, 1, 9, 9), strict=False)
        ]
    runs[-1]["samples"] += 3 * runs[-1]["samples"][:1]  # from the first source, which is quick
    claim = judge("rejaud", tmp_path, *runs)["to-process-edge-faster"]
    assert claim.found.startswith("2× on web-Google")


def test_shared_memory_by_source_is_judged_apart(tmp_path):
    by_source = {"parameters": {"block": 256, "grid": 8, "order": "source"}}
    runs = [
        gpu("web-Google", "sssp/bmf_shared", 20, "b256-g8"),
        gpu("web-Google", "sssp/bmf_shared", 5, "b256-g8-source", **by_source),
        gpu("web-Google", "sssp/bmf_incore", 10, "b256-g8-source", **by_source),
    ]
    judged = judge("rejaud", tmp_path, *runs)
    assert judged["shared-memory-by-source-too-long"].verdict == FAILS
    assert "0.25× on web-Google" in judged["shared-memory-by-source-too-long"].found
    assert "2× on web-Google" in judged["incore-over-shared"].found  # the report's shared memory is by target


def test_in_core_by_target_is_compared_with_both_that_are_out_of_core(tmp_path):
    runs = [
        gpu("web-Google", f"sssp/{name}", ms, f"b256-g8-{order}", parameters={"block": 256, "grid": 8, "order": order})
        for name, order, ms in (
            ("bmf_outcore", "target", 30),
            ("bmf_outcore", "source", 5),
            ("bmf_shared", "target", 20),
            ("bmf_incore", "target", 10),
            ("bmf_incore", "source", 1),
        )
    ]
    claim = judge("rejaud", tmp_path, *runs)["incore-by-target-still-faster"]
    assert claim.verdict == HOLDS and "2× on web-Google" in claim.found


def test_a_spread_needs_all_five_configurations(tmp_path):
    failed = configured([10, 10, 10, 10, 10], status="failed")
    claim = judge("rejaud", tmp_path / "failed", *failed)["configuration-hardly-matters"]
    assert claim.verdict == UNMEASURED
    four = configured([10, 10, 10, 10, 10])[:4]
    claim = judge("rejaud", tmp_path / "four", *four)["configuration-hardly-matters"]
    assert claim.verdict == UNMEASURED
    timeout = configured([10, 10, 10, 10, 10], status="timeout", error=synthetic.TIMED_OUT)
    claim = judge("rejaud", tmp_path / "timeout", *timeout)["configuration-hardly-matters"]
    assert claim.verdict == FAILS and "at least 12100× on web-Google" in claim.found
    # 120 s, half of the limit, are less than another took: the one that timed out is not the fastest for that.
    timeout = configured([100_000, 130_000, 130_000, 130_000, 10], status="timeout", error=synthetic.TIMED_OUT)
    claim = judge("rejaud", tmp_path / "slower", *timeout)["configuration-hardly-matters"]
    assert claim.verdict == UNMEASURED and "Bounds alone: at least 1.3×." in claim.reason


def test_the_printed_times_are_checked_by_arithmetic(tmp_path):
    claim = judge("rejaud", tmp_path, synthetic.record())["printed-times-possible"]
    assert claim.verdict == claims.REMARK
    low, high = (float(part.replace(",", "")) for part in claim.found.removesuffix(" GB/s").split(" to "))
    assert low == pytest.approx(69e6 * 12 / 0.298e-3 / 1e9, rel=0.01)
    assert high == pytest.approx(69e6 * 12 / 0.251e-3 / 1e9, rel=0.01)


def test_coarsening_is_slower_step_by_step(tmp_path):
    runs = [
        gpu("as-skitter", "sssp/coarsened", ms, f"b256-c{factor}", parameters={"block": 256, "coarsening": factor})
        for factor, ms in ((1, 10), (2, 20), (4, 40), (8, 32), (16, 64))
    ]
    judged = judge("pathak2021", tmp_path, *runs, gpu("as-skitter", "sssp/cpu_dijkstra", 10))
    assert judged["coarsening-slower"].verdict == FAILS and "0.8× on as-skitter" in judged["coarsening-slower"].found
    assert judged["coarsest-slower-than-cpu"].verdict == UNMEASURED  # a claim about dense graphs only


def test_each_step_of_coarsening_must_be_decided(tmp_path):
    times = ((1, 10), (2, 20), (4, 20), (8, 40), (16, 80))
    runs = [
        gpu("as-skitter", "sssp/coarsened", ms, f"b256-c{factor}", parameters={"block": 256, "coarsening": factor})
        for factor, ms in times
    ]
    claim = judge("pathak2021", tmp_path, *runs)["coarsening-slower"]
    assert claim.verdict == DEPENDS and "Too close to tell: 1× on as-skitter." in claim.reason


def test_coarsening_is_judged_with_neighbouring_and_with_strided_vertices(tmp_path):
    runs = [
        gpu("as-skitter", f"sssp/{name}", ms, f"b256-c{factor}", parameters={"block": 256, "coarsening": factor})
        for name, step in (("coarsened", 2), ("coarsened_strided", 0.5))
        for factor, ms in ((2**power, 10 * step**power) for power in range(5))
    ]
    claim = judge("pathak2021", tmp_path, *runs)["coarsening-slower"]
    assert claim.verdict == DEPENDS
    assert "True: 2× on as-skitter (coarsened); false: 0.5× on as-skitter (coarsened_strided)." in claim.reason
    assert "2, 4 and 8 are assumed" in claim.reason


def test_what_coarsening_costs_is_compared_between_dense_and_sparse_graphs(tmp_path):
    runs = [
        gpu(
            graph,
            "sssp/coarsened",
            ms,
            f"b256-c{factor}",
            parameters={"block": 256, "coarsening": factor},
            vertices=vertices,
            arcs=arcs,
        )
        for graph, vertices, arcs, slowed in (
            ("dense-2700", 2_700, 3_600_000, 12),
            ("soc-Slashdot0902", 82_168, 1_008_460, 4),
        )
        for factor, ms in ((1, 10), (16, 10 * slowed))
    ]
    claim = judge("pathak2021", tmp_path, *runs)["coarsening-costs-dense-graphs-more"]
    assert claim.verdict == HOLDS and "3× on dense-2700 over soc-Slashdot0902" in claim.found


def test_what_atomics_cost_is_told_by_the_papers_own_listing_where_it_was_run(tmp_path):
    runs = [gpu("as-skitter", "sssp/two_kernel", 11), gpu("as-skitter", "sssp/racy", 100, status="wrong")]
    assert "0.11× on as-skitter" in judge("pathak2021", tmp_path / "racy", *runs)["atomics-slightly-slower"].found
    runs += [gpu("as-skitter", "sssp/bugged", 10, status="wrong")]
    judged = judge("pathak2021", tmp_path / "bugged", *runs)
    assert "1.1× on as-skitter" in judged["atomics-slightly-slower"].found
    assert "sssp/bugged" in judged["racy-wrong"].how


def test_density_decides_between_queue_and_scan(tmp_path):
    dense, sparse = {"vertices": 100, "arcs": 5000}, {"vertices": 10000, "arcs": 60000}
    runs = [
        *[gpu("dense-2700", "bfs/queue", 1, **dense), gpu("dense-2700", "bfs/scan", 2, **dense)],
        *[gpu("as-skitter", "bfs/queue", 2, **sparse), gpu("as-skitter", "bfs/scan", 1, **sparse)],
    ]
    judged = judge("pathak2021", tmp_path, *runs)
    assert judged["scan-suits-sparse"].verdict == judged["queue-suits-dense"].verdict == HOLDS
    assert "dense-2700" not in judged["scan-suits-sparse"].found


def test_lost_updates_are_reported_with_their_number(tmp_path):
    wrong = gpu("as-skitter", "sssp/racy", 1, status="wrong")
    wrong["samples"][0]["wrong_vertices"] = 42
    right = [gpu(graph, "sssp/racy", 1) for graph in ("dense-2700", "rome99")]  # the second is not the paper's
    claim = judge("pathak2021", tmp_path, wrong, *right)["racy-wrong"]
    assert claim.verdict == HOLDS
    assert "1 of 2 runs, on as-skitter" in claim.found and "42 wrong vertices" in claim.reason


def test_without_lost_updates_the_claim_fails_on_a_gpu_and_is_not_measured_in_emulation(tmp_path):
    right = gpu("rome99", "sssp/racy", 1)
    assert judge("pathak2021", tmp_path / "gpu", right)["racy-wrong"].verdict == FAILS
    emulated = gpu("rome99", "sssp/racy", 1, device="host")
    assert judge("pathak2021", tmp_path / "host", emulated)["racy-wrong"].verdict == UNMEASURED


def test_kernel_calls_are_counted_on_any_device(tmp_path):
    for calls, verdict in ((3, HOLDS), (8, FAILS)):
        runs = [gpu(f"singh-{size}", "bfs/frontier_struct", 1, "b512", device="host") for size in (5, 22)]
        for sample in (sample for run in runs for sample in run["samples"]):
            sample["kernel_launches"] = calls
        claim = judge("singh2017", tmp_path / str(calls), *runs)["kernel-calls-follow-levels"]
        assert claim.verdict == verdict, claim
        assert "without a vote: " in claim.reason and "on singh-22" in claim.reason


def test_a_sweep_of_medians_is_judged_by_the_same_rules(monkeypatch):
    monkeypatch.syspath_prepend(places.ROOT / "benchmarks")
    runs = [(f"b256-g8-{order}", ms) for order, ms in (("source", 10), ("target", 20))]
    rows = [("USA-road-d.NY", 264346, 730100, "sssp/bmf_incore", launch, "ok", ms) for launch, ms in runs]
    rows += [(*rows[0][:3], "sssp/bmf_outcore", "b256-g8-source", "timeout", None)]
    columns = ["graph", "vertices", "arcs", "algorithm", "launch", "status", "median_ms"]
    found = importlib.import_module("sweep_claims").judged(pd.DataFrame(rows, columns=columns), "rejaud")
    assert [(claim.name, claim.verdict) for claim in found] == [("source-order-faster-in-core", HOLDS)]


def test_an_unknown_paper_suggests_a_similar_one():
    with pytest.raises(UserError, match="Did you mean harish2007"):
        claims.known(["harish2008"])
