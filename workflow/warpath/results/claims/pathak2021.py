"""What Pathak et al. concluded on a Tesla P100."""

from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

import numpy as np
import pandas as pd

from warpath.results import select, statistics
from warpath.results.claims._sides import (
    SINGLE,
    Comparison,
    Estimate,
    best,
    compared,
    merged,
    quotient,
    ratio,
    ratios,
    resampled,
    run,
    timed,
    unmeasured,
    weaknesses,
)
from warpath.results.claims._verdict import judge_count, judge_times
from warpath.results.claims._wrong import wrong_answers
from warpath.results.evidence import (
    Graphs,
    about,
    at_least,
    at_most,
    missing_reason,
    sized,
    some,
    subjects,
)
from warpath.results.papers.pathak2021 import (
    ALL_PAIRS,
    BLOCKED,
    BUGGED,
    COARSENED,
    COUNTERPARTS,
    CPU_BFS,
    CPU_DIJKSTRA,
    CPU_FW,
    CPU_SSSP,
    FACTORS,
    LEVEL,
    PAIR,
    QUEUE,
    RACY,
    REPEATED,
    SCAN,
    SEARCHED,
    SPARSE,
    SSSP,
    STRIDED,
    printed_speedups,
)

MANY_EDGES, MANY_VERTICES = SEARCHED[1:3]  # Graphs 2 and 3
NAMED_DENSE = ["dense-2700", "facebook_combined"]  # of ALL_PAIRS, in section 6.3.3
DENSE = 0.02  # average degree over vertices: 6.1.2 calls 0.5 and 0.05 dense, 0.00015 and less sparse
SLIGHT = 1.25  # up to this factor, a program is "slightly" slower
SIZES = (
    "By the paper's own sizes, the density of its Graph 5 is 9.5e-7, not 7e-6 as printed; that of Graph 4 is 7.7e-6."
)
POINTS = 4  # graphs that a rank correlation is computed over, at least
CORRELATED = 0.6


