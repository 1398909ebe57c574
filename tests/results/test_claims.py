import pytest
import synthetic
from synthetic import runs
from test_studies import PAPERS

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.base.errors import UserError
from warpath.results import claims

HOLDS, PARTLY, FAILS, DEPENDS, UNMEASURED = claims.VERDICTS
WITHOUT_RUNS = {"printed-times-possible", "memory-limit", "floyd-warshall-memory-limit"}  # by arithmetic
WITHOUT_RUNS |= {"in-all-tested-scenarios", "never-in-practice", "fewer-relaxations"}
NOT_ABOUT_TIME = {"kernel-calls-follow-levels", "answer-on-its-graph", "edges-outnumber-nodes", "rounds-follow-levels"}
NOT_ABOUT_TIME |= {"repeated-sssp-in-little-memory", "repeated-sssp-saves-space", "racy-wrong", *WITHOUT_RUNS}
NOT_ABOUT_TIME |= {"rounds-of-the-order-of-the-diameter"}
ON_CPU_ALONE = {"repeated-sssp-unless-dense-on-cpu", "floyd-warshall-if-dense-on-cpu"}
ON_CPU_ALONE |= {"dijkstra-faster", "dijkstra-3-to-4-times-faster", "factor-falls-with-size"}  # of castro2025
ON_CPU_ALONE |= {"keeps-to-its-bound", "expected-as-fast"}
NOT_IN_STUDY = {"apsp-100k"}  # it times out by synthetic's rule of thumb


def judge(paper, *parts):
    """The paper's claims by name, judged by these records and texts of runs."""
    return {claim.name: claim for claim in claims.judge([paper], synthetic.tables(*parts))}


@pytest.mark.parametrize(
    ("table", "code", "reason"),
    [
        ("how: d, numbers: mine", "def mine(*_):\n    return 1 / 0\n", "claims.py:2: "),
        ("", "", "claims.yaml: claims.0: "),
    ],
)
def test_an_error_affects_only_its_own_claims_and_names_the_line(table, code, reason, tmp_path, monkeypatch, capsys):
    evidence = synthetic.tables("rome99 bfs/level=1")
    (file := tmp_path / "config/papers/mistaken/claims.yaml").parent.mkdir(parents=True)
    file.write_text(f"claims: [{{name: a, place: b, claim: c, {table}}}]")
    file.with_suffix(".py").write_text(code)
    monkeypatch.chdir(tmp_path)
    first, *others = claims.judge(["mistaken", "agarwal2015"], evidence)
    assert (first.paper, first.verdict) == ("mistaken", UNMEASURED)
    assert reason in first.reason and reason in capsys.readouterr().err
    assert {claim.paper for claim in others} == {"agarwal2015"}


@pytest.mark.usefixtures("few_resamples")
@pytest.mark.parametrize("paper", PAPERS)
def test_a_papers_own_study_measures_each_of_its_claims(tables, paper):
    for claim in claims.judge(synthetic.planned(paper).claims, tables(paper)):
        assert (claim.verdict == UNMEASURED) == (claim.name in NOT_IN_STUDY), f"{claim.name}: {claim.reason}"
        assert claim.gist and claim.place and claim.how and claim.found
        assert claim.change or claim.verdict == claims.REMARK
        assert "nan" not in f"{claim.found} {claim.reason}"


@pytest.mark.usefixtures("few_resamples")
@pytest.mark.parametrize("paper", PAPERS)
def test_emulation_never_decides_a_claim_about_time(emulated, paper):
    for claim in claims.judge(synthetic.planned(paper).claims, emulated(paper)):
        if claim.verdict != claims.REMARK and claim.name not in NOT_ABOUT_TIME | ON_CPU_ALONE:
            assert claim.verdict == UNMEASURED
            assert "CPU emulation" in claim.reason or claim.name in NOT_IN_STUDY


@pytest.mark.parametrize("paper", PAPERS)
def test_without_runs_no_claim_is_measured_and_each_gives_the_reason(paper):
    for name, claim in judge(paper, synthetic.record("path-64")).items():
        if name not in WITHOUT_RUNS:
            assert claim.verdict == UNMEASURED and "This study does not run" in claim.reason


