"""What Pathak et al. concluded on a Tesla P100."""

from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

from warpath.results import select, statistics
from warpath.results.claims._sides import Comparison, Estimate, best, ratio, ratios, run, unmeasured, weaknesses
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.evidence import Count, Graphs, at_least, at_most, missing_reason, subjects
from warpath.results.papers.pathak2021 import (
    ALL_PAIRS,
    BLOCKED,
    COARSENED,
    CPU_DIJKSTRA,
    CPU_FW,
    CPU_SSSP,
    LEVEL,
    PAIR,
    QUEUE,
    RACY,
    REPEATED,
    SCAN,
    SEARCHED,
    SSSP,
)

FACTORS = (1, 2, 4, 8, 16)
NAMED_DENSE = ["dense-2700", "facebook_combined"]  # of ALL_PAIRS, in section 6.3.3
DENSE = 0.02  # average degree over vertices: 6.1.2 calls 0.5 and 0.05 dense, 0.00015 and less sparse
SIZES = (
    "By the paper's own sizes, the density of its Graph 5 is 9.5e-7, not 7e-6 as printed; that of Graph 4 is 7.7e-6."
)
POINTS = 4  # graphs that a rank correlation is computed over, at least


def claims(evidence):
    graphs = Graphs("the same graph", _of_paper(evidence, select.searches(evidence.summary), SEARCHED))
    all_pairs = Graphs("the same graph", _of_paper(evidence, select.all_pairs(evidence.summary), ALL_PAIRS))
    densities = _densities(evidence)
    yield judge_times(
        "level-best",
        "section 6.3.1, figure 3",
        "The level-synchronous BFS is the fastest on every graph.",
        "Time of the faster of bfs/queue and bfs/scan over that of bfs/level; holds from 1.",
        ratios(evidence, best(QUEUE, SCAN), best(LEVEL), graphs),
        at_least(1),
    )
    yield judge_times(
        "scan-sparse-queue-dense",
        "section 6.3.1, figure 3",
        "Scan BFS suits sparse graphs and queue BFS dense ones.",
        "Time of bfs/queue over that of bfs/scan; true above 1 where the density (average degree over vertices) is "
        f"below {DENSE}, and below 1 where it is not.",
        ratios(evidence, best(QUEUE), best(SCAN), graphs),
        partial(_above_one_unless, lambda graph: densities[graph] >= DENSE),
    )
    correlation, ends = _correlation_with_density(evidence, graphs, densities)
    yield judge_times(
        "speedup-falls-with-density",
        "section 6.3.2, figure 4",
        "The lower the density, the higher the speed-up of SSSP: 3.9× at 0.5, 94× at 0.000007.",
        "Rank correlation of the density with the speed-up of sssp/two_kernel over sssp/cpu_dijkstra; holds at "
        "-0.6 or below. The interval accounts for noise in the times, not for the choice of graphs.",
        correlation,
        at_most(-0.6),
        f"{ends} {SIZES}".strip(),
    )
    yield judge_times(
        "coarsening-slower",
        "section 6.3.2, figure 5",
        "The more vertices a thread has to handle, the slower SSSP becomes.",
        "Time of sssp/coarsened with factors 2, 4, 8 and 16, each over that of the factor before; the smallest of "
        "these ratios on each graph, so that every step counts; holds from 1.",
        _least_steps(evidence, graphs),
        at_least(1),
    )
    yield judge_times(
        "coarsest-slower-than-cpu",
        "section 6.3.2",
        "On dense graphs, SSSP with 16 vertices a thread is slower than Dijkstra's algorithm on a CPU.",
        "Time of sssp/coarsened with factor 16 over that of sssp/cpu_dijkstra on Graphs 1 and 2 of section 6.1.2; "
        "holds from 1.",
        ratios(
            evidence,
            best(COARSENED, coarsening=FACTORS[-1]),
            best(CPU_SSSP),
            Graphs("the paper's dense graphs", [name for name in SEARCHED[:2] if name in graphs.names]),
        ),
        at_least(1),
    )
    yield judge_times(
        "blocked-beats-gpu",
        "section 6.3.3, figure 6",
        "Blocked Floyd-Warshall is at least 20 times faster than the next best GPU version.",
        "Time of the faster of apsp/fw_pair and apsp/repeated_sssp over that of apsp/fw_blocked; holds from 20.",
        ratios(evidence, best(PAIR, REPEATED), best(BLOCKED), all_pairs),
        at_least(20),
    )
    yield judge_times(
        "blocked-beats-cpu",
        "section 6.3.3, figure 6",
        "Blocked Floyd-Warshall is 500 to 4000 times faster than the best CPU version.",
        "Time of the faster of Floyd-Warshall and repeated Dijkstra on the CPU over that of apsp/fw_blocked; holds "
        "from 500.",
        ratios(evidence, best(CPU_FW, CPU_DIJKSTRA), best(BLOCKED), all_pairs),
        at_least(500),
    )
    yield judge_times(
        "naive-over-cpu",
        "section 7",
        "Naive Floyd-Warshall is 6 to 7 times faster on a GPU than on a CPU.",
        "Time of apsp/cpu_floyd_warshall over that of apsp/fw_pair; holds from 6.",
        ratios(evidence, best(CPU_FW), best(PAIR), all_pairs),
        at_least(6),
    )
    yield judge_times(
        "repeated-sssp-unless-dense",
        "section 6.3.3, figure 6",
        "All pairs by repeated SSSP are faster than by naive Floyd-Warshall unless the graph is dense.",
        "Time of apsp/fw_pair over that of apsp/repeated_sssp; true below 1 on the graphs that the paper calls dense, "
        "dense-2700 and facebook_combined, and above 1 on its others; any other graph is dense from a density of "
        f"{DENSE}.",
        ratios(evidence, best(PAIR), best(REPEATED), all_pairs),
        partial(_above_one_unless, partial(_dense_for_all_pairs, densities)),
        "The paper contradicts itself: facebook_combined, dense here, is moderately sparse in section 6.1.1, and "
        "dense-7500, not dense here, is three times as dense.",
    )
    yield judge_count(
        "racy-wrong",
        "section 4.2",
        "SSSP that relaxes without an atomic minimum gives wrong answers.",
        "Every answer of sssp/racy is compared with the oracle's; holds if any run has a wrong one.",
        *_lost_updates(evidence, graphs),
    )