def claims(evidence):
    graphs = Graphs("the same graph", _of_paper(evidence, select.searches(evidence.summary), SEARCHED))
    all_pairs = Graphs("the same graph", _of_paper(evidence, select.all_pairs(evidence.summary), ALL_PAIRS))
    sized_runs = evidence.summary.dropna(subset=["vertices", "arcs"]).to_dict("records")
    densities = {select.label(row): row["arcs"] / row["vertices"] ** 2 for row in sized_runs}
    searched = Graphs("the same graph", _of_paper(evidence, select.searches(evidence.summary), [*SEARCHED, *SPARSE]))
    dense, sparse = _by_density(searched, lambda graph: densities[graph] >= DENSE, densities)
    dense_pairs, sparse_pairs = _by_density(all_pairs, lambda graph: _dense_for_all_pairs(densities, graph), densities)
    yield judge_times(
        "level-best",
        "section 6.3.1, figure 3",
        "The level-synchronous BFS is the fastest on every graph.",
        "Time of the faster of bfs/queue and bfs/scan over that of bfs/level.",
        ratios(evidence, best(QUEUE, SCAN), best(LEVEL), searched),
        at_least(1),
    )
    yield judge_times(
        "scan-suits-sparse",
        "section 6.3.1, figure 3",
        "On sparse graphs scan BFS is faster than queue BFS.",
        f"Time of bfs/queue over that of bfs/scan where the density (average degree over vertices) is below {DENSE}.",
        ratios(evidence, best(QUEUE), best(SCAN), sparse),
        at_least(1),
    )
    yield judge_times(
        "queue-suits-dense",
        "section 6.3.1, figure 3",
        "On dense graphs queue BFS is faster than scan BFS.",
        f"Time of bfs/scan over that of bfs/queue where the density (average degree over vertices) is {DENSE} or more.",
        ratios(evidence, best(SCAN), best(QUEUE), dense),
        at_least(1),
    )
    yield judge_times(
        "queue-worse-than-cpu",
        "section 6.3.1",
        "On sparse graphs queue BFS can be slower than a CPU.",
        f"Time of {QUEUE} over that of {CPU_BFS} where the density is below {DENSE}; one graph is enough.",
        ratios(evidence, best(QUEUE), best(CPU_BFS), sparse),
        some(at_least(1)),
    )
    yield judge_times(
        "scan-beats-level-on-large",
        "section 6.3.1",
        "On larger graphs, scan BFS may beat the level-synchronous one. (The authors believe so.)",
        f"Time of {LEVEL} over that of {SCAN} on the paper's largest graph, as no larger one is in the study.",
        ratios(evidence, best(LEVEL), best(SCAN), Graphs("the paper's largest graph", SEARCHED[-1:])),
        at_least(1),
        "The authors mean graphs that did not fit into their card.",
    )
    yield judge_times(
        "time-grows-with-edges",
        "section 6.3.2, figure 4",
        "The time of SSSP grows with the number of edges, on a GPU and on a CPU.",
        "Rank correlation of time and arcs. The interval accounts for noise in the times, not for the choice of "
        "graphs; those with a single sample are left out.",
        merged(
            GPU=_correlation(evidence, [SSSP], graphs, itemgetter("arcs")),
            CPU=_correlation(evidence, [CPU_SSSP], graphs, itemgetter("arcs")),
        ),
        at_least(CORRELATED, "{:.1f}".format),
    )
    yield judge_times(
        "edges-count-more-than-vertices",
        "section 6.3.2, figure 4",
        "SSSP takes less time on Graph 3 than on Graph 2, which has fewer vertices and more edges.",
        f"Time of {SSSP} and of {CPU_SSSP} on {MANY_EDGES} over that on {MANY_VERTICES}.",
        merged(GPU=_between(evidence, SSSP), CPU=_between(evidence, CPU_SSSP)),
        at_least(1),
    )
    speedups = ratios(evidence, best(CPU_SSSP), best(SSSP), graphs)
    bounds = {estimate.subject: estimate.number for estimate in speedups.estimates if estimate.bound}
    of_density = _correlation(evidence, [CPU_SSSP, SSSP], graphs, lambda row: densities[select.label(row)])
    yield judge_times(
        "speedup-falls-with-density",
        "section 6.3.2, figure 4",
        "The lower the density, the higher the speed-up of SSSP.",
        "Rank correlation of the density with the speed-up of sssp/two_kernel over sssp/cpu_dijkstra. The interval "
        "accounts for noise in the times, not for the choice of graphs; graphs with a single sample are left out.",
        of_density._replace(unmeasured=speedups.unmeasured | bounds | of_density.unmeasured),
        at_most(-CORRELATED, "{:.1f}".format),
        SIZES,
    )
    for graph, factor in printed_speedups(evidence.published).items():
        number = SEARCHED.index(graph) + 1
        yield judge_times(
            f"printed-sssp-speedup-on-graph-{number}",
            "section 6.3.2",
            f"SSSP is {factor:g} times faster than a CPU on Graph {number}.",
            "Time of sssp/cpu_dijkstra over that of sssp/two_kernel on it.",
            ratios(evidence, best(CPU_SSSP), best(SSSP), Graphs(f"Graph {number}", [graph])),
            sized(about(factor)),
        )
    yield judge_times(
        "coarsening-slower",
        "section 6.3.2, figure 5",
        "The more vertices a thread has to handle, the slower SSSP becomes.",
        "Time with factors 2, 4, 8 and 16, each over that of the factor before; true of a graph once each of these "
        "four steps is, and undecided if one of them is. The smallest ratio is shown. A thread's vertices are "
        f"neighbours ({COARSENED}) or as far apart as the grid is wide ({STRIDED}): the paper does not say.",
        _coarsened(evidence, lambda name: _least_steps(evidence, graphs, name)),
        at_least(1),
        "Of its factors the paper names 16 alone: 2, 4 and 8 are assumed.",
    )
    yield judge_times(
        "coarsening-costs-dense-graphs-more",
        "section 6.3.2",
        "Many vertices a thread cost SSSP more on dense graphs than on sparse ones.",
        f"Time with factor {FACTORS[-1]} over that with factor {FACTORS[0]}: how many times as large this ratio is on "
        f"each dense graph as on each sparse one. Graphs are dense from a density of {DENSE}.",
        _coarsened(evidence, lambda name: _slowed_more(evidence, name, dense, sparse)),
        at_least(1),
    )
    papers_dense = Graphs("the paper's dense graphs", [name for name in SEARCHED[:2] if name in graphs.names])
    yield judge_times(
        "coarsest-slower-than-cpu",
        "section 6.3.2",
        "On dense graphs, SSSP with 16 vertices a thread is slower than Dijkstra's algorithm on a CPU.",
        "Time with factor 16, a thread's vertices being neighbours or a grid apart, over that of sssp/cpu_dijkstra on "
        "Graphs 1 and 2 of section 6.1.2.",
        _coarsened(
            evidence,
            lambda name: ratios(evidence, best(name, coarsening=FACTORS[-1]), best(CPU_SSSP), papers_dense),
        ),
        at_least(1),
    )
    yield judge_times(
        "blocked-beats-gpu",
        "section 6.3.3, figure 6",
        "Blocked Floyd-Warshall is at least 20 times faster than the next best GPU version.",
        "Time of the faster of apsp/fw_pair and apsp/repeated_sssp over that of apsp/fw_blocked.",
        ratios(evidence, best(PAIR, REPEATED), best(BLOCKED), all_pairs),
        sized(at_least(20)),
    )
    yield judge_times(
        "blocked-beats-cpu",
        "section 6.3.3, figure 6; section 7",
        "Blocked Floyd-Warshall is 500 to 4000 times faster than the best CPU version.",
        "Time of the faster of Floyd-Warshall and repeated Dijkstra on the CPU over that of apsp/fw_blocked.",
        ratios(evidence, best(CPU_FW, CPU_DIJKSTRA), best(BLOCKED), all_pairs),
        sized(about(500, 4000)),
    )
    yield judge_times(
        "naive-over-cpu",
        "section 7",
        "Naive Floyd-Warshall is 6 to 7 times faster on a GPU than on a CPU.",
        "Time of apsp/cpu_floyd_warshall over that of apsp/fw_pair.",
        ratios(evidence, best(CPU_FW), best(PAIR), all_pairs),
        sized(about(6, 7)),
    )
    contradiction = (
        "The paper contradicts itself: facebook_combined, dense here, is moderately sparse in section 6.1.1, and "
        "dense-7500, not dense here, is three times as dense. Its average degree is 223 by the paper's own counts, not "
        "233 as printed."
    )
    classes = (
        "Graphs are dense that the paper calls so here (dense-2700 and facebook_combined); another than its own from a "
        f"density of {DENSE}."
    )
    for name, place, section, slow, fast in (
        ("", "GPU", "", PAIR, REPEATED),
        ("-on-cpu", "CPU", "section 5; ", CPU_FW, CPU_DIJKSTRA),
    ):
        yield judge_times(
            f"repeated-sssp-unless-dense{name}",
            f"{section}section 6.3.3, figure 6",
            f"On a {place}, all pairs are faster by repeated SSSP than by naive Floyd-Warshall unless the graph is "
            "dense.",
            f"Time of {slow} over that of {fast} on graphs that are not dense. {classes}",
            ratios(evidence, best(slow), best(fast), sparse_pairs),
            at_least(1),
            contradiction,
        )
        yield judge_times(
            f"floyd-warshall-if-dense{name}",
            f"{section}section 6.3.3, figure 6",
            f"On a {place}, naive Floyd-Warshall is faster than repeated SSSP if the graph is dense.",
            f"Time of {fast} over that of {slow} on dense graphs. {classes}",
            ratios(evidence, best(fast), best(slow), dense_pairs),
            at_least(1),
            contradiction,
        )
    yield judge_times(
        "every-algorithm-speeds-up",
        "abstract, section 7",
        "Every algorithm is faster on a GPU than its counterpart on a CPU.",
        "Time of the sequential counterpart over that of each algorithm, fastest launch, on each of the paper's "
        "graphs.",
        merged(
            **{
                algorithm: ratios(evidence, best(cpu), best(algorithm), all_pairs if "apsp/" in algorithm else graphs)
                for algorithm, cpu in COUNTERPARTS.items()
                if algorithm != STRIDED or _planned(evidence, STRIDED)
            }
        ),
        at_least(1),
    )
    lossy = BUGGED if _planned(evidence, BUGGED) else RACY
    yield judge_times(
        "atomics-slightly-slower",
        "section 4.2",
        "An atomic minimum might slow SSSP down slightly.",
        f"Time of {SSSP} over that of {lossy}, right or wrong; slightly is up to {SLIGHT}×, and no loss is no failure.",
        ratios(evidence, best(SSSP), timed(lossy), graphs),
        at_most(SLIGHT),
        f"{lossy} does other rounds than {SSSP} where it loses updates."
        + ("" if lossy == BUGGED else f" Unlike {SSSP}, it also writes one more array in every round."),
    )
    yield judge_count(
        "racy-wrong",
        "section 4.2",
        "SSSP that relaxes without an atomic minimum gives wrong answers.",
        f"Every answer of {lossy} is compared with the oracle's; holds if any run has a wrong one.",
        *wrong_answers(evidence, lossy, graphs),
        change="A card on which no run loses an update.",
    )