# What each claim compares, and its mark, is seen in the claims of the published studies: see test_publish.py.
CASES = """
harish2007 bfs-speedup | holds | random-1m-d6 bfs/cpu_queue=100 bfs/frontier=3
harish2007 bfs-speedup | does not hold | random-1m-d6 bfs/cpu_queue=1 bfs/frontier=9
harish2007 bfs-speedup | direction holds | random-1m-d6 bfs/cpu_queue=500 bfs/frontier=1
harish2007 bfs-speedup | depends | random-1m-d6 bfs/cpu_queue=100 bfs/frontier=3; random-2m-d6 bfs/cpu_queue=10\
 bfs/frontier=50
harish2007 bfs-10m | does not hold | random-10m-d6 bfs/frontier=8000
harish2007 repeated-sssp-beats-floyd-warshall | holds | random-1m-d6 apsp/fw_pair!timeout=1 apsp/repeated_sssp=6000 |\
 at least 20
harish2007 repeated-sssp-beats-floyd-warshall | not measured | random-1m-d6 apsp/fw_pair!timeout=1\
 apsp/repeated_sssp=130000
harish2007 repeated-sssp-beats-floyd-warshall | does not hold | random-1m-d6 apsp/fw_pair=10\
 apsp/repeated_sssp!timeout=1 | at most
harish2007 bfs-speedup | direction holds | random-1m-d6 bfs/cpu_queue!timeout=1 bfs/frontier=6000 | size is not\
 measured | Only bounds are known.
pathak2021 level-best | not measured | as-skitter bfs/level=1 bfs/queue=3 bfs/scan!wrong=9
pathak2021 level-best | holds | as-skitter bfs/level=1 bfs/queue=3 bfs/scan!timeout=1
rejaud shared-memory-slowest | not measured | web-Google sssp/bmf_shared=10 sssp/bmf_outcore=5 sssp/bmf_incore!failed=5
rejaud shared-memory-slowest | does not hold | web-Google sssp/bmf_shared=10 sssp/bmf_outcore=5\
 sssp/bmf_incore!timeout=1
# An average is judged as one.
harish2007 repeated-sssp-speedup | holds | random-1k-d6 apsp/repeated_sssp=1 apsp/cpu_floyd_warshall=0.5; random-2k-d6\
 apsp/repeated_sssp=1 apsp/cpu_floyd_warshall=30 | on the average of 2 graphs | By graph: 0.5
# Wrong answers have times where a claim is about them.
pathak2021 atomics-slightly-slower | holds | dense-2700 sssp/two_kernel=11 sssp/bugged!wrong=10 | 1.1× on dense-2700
# Searches on the same road network are told apart.
harish2007 no-gain-on-roads | does not hold | USA-road-d.NY bfs/cpu_queue=9 bfs/frontier=2 sssp/cpu_dijkstra=9\
 sssp/racy=2 | 4.5× on USA-road-d.NY (BFS) | 4.5× on USA-road-d.NY (SSSP) | Both agree. | 2.48× (BFS) and 2.17× (SSSP)
# Scale-free and random are compared by an algorithm that is right on both.
harish2007 scale-free-slower | does not hold | scale-free-1m sssp/racy!wrong=1 sssp/two_kernel=9; random-1m-d6\
 sssp/racy=1 sssp/two_kernel=9 | 1× on 1m vertices (SSSP)
harish2007 scale-free-slower | holds | scale-free-1m sssp/racy!wrong=1 sssp/two_kernel=9; random-1m-d6 sssp/racy=1\
 sssp/two_kernel!wrong=9; scale-free-1m bfs/frontier=2; random-1m-d6 bfs/frontier=1 | Not measured on: 1m vertices\
 (SSSP) (sssp/two_kernel: wrong answer).
# Graphs of other papers do not count.
pathak2021 level-best | holds | rome99 bfs/queue=1 bfs/scan=1 bfs/level=9; as-skitter bfs/queue=1 bfs/scan=1\
 bfs/level=0.1
# Only the paper's launch counts.
singh2017 speedup | not measured | singh-10 bfs/cpu_queue=2 bfs/frontier_struct:b512=1 | as many threads as vertices
# The race-free SSSP counts where the paper's own is wrong.
harish2007 sssp-speedup | direction holds | random-1m-d6 sssp/cpu_dijkstra=100 sssp/racy!wrong=0.001 sssp/two_kernel=10\
 | 10× on random-1m-d6 | With its wrong answers, sssp/racy is 100,000× as fast as the CPU
# Updates that are not lost on any graph are no wrong answers.
pathak2021 racy-wrong | does not hold | as-skitter sssp/bugged=1
# A ratio too close to its mark is undecided.
harish2007 repeated-sssp-beats-floyd-warshall | depends | random-100k-d6 apsp/fw_pair=1 apsp/repeated_sssp=1 | Too\
 close to tell | To hold: 1× or more on random-100k-d6.
# A ratio that grows is said to pass its mark.
harish2007 repeated-sssp-beats-floyd-warshall | does not hold | random-2k-d6@2000,12000 apsp/fw_pair=5\
 apsp/repeated_sssp=100; random-4k-d6@4000,24000 apsp/fw_pair=25 apsp/repeated_sssp=100; random-8k-d6@8000,48000\
 apsp/fw_pair=50 apsp/repeated_sssp=100 | faster from about 16,000 vertices on
harish2007 repeated-sssp-beats-floyd-warshall | depends | random-2k-d6@2000,12000 apsp/fw_pair=25\
 apsp/repeated_sssp=100; random-4k-d6@4000,24000 apsp/fw_pair=50 apsp/repeated_sssp=100; random-8k-d6@8000,48000\
 apsp/fw_pair=200 apsp/repeated_sssp=100 | through 4,000 and 8,000, repeated SSSP is faster from about 5,700 vertices on
# A matrix of the paper's card has more than a few thousand vertices.
harish2007 floyd-warshall-memory-limit | does not hold | rome99 bfs/level=1 | 13,856 vertices
# Graphs without a number are named.
harish2007 bfs-speedup | holds | random-100k-d6 bfs/cpu_queue=40 bfs/frontier=1; random-1m-d6 bfs/cpu_queue=40\
 bfs/frontier=1; random-5m-d6 bfs/cpu_queue=40 bfs/frontier!wrong=1; random-10m-d6 bfs/cpu_queue!timeout=1\
 bfs/frontier!timeout=1; random-2m-d6 bfs/cpu_queue=40 | Both agree. Not measured on: random-5m-d6 (bfs/frontier:\
 wrong answer); random-10m-d6 (timed out).
# Coarsening is judged step by step, with neighbouring vertices and strided ones; the CPU wins on dense graphs only.
pathak2021 coarsest-slower-than-cpu | not measured | as-skitter sssp/coarsened:b256-c16=64 sssp/cpu_dijkstra=10
pathak2021 coarsening-slower | depends | as-skitter sssp/coarsened:b256-c1=10 sssp/coarsened:b256-c2=20\
 sssp/coarsened_strided:b256-c8=10 sssp/coarsened_strided:b256-c16=5 | 2, 4 and 8 are assumed | True: 2× on as-skitter\
 (coarsened, 2 over 1) | false: 0.5× on as-skitter (coarsened_strided, 16 over 8)
# Stand-ins count for their graph, and never outvote real graphs.
rejaud incore-faster | holds | web-Google.stand-in sssp/bmf_outcore=6 sssp/bmf_incore=3 | on web-Google (stand-in)
pathak2021 level-best | holds | dense-2700 bfs/level=1 bfs/queue=2 bfs/scan=2; as-skitter.stand-in bfs/level=2\
 bfs/queue=1 bfs/scan=1; soc-Slashdot0902.stand-in bfs/level=2 bfs/queue=1 bfs/scan=1 | own class (1) | Stand-ins,\
 beside the vote: 2 false. | ; stand-ins: 0.5× on
pathak2021 level-best | does not hold | as-skitter.stand-in bfs/level=2 bfs/queue=1 bfs/scan=1;\
 soc-Slashdot0902.stand-in bfs/level=2 bfs/queue=1 bfs/scan=1 | stand-ins alone (2) | Real graphs in the place of the\
 stand-ins.
# One single sample does not decide near the mark; several do, and one whose half and double say the same.
pathak2021 level-best | depends | as-skitter bfs/level=2* bfs/queue=1* bfs/scan=1* | One single sample does not decide:\
 0.5
pathak2021 level-best | holds | dense-2700 bfs/level=1 bfs/queue=2 bfs/scan=2; bio-human-gene1 bfs/level=1 bfs/queue=2\
 bfs/scan=2; as-skitter bfs/level=2* bfs/queue=1* bfs/scan=1* | More than one sample on as-skitter.
pathak2021 level-best | holds | dense-2700 bfs/level=1* bfs/queue=2* bfs/scan=2*; as-skitter bfs/level=1* bfs/queue=2*\
 bfs/scan=2*
harish2007 apsp-30k | depends | random-30k-d6 apsp/repeated_sssp=70000*
harish2007 apsp-30k | holds | random-30k-d6 apsp/repeated_sssp=50000*
harish2007 repeated-sssp-beats-floyd-warshall | depends | random-1m-d6 apsp/fw_pair=1.2* apsp/repeated_sssp=1*;\
 random-2m-d6 apsp/fw_pair=1.2* apsp/repeated_sssp=1*
harish2007 repeated-sssp-beats-floyd-warshall | holds | random-1m-d6 apsp/fw_pair=1.3* apsp/repeated_sssp=1*;\
 random-2m-d6 apsp/fw_pair=1.3* apsp/repeated_sssp=1*
# One graph is enough for some claims; where none decides, they depend.
pathak2021 queue-worse-than-cpu | depends | as-skitter bfs/queue=1 bfs/cpu_queue=1 | True of none; undecided:
# Our own aims are judged graph by graph, by published times; a library without any on a graph decides nothing.
frontier bfs-over-libraries | depends | ny bfs/persistent=0.6; slashdot bfs/persistent=0.3 | True: 6.27× on ny | false:\
 0.296× on slashdot
frontier sssp-over-libraries | not measured | ny bfs/persistent=0.6
frontier bfs-over-libraries | not measured | facebook_combined bfs/persistent=1 bfs/peer_cugraph=100
"""


