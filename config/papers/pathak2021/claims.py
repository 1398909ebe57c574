"""What the rows of Pathak and others' claims cannot say: density, rank correlations, and coarsening."""

from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

import numpy as np
import pandas as pd

from warpath.results import select, statistics
from warpath.results.claims.sides import (
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
from warpath.results.claims.wrong import wrong_answers
from warpath.results.evidence import Graphs, missing_reason, subjects
from warpath.results.papers.pathak2021 import (
    ALL_PAIRS,
    BUGGED,
    COARSENED,
    CPU_SSSP,
    FACTORS,
    RACY,
    SEARCHED,
    SPARSE,
    SSSP,
    STRIDED,
)

MANY_EDGES, MANY_VERTICES = SEARCHED[1:3]  # Graphs 2 and 3
NAMED_DENSE = ["dense-2700", "facebook_combined"]  # of ALL_PAIRS, in section 6.3.3
DENSE = 0.02  # average degree over vertices: 6.1.2 calls 0.5 and 0.05 dense, 0.00015 and less sparse
POINTS = 4  # graphs that a rank correlation is computed over, at least


def groups(evidence):
    summary, densities = evidence.summary, _densities(evidence)
    of_paper, searched, all_pairs = (
        Graphs("the same graph", _of_paper(evidence, rows, names))
        for rows, names in (
            (select.searches(summary), SEARCHED),
            (select.searches(summary), [*SEARCHED, *SPARSE]),
            (select.all_pairs(summary), ALL_PAIRS),
        )
    )
    dense, sparse = _by_density(searched, lambda graph: densities[graph] >= DENSE, densities)

    def is_dense_pair(graph):
        return graph in NAMED_DENSE if graph in ALL_PAIRS else densities[graph] >= DENSE

    dense_pairs, sparse_pairs = _by_density(all_pairs, is_dense_pair, densities)
    papers_dense = Graphs("the paper's dense graphs", [name for name in SEARCHED[:2] if name in of_paper.names])
    found = {"of_paper": of_paper, "searched": searched, "all_pairs": all_pairs, "dense": dense, "sparse": sparse}
    return found | {"dense_pairs": dense_pairs, "sparse_pairs": sparse_pairs, "papers_dense": papers_dense}


def _densities(evidence):
    rows = evidence.summary.dropna(subset=["vertices", "arcs"]).to_dict("records")
    return {select.subject(row): row["arcs"] / row["vertices"] ** 2 for row in rows}


def correlation_with_arcs(evidence, row):
    of_algorithms = {"GPU": SSSP, "CPU": CPU_SSSP}
    return merged(
        **{
            part: _correlation(evidence, [name], row["graphs"], itemgetter("arcs"))
            for part, name in of_algorithms.items()
        }
    )


def correlation_with_density(evidence, row):
    densities, graphs = _densities(evidence), row["groups"]["of_paper"]
    speedups = ratios(evidence, best(CPU_SSSP), best(SSSP), graphs)
    bounds = {estimate.subject: estimate.number for estimate in speedups.estimates if estimate.bound}
    found = _correlation(evidence, [CPU_SSSP, SSSP], graphs, lambda run: densities[select.subject(run)])
    return found._replace(unmeasured=speedups.unmeasured | bounds | found.unmeasured)


def graph_2_over_graph_3(evidence, row):
    return merged(GPU=_between(evidence, SSSP), CPU=_between(evidence, CPU_SSSP))


def least_steps(evidence, row):
    return _coarsened(evidence, lambda name: _least_steps(evidence, row["graphs"], name))


def slowed_more(evidence, row):
    sides = row["groups"]["dense"], row["groups"]["sparse"]
    return _coarsened(evidence, lambda name: _slowed_more(evidence, name, *sides))


def coarsest_over_cpu(evidence, row):
    def over_cpu(name):
        return ratios(evidence, best(name, coarsening=FACTORS[-1]), best(CPU_SSSP), row["graphs"])

    return _coarsened(evidence, over_cpu)


def lossy(evidence, row):
    """The paper's own SSSP without an atomic minimum; tables of earlier versions have that of another paper."""
    return BUGGED if _planned(evidence, BUGGED) else RACY


def over_lossy(evidence, row):
    return ratios(evidence, best(SSSP), timed(lossy(evidence, row)), row["graphs"])


def of_another_paper(evidence, row):
    racy = lossy(evidence, row) == RACY
    return f"Unlike {SSSP}, it also writes one more array in every round." if racy else ""


def lost_updates(evidence, row):
    return wrong_answers(evidence, lossy(evidence, row), row["graphs"])[0]


def worst_of_lossy(evidence, row):
    return wrong_answers(evidence, lossy(evidence, row), row["graphs"])[1]


def _between(evidence, algorithm):
    """The time of an algorithm on Graph 2 over that on Graph 3."""
    pair = MANY_EDGES, MANY_VERTICES
    estimate = ratio(evidence, *(run(evidence, best(algorithm), graph) for graph in pair), "Graph 2 over Graph 3")
    missing = missing_reason(evidence, [algorithm], "Graphs 2 and 3")
    return Comparison([estimate] if estimate else [], missing, unmeasured(evidence, [best(algorithm)], pair))


def _by_density(graphs, is_dense, densities):
    """The dense and the other graphs; a graph of unknown density is in neither."""
    names = [name for name in graphs.names if name in densities]
    groups = ([name for name in names if is_dense(name) is wanted] for wanted in (True, False))
    return [Graphs(f"{kind} graphs", group) for kind, group in zip(("dense", "sparse"), groups, strict=True)]


def _of_paper(evidence, rows, names):
    """The paper's graphs that are in these rows; if none is, all of the rows' graphs."""
    planned = subjects(replace(evidence, summary=rows), "")
    return [name for name in names if name in planned] or planned


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