def _between(evidence, algorithm):
    """The time of an algorithm on Graph 2 over that on Graph 3."""
    pair = MANY_EDGES, MANY_VERTICES
    estimate = ratio(evidence, *(run(evidence, best(algorithm), graph) for graph in pair), "Graph 2 over Graph 3")
    missing = missing_reason(evidence, [algorithm], "Graphs 2 and 3")
    return Comparison([estimate] if estimate else [], missing, unmeasured(evidence, [best(algorithm)], pair))


def _by_density(graphs, dense, densities):
    """The dense and the other graphs; a graph of unknown density is in neither."""
    known = {_without_mark(label): label for label in densities}
    names = [name for name in graphs.names if name in known]
    groups = ([name for name in names if dense(known[name]) is wanted] for wanted in (True, False))
    return [Graphs(f"{kind} graphs", group) for kind, group in zip(("dense", "sparse"), groups, strict=True)]


def _without_mark(label):
    return label.removesuffix(" (stand-in)")


def _of_paper(evidence, rows, names):
    """The paper's graphs that are in these rows; if none is, all of the rows' graphs."""
    planned = subjects(replace(evidence, summary=rows), "")
    return [name for name in names if name in planned] or planned


def _dense_for_all_pairs(densities, graph):
    name = _without_mark(graph)
    return name in NAMED_DENSE if name in ALL_PAIRS else densities[graph] >= DENSE