@pytest.mark.parametrize("case", [case for case in CASES.strip().splitlines() if not case.startswith("#")])
def test_verdict_follows_the_numbers(case):
    """Half of a time limit counts: a warm-up may have taken the rest."""
    names, verdict, measured, *words = map(str.strip, case.split("|"))
    paper, name = names.split()
    claim = judge(paper, measured)[name]
    assert claim.verdict == verdict, claim
    told = " ".join([claim.found, claim.reason, claim.how, claim.change, claim.voters])
    assert [word for word in words if word not in told] == [], claim


@pytest.mark.parametrize(
    ("milliseconds", "verdict"),
    [((2, 2, 1), HOLDS), ((2, 1), DEPENDS), ((2, 1, 1), DEPENDS), ((0.5, 1, 1), DEPENDS), ((0.5, 0.5, 1), FAILS)],
)
def test_more_than_half_of_the_graphs_must_be_decided(milliseconds, verdict):
    sizes = zip(("1m", "2m", "5m"), milliseconds, strict=False)
    graphs = [f"random-{size}-d6 apsp/fw_pair={ms} apsp/repeated_sssp=1" for size, ms in sizes]
    claim = judge("harish2007", *graphs)["repeated-sssp-beats-floyd-warshall"]
    assert claim.verdict == verdict, claim
    assert "Undecided: 1× on" in claim.reason


