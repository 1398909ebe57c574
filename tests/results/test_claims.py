import pytest
import synthetic

from warpath.errors import UserError
from warpath.results import claims, gather, published
from warpath.results.evidence import Evidence

HOLDS, FAILS, DEPENDS, UNMEASURED = claims.VERDICTS
PAPERS = ("harish2007", "singh2017", "agarwal2015", "rejaud", "pathak2021")
NOT_ABOUT_TIME = {"kernel-calls-follow-levels", "printed-times-possible", "racy-wrong"}


def judge(paper, folder, *records):
    made = synthetic.tables(folder, *records)
    evidence = Evidence(made.timings, made.summary, published.read())
    return {claim.name: claim for claim in claims.judge([paper], evidence)}


def gpu(graph, algorithm, median_ms, launch="b256", **changes):
    device = "cpu" if "/cpu_" in algorithm else changes.pop("device", "cuda")
    return synthetic.record(
        graph, algorithm, launch if device != "cpu" else "default", device, median_ms=median_ms, **changes
    )


def of_study(paper, device, folder):
    planned, records = synthetic.of_study(paper, device)
    synthetic.write(folder, *records)
    timings, summary = gather.gather(planned, folder)
    return claims.judge(planned.claims, Evidence(timings, summary, published.read()))


@pytest.mark.parametrize("paper", PAPERS)
def test_a_papers_own_study_measures_each_of_its_claims(tmp_path, paper):
    for claim in of_study(paper, "cuda", tmp_path):
        assert claim.verdict != UNMEASURED, f"{claim.name}: {claim.reason}"
        assert claim.gist and claim.place and claim.how and claim.found
        assert "nan" not in f"{claim.found} {claim.reason}"


@pytest.mark.parametrize("paper", PAPERS)
def test_emulation_never_decides_a_claim_about_time(tmp_path, paper):
    for claim in of_study(paper, "host", tmp_path):
        if claim.name not in NOT_ABOUT_TIME:
            assert claim.verdict == UNMEASURED
            assert "CPU emulation" in claim.reason


@pytest.mark.parametrize("paper", PAPERS)
def test_without_runs_nothing_is_measured_and_each_says_why(tmp_path, paper):
    for name, claim in judge(paper, tmp_path, synthetic.record("path-64")).items():
        if name != "printed-times-possible":
            assert claim.verdict == UNMEASURED
            assert "This study does not run" in claim.reason


def test_every_conclusion_that_was_asked_for_has_a_claim(tmp_path):
    counts = {paper: len(judge(paper, tmp_path, synthetic.record())) for paper in PAPERS}
    assert counts == {"harish2007": 7, "singh2017": 2, "agarwal2015": 1, "rejaud": 6, "pathak2021": 8}


CASES = [  # paper, claim, records as (graph, algorithm, ms[, launch]), verdict
    ("harish2007", "bfs-speedup", [("random-1m-d6", "bfs/cpu_queue", 100), ("random-1m-d6", "bfs/frontier", 3)], HOLDS),
    ("harish2007", "bfs-speedup", [("random-1m-d6", "bfs/cpu_queue", 100), ("random-1m-d6", "bfs/frontier", 9)], FAILS),
    (
        "harish2007",
        "bfs-speedup",
        [
            *[("random-1m-d6", "bfs/cpu_queue", 100), ("random-1m-d6", "bfs/frontier", 3)],
            *[("random-2m-d6", "bfs/cpu_queue", 100), ("random-2m-d6", "bfs/frontier", 50)],
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
        [("singh-10", "bfs/cpu_queue", 13), ("singh-10", "bfs/frontier_struct", 1, "b512")],
        HOLDS,
    ),
    (
        "singh2017",
        "speedup",
        [("singh-10", "bfs/cpu_queue", 13), ("singh-10", "bfs/frontier_struct", 99, "b512")],
        FAILS,
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
        [("p2p-Gnutella08", "sssp/bellman_ford", 11), ("p2p-Gnutella08", "sssp/two_flags", 10)],
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
            ("web-Google", "sssp/bmf_outcore", 900),
            ("web-Google", "sssp/tpe_outcore", 5),
            ("web-Google", "sssp/tpe_incore", 6),
        ],
        HOLDS,
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
        FAILS,
    ),
    (
        "pathak2021",
        "blocked-beats-cpu",
        [("rome99", "apsp/fw_blocked", 1), ("rome99", "apsp/cpu_floyd_warshall", 700)],
        HOLDS,
    ),
]


@pytest.mark.parametrize(("paper", "name", "runs", "verdict"), CASES)
def test_verdict_follows_the_numbers(tmp_path, paper, name, runs, verdict):
    claim = judge(paper, tmp_path, *[gpu(*run) for run in runs])[name]
    assert claim.verdict == verdict, claim


def test_a_ratio_too_close_to_its_mark_is_not_forced_to_a_side(tmp_path):
    runs = [gpu("random-1m-d6", "bfs/cpu_queue", 20), gpu("random-1m-d6", "bfs/frontier", 1)]
    claim = judge("harish2007", tmp_path, *runs)["bfs-speedup"]
    assert claim.verdict == DEPENDS and "too close to tell" in claim.reason