def _of_paper(evidence, rows, names):
    """The paper's graphs that are in these rows; if none is, all of the rows' graphs."""
    planned = subjects(evidence._replace(summary=rows), "")
    return [name for name in names if name in planned] or planned


def _densities(evidence):
    rows = evidence.summary.dropna(subset=["vertices", "arcs"]).to_dict("records")
    return {select.label(row): row["arcs"] / row["vertices"] ** 2 for row in rows}


def _dense_for_all_pairs(densities, graph):
    name = graph.removesuffix(" (stand-in)")
    return name in NAMED_DENSE if name in ALL_PAIRS else densities[graph] >= DENSE


def _above_one_unless(dense, estimate):
    """Whether the ratio is above 1 on a sparse graph, below 1 on a dense one; None where its interval contains 1."""
    if estimate.low < 1 < estimate.high:
        return None
    return (estimate.value > 1) != dense(estimate.subject)


def _correlation_with_density(evidence, graphs, densities):
    """The rank correlation of speed-up and density, and a sentence on the speed-ups at both ends of the densities."""
    sides = best(CPU_SSSP), best(SSSP)
    speedups = ratios(evidence, *sides, graphs)
    bounds = {estimate.subject: estimate.number for estimate in speedups.estimates if estimate.bound}
    exact = [estimate for estimate in speedups.estimates if not estimate.bound]
    exact.sort(key=lambda estimate: densities[estimate.subject])
    pairs = ([run(evidence, side, graph) for side in sides] for graph in graphs.names)
    pairs = [pair for pair in pairs if all(row and row["status"] == select.SOUND for row in pair)]
    estimates = [_rank_correlation(evidence.timings, pairs, densities)] if len(pairs) >= POINTS else []
    ends = "; ".join(f"{end} (density {densities[end.subject]:.1g})" for end in exact[:1] + exact[-1:])
    missing = missing_reason(evidence, [CPU_SSSP, SSSP], f"{POINTS} graphs or more")
    return Comparison(estimates, missing, speedups.unmeasured | bounds), ends and f"{ends}."


def _rank_correlation(timings, pairs, densities):
    """Spearman's correlation of densities and speed-ups. `pairs` are runs: the slower side, the faster side."""
    rng = np.random.default_rng(statistics.SEED)
    ranks = pd.Series([densities[select.label(fast)] for _, fast in pairs]).rank()
    samples = ([select.samples(timings, row) for row in pair] for pair in pairs)
    drawn = pd.DataFrame([statistics.drawn_ratios(*pair, rng) for pair in samples]).rank()
    measured = pd.Series([select.ratio(timings, *pair)[0] for pair in pairs]).rank()
    rows = [row for pair in pairs for row in pair]
    devices = tuple(row["device"] for row in rows)
    ends = statistics.interval(drawn.corrwith(ranks))
    return Estimate("all graphs", measured.corr(ranks), *ends, devices, "{:.2f}".format, weaknesses(*rows))


def _least_steps(evidence, graphs):
    """On each graph the smallest ratio of a factor's time to that of the factor before, once all are known."""
    factors = [best(COARSENED, coarsening=factor) for factor in FACTORS]
    estimates, unknown = [], []
    for graph in graphs.names:
        rows = [run(evidence, factor, graph) for factor in factors]
        steps = [ratio(evidence, slow, fast) for fast, slow in pairwise(rows)]
        if all(steps):
            estimates.append(min(steps, key=lambda step: step.value))
        else:
            unknown.append(graph)
    missing = missing_reason(evidence, [COARSENED], f"factors {', '.join(map(str, FACTORS))} of the same graph")
    return Comparison(estimates, missing, unmeasured(evidence, factors, unknown))


def _lost_updates(evidence, graphs):
    """How many runs were wrong, and a sentence on the worst of them."""
    rows = select.of(evidence.summary, [RACY], graphs.names)
    rows = rows[rows["status"].isin([select.SOUND, "wrong"])]
    wrong = rows[rows["status"] == "wrong"]
    if select.emulated(rows) and wrong.empty:
        reason = "CPU emulation lost no update, but it runs few threads at once; a GPU may lose some."
        return Count("", {}, reason), ""
    names = sorted(set(wrong["graph"]))
    text = f"{len(wrong)} of {len(rows)} runs" + (f", on {', '.join(names)}" if names else "")
    worst = f"At worst {wrong['wrong_vertices'].max():,.0f} wrong vertices in one solve." if names else ""
    answers = {"all runs": bool(names)} if len(rows) else {}
    return Count(text, answers, missing_reason(evidence, [RACY], "any graph")), worst