def test_remarks_are_not_counted_with_the_claims():
    judged = list(judge("rejaud", synthetic.record()).values())
    (remark,) = (claim for claim in judged if claim.verdict == claims.REMARK)
    assert remark.name == "printed-times-possible" and len(claims.of_papers(judged)) == len(judged) - 1


def test_a_time_limit_that_ended_the_preparations_bounds_nothing():
    unknown = runs("random-1m-d6 apsp/fw_pair!timeout=1", vertices=None)
    judged = judge("harish2007", *unknown, "random-1m-d6 apsp/repeated_sssp=1")
    assert judged["repeated-sssp-beats-floyd-warshall"].verdict == UNMEASURED


@pytest.mark.parametrize(
    ("degrees", "exponent", "verdict"),
    [
        ((12, 25, 50), 1, UNMEASURED),  # four graphs are needed
        ((12, 25, 50, 100), 1, HOLDS),
        ((12, 25, 50, 100), -1, FAILS),
        ((12, 100, 200, 400), 0.3, FAILS),
        ((12, 13, 14, 15), 0.1, DEPENDS),
    ],
)
def test_growth_is_linear_where_a_line_fits_with_an_interval(degrees, exponent, verdict):
    graphs = [f"random-100k-d{degree}@100000,{degree}00000 bfs/frontier={degree**exponent}" for degree in degrees]
    claim = judge("harish2007", "; ".join(graphs))["linear-in-degree"]
    assert claim.verdict == verdict and (verdict == UNMEASURED or " – " in claim.found), claim