def test_the_race_free_sssp_stands_in_where_the_papers_own_is_wrong(tmp_path):
    runs = [
        gpu("random-1m-d6", "sssp/cpu_dijkstra", 100),
        gpu("random-1m-d6", "sssp/racy", 0.001, status="wrong"),
        gpu("random-1m-d6", "sssp/two_kernel", 20),
    ]
    claim = judge("harish2007", tmp_path, *runs)["sssp-speedup"]
    assert claim.verdict == FAILS and "5× on random-1m-d6" in claim.found


def test_stand_ins_count_for_the_graph_that_they_stand_in_for(tmp_path):
    runs = [
        gpu("web-Google.stand-in", f"sssp/bmf_{core}", ms, standin_for="web-Google")
        for core, ms in (("outcore", 9), ("incore", 3))
    ]
    claim = judge("rejaud", tmp_path, *runs)["incore-faster"]
    assert claim.verdict == HOLDS and "on web-Google (stand-in)" in claim.found


def test_edge_order_and_configuration(tmp_path):
    runs = [
        gpu(
            "web-Google",
            "sssp/bmf_outcore",
            ms,
            f"b{block}-g8-{order}",
            parameters={"block": block, "grid": 8, "order": order},
        )
        for order, factor in (("source", 1), ("target", 2))
        for block, ms in ((256, 10 * factor), (512, 30 * factor))
    ]
    judged = judge("rejaud", tmp_path, *runs)
    assert judged["source-order-faster"].verdict == HOLDS
    assert judged["configuration-hardly-matters"].verdict == FAILS
    assert "3× on web-Google" in judged["configuration-hardly-matters"].found


def test_the_printed_times_are_held_against_arithmetic(tmp_path):
    claim = judge("rejaud", tmp_path, synthetic.record())["printed-times-possible"]
    assert claim.verdict == FAILS
    low, high = (float(part.replace(",", "")) for part in claim.found.removesuffix(" GB/s").split(" to "))
    assert low == pytest.approx(69e6 * 12 / 0.298e-3 / 1e9, rel=0.01)
    assert high == pytest.approx(69e6 * 12 / 0.251e-3 / 1e9, rel=0.01)


def test_coarsening_compares_with_factor_one(tmp_path):
    runs = [
        gpu("as-skitter", "sssp/coarsened", ms, f"b256-c{factor}", parameters={"block": 256, "coarsening": factor})
        for factor, ms in ((1, 10), (2, 8), (16, 40))
    ]
    claim = judge("pathak2021", tmp_path, *runs)["coarsening-slower"]
    assert claim.verdict == FAILS and "0.8× on as-skitter" in claim.found


def test_density_decides_between_queue_and_scan(tmp_path):
    dense, sparse = {"vertices": 100, "arcs": 5000}, {"vertices": 10000, "arcs": 60000}
    runs = [
        *[gpu("dense-2700", "bfs/queue", 1, **dense), gpu("dense-2700", "bfs/scan", 2, **dense)],
        *[gpu("as-skitter", "bfs/queue", 2, **sparse), gpu("as-skitter", "bfs/scan", 1, **sparse)],
    ]
    assert judge("pathak2021", tmp_path, *runs)["scan-sparse-queue-dense"].verdict == HOLDS


def test_lost_updates_are_reported_with_their_number(tmp_path):
    wrong = gpu("as-skitter", "sssp/racy", 1, status="wrong")
    wrong["samples"][0]["wrong_vertices"] = 42
    claim = judge("pathak2021", tmp_path, wrong, gpu("rome99", "sssp/racy", 1))["racy-wrong"]
    assert claim.verdict == HOLDS
    assert "1 of 2 runs, on as-skitter" in claim.found and "42 wrong vertices" in claim.reason


def test_no_lost_update_is_a_verdict_on_a_gpu_but_not_in_emulation(tmp_path):
    right = gpu("rome99", "sssp/racy", 1)
    assert judge("pathak2021", tmp_path / "gpu", right)["racy-wrong"].verdict == FAILS
    emulated = gpu("rome99", "sssp/racy", 1, device="host")
    assert judge("pathak2021", tmp_path / "host", emulated)["racy-wrong"].verdict == UNMEASURED


def test_kernel_calls_are_counted_on_any_device(tmp_path):
    run = gpu("singh-22", "bfs/frontier_struct", 1, "b512", device="host")
    for sample in run["samples"]:
        sample["kernel_launches"] = 7
    assert judge("singh2017", tmp_path / "a", run)["kernel-calls-follow-levels"].verdict == HOLDS
    for sample in run["samples"]:
        sample["kernel_launches"] = 8
    assert judge("singh2017", tmp_path / "b", run)["kernel-calls-follow-levels"].verdict == FAILS


def test_claims_of_an_unknown_paper_name_the_near_one():
    with pytest.raises(UserError, match="Did you mean harish2007"):
        claims.known(["harish2008"])