def _correlation(evidence, algorithms, graphs, place):
    """The rank correlation of `place` of a run with its time, or with the ratio of the times of two algorithms.

    Graphs with a single sample are left out. Numbers of real graphs and of all graphs are told apart.
    """
    runs = ([run(evidence, best(name), graph) for name in algorithms] for graph in graphs.names)
    sound = [group for group in runs if all(row and row["status"] == select.SOUND for row in group)]
    single = {select.label(group[-1]): SINGLE for group in sound if SINGLE in weaknesses(*group)}
    rng = np.random.default_rng(statistics.SEED)
    points = []
    for group in (group for group in sound if SINGLE not in weaknesses(*group)):
        value = group[0]["median_ms"] if len(group) == 1 else select.ratio(evidence.timings, *group)[0]
        points.append((place(group[-1]), value, resampled(evidence.timings, rng, *group), group))
    real = [point for point in points if not any(map(select.is_stand_in, point[-1]))]
    choices = [("real graphs", real, False)]
    choices += [("all graphs, stand-ins included", points, True)] if len(real) < len(points) else []
    estimates = [_rank_correlation(*choice) for choice in choices if len(choice[1]) >= POINTS]
    missing = missing_reason(evidence, algorithms, f"{POINTS} graphs or more with two samples or more")
    return Comparison(estimates, missing, single)


def _rank_correlation(subject, points, stand_in):
    """Spearman's correlation of places and values, with the interval from resamples of the values."""
    places, values, drawn, groups = zip(*points, strict=True)
    ranks, measured, resamples = pd.Series(places).rank(), pd.Series(values).rank(), pd.DataFrame(drawn).rank()
    ends = statistics.interval(statistics.correlations(resamples.to_numpy(), ranks.to_numpy()))
    rows = [row for group in groups for row in group]
    devices = tuple(row["device"] for row in rows)
    looks = {"wording": "{:.2f}".format, "weaknesses": weaknesses(*rows), "stand_in": stand_in}
    return Estimate(subject, measured.corr(ranks), *ends, devices, **looks)


def _planned(evidence, algorithm):
    """Whether the study runs the algorithm; tables of earlier versions lack some."""
    return algorithm in set(evidence.summary["algorithm"])


def _coarsened(evidence, compare):
    """The comparison of each coarsened algorithm that the study runs, named where it runs both."""
    planned = [name for name in (COARSENED, STRIDED) if _planned(evidence, name)]
    if len(planned) > 1:
        return merged(**{name.removeprefix("sssp/"): compare(name) for name in planned})
    return compare(next(iter(planned), COARSENED))


def _slowed_more(evidence, algorithm, dense, sparse):
    """How many times more factor 16 slows each dense graph down than each sparse one; the interval is the widest."""
    sides = [best(algorithm, coarsening=factor) for factor in (FACTORS[-1], FACTORS[0])]
    slowed = [ratios(evidence, *sides, graphs) for graphs in (dense, sparse)]
    estimates = [
        quotient(above, below, f"{above.subject} over {below.subject}")
        for above in slowed[0].estimates
        for below in slowed[1].estimates
        if not above.bound and not below.bound
    ]
    missing = missing_reason(evidence, [algorithm], "a dense and a sparse graph")
    return Comparison(estimates, missing, slowed[0].unmeasured | slowed[1].unmeasured)


def _least_steps(evidence, graphs, algorithm):
    """On each graph the smallest ratio of a factor's time to that of the factor before, once all are known.

    Its interval is that of all steps together: above a mark only if each step is, below it once one of them is.
    """
    factors = [best(algorithm, coarsening=factor) for factor in FACTORS]
    same = Graphs(f"factors {', '.join(map(str, FACTORS))} of {graphs.description}", graphs.names)

    def least(*runs):
        steps = [ratio(evidence, slow, fast) for fast, slow in pairwise(runs)]
        if not all(steps):
            return None
        weak = tuple(dict.fromkeys(weakness for step in steps for weakness in step.weaknesses))
        ends = {end: min(getattr(step, end) for step in steps) for end in ("low", "high")}
        return min(steps, key=lambda step: step.value)._replace(**ends, weaknesses=weak)

    return compared(evidence, factors, same, least)