def configured(ms, last=""):
    """A run in each of the report's five configurations; the last, which is the fastest, ended with a status."""
    endings = zip(CONFIGURATIONS, ms, ["", "", "", "", last], strict=True)
    words = [f"sssp/bmf_outcore:b{block}-g{grid}-source{ending}={time}" for (block, grid), time, ending in endings]
    return runs(f"web-Google {' '.join(words)}")


def test_each_source_counts_the_same_in_the_time_of_computing_with_a_list():
    measured = runs("web-Google sssp/bmf_outcore=100 sssp/bmf_shared=100 sssp/bmf_incore=100 sssp/tpe_incore=100")
    for run in measured:
        run["samples"] = [
            sample | {"solve_ms": 20 * factor, "phases": {"compute_ms": 10 * factor} if run is measured[-1] else {}}
            for sample, factor in zip(run["samples"], (1, 1, 9, 9), strict=False)
        ]
    measured[-1]["samples"] += 3 * measured[-1]["samples"][:1]  # from the first source, which is quick
    assert judge("rejaud", *measured)["to-process-edge-faster"].found.startswith("2× on web-Google")


@pytest.mark.parametrize(
    ("measured", "verdict", "words"),
    [
        (configured([10, 10, 10, 10, 10], last="!failed"), UNMEASURED, ""),
        (configured([10, 10, 10, 10, 10])[:4], UNMEASURED, ""),
        (configured([10, 10, 10, 10, 10], last="!timeout"), FAILS, "at least 12,100× on web-Google"),
        # 120 s, half of the limit, are less than another took: the one that timed out is not the fastest for that.
        (configured([1.1e5, 1.3e5, 1.3e5, 1.3e5, 10], last="!timeout"), UNMEASURED, "Bounds alone: at least 1.18×"),
    ],
    ids=["failed", "four", "timeout", "slower"],
)
def test_a_spread_needs_all_five_configurations(measured, verdict, words):
    claim = judge("rejaud", *measured)["configuration-hardly-matters"]
    assert claim.verdict == verdict and words in f"{claim.found} {claim.reason}"


def test_emulation_without_lost_updates_decides_nothing():
    assert judge("pathak2021", *runs("dense-2700 sssp/bugged=1", device="host"))["racy-wrong"].verdict == UNMEASURED


@pytest.mark.parametrize(("calls", "verdict"), [(3, HOLDS), (8, FAILS)])
def test_kernel_calls_are_counted_on_any_device(calls, verdict):
    emulated = runs("singh-5 bfs/frontier_struct:b512=1; singh-22 bfs/frontier_struct:b512=1", device="host")
    for sample in (sample for run in emulated for sample in run["samples"]):
        sample["kernel_launches"] = calls
    claim = judge("singh2017", *emulated)["kernel-calls-follow-levels"]
    assert claim.verdict == verdict, claim
    assert "without a vote: " in claim.reason and "on singh-22" in claim.reason


def test_an_unknown_paper_suggests_a_similar_one():
    with pytest.raises(UserError, match="Did you mean harish2007"):
        claims.known(["harish2008"])
