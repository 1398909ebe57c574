"""What an algorithm is asked after its time was taken: what nobody could know before.

A search starts from vertices that the operating system draws at that moment. Whoever kept answers by source is fast
from them the second time only; whoever had answers before is slower from them than from the sources that were known.
All pairs have no source: the algorithm is prepared again, on the graph with its weights drawn anew.

Honest solves differ from one source to the next, and by what else the machine does. A run is doubted only where times
are further apart than all that can explain.
"""

import secrets
import statistics
from dataclasses import replace

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.base.problems import PROBLEMS
from warpath.devices import ON_GPU
from warpath.runs import judge
from warpath.runs.operand import Operand

SOURCES, REPEATS = 4, 3
LONG_MS = 50  # from this time of a solve on, one source is asked
EMULATED_MS = 500  # from this time on, an emulated kernel is asked nothing more: its times say nothing about a GPU

# By so many times, and milliseconds, solves of the same may differ on a GPU, and on a CPU that has other things to do.
NOISE, NOISE_OF_CPU = (3, 0.02), (10, 0.1)

ALIKE = 1.25  # searches are alike if one reaches so many times as far as the other, at most


def asks(spec, usual_ms):
    """How many sources to ask, and how often each, by the time of a solve: (0, 0) where there is no time for more."""
    if (spec.device == "host" and usual_ms >= EMULATED_MS) or usual_ms > 500 * spec.time_limit:
        return 0, 0
    repeats = REPEATS if usual_ms < 125 * spec.time_limit else 1
    return (1 if usual_ms >= LONG_MS else SOURCES), repeats


def search(spec, trial, checker, graph, answers, asked):
    """Solve from unforeseen sources; return what was found from each, and how many vertices were wrong in all."""
    count, repeats = asked
    found, taken = [], []
    chosen = draw(graph, checker.reached, count, answers.sources)
    if not fits(graph, PROBLEMS[spec.problem], answers.longest, chosen):
        return []
    for source in chosen:
        solves = [trial.timed(source) for _ in range(repeats)]
        digests = {checker.digest(answer) for _, answer in solves}
        found.append({"source": source, "solve_ms": [measurements["solve_ms"] for measurements, _ in solves]})
        taken.append((solves[0][1], len(digests) - 1))
    for entry, (answer, others) in zip(found, taken, strict=True):  # after the last solve
        entry["wrong_vertices"] = others + checker.wrong_elsewhere(entry["source"], answer)
        entry["depth"] = checker.depth(answer)
    return found


def draw(graph, reached, count, known):
    """Draw vertices that the first known search reached, and that have arcs; fewer where the graph has no more."""
    chosen = []
    for _ in range(200 * count if reached is not None else 0):
        vertex = secrets.randbelow(graph.vertices)
        has_arcs = graph.offsets[vertex + 1] > graph.offsets[vertex]
        if has_arcs and reached[vertex] < UNREACHABLE and vertex not in chosen and vertex not in known:
            chosen.append(vertex)
        if len(chosen) == count:
            break
    return chosen


def fits(graph, problem, longest, sources):
    """Whether distances from these sources fit 31 bits, as those from the known ones do."""
    return (not graph.directed and 2 * longest < UNREACHABLE) or judge.bound(graph, problem, sources) < UNREACHABLE


def all_pairs(spec, device, launch, trial, checker, graph):
    """Prepare once more on the graph with other weights, and solve; return what was found."""
    other = replace(graph, weights=drawn_anew(graph), metadata={})
    rows = sorted(secrets.SystemRandom().sample(range(graph.vertices), min(SOURCES, graph.vertices)))
    trial.solve = checker.last = None  # and with them the memory of the first preparation
    with device.preparing():
        trial.solve = spec.described.prepare(device, Operand(other, device, placement=spec.placement), launch)
    measurements, answer = trial.timed(None, rows)
    wrong = checker.wrong_rows(other, rows, answer)
    return [{"source": -1, "solve_ms": [measurements["solve_ms"]], "wrong_vertices": wrong, "depth": None}]


def drawn_anew(graph):
    """Weights of the same distribution for each edge, the same in both of its directions."""
    tails = np.repeat(np.arange(graph.vertices, dtype=np.uint64), np.diff(graph.offsets))
    heads = graph.targets.astype(np.uint64)
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    mixed = (low << np.uint64(32) | high) ^ np.uint64(secrets.randbits(64))
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(factor)
    return graph.weights[(mixed >> np.uint64(1)) % np.uint64(graph.arcs)]


def doubts(spec, known, found, cold, usual_ms):
    """Why the times of a run cannot be believed, each reason with two figures.

    `known` has a pair for each known source: how far it reaches, and its time.
    """
    noise, noise_ms = NOISE if spec.device in ON_GPU else NOISE_OF_CPU
    if found[0]["source"] == -1:
        (asked,) = found[0]["solve_ms"]
        if asked > 2 * noise * usual_ms + noise_ms:
            yield f"a solve takes {usual_ms:.4g} ms, and {asked:.4g} ms on the same graph with other weights"
        return
    first = statistics.median(entry["solve_ms"][0] for entry in found)
    later = statistics.median(min(entry["solve_ms"][1:], default=first) for entry in found)
    by_cache = max(noise, 2 * cold["solve_ms"] / usual_ms if cold else 0)
    if first > by_cache * later + noise_ms:
        yield f"the first solve from an unforeseen source takes {first:.4g} ms, a later one from there {later:.4g} ms"
    faster, compared = [], 0
    for reach, time in known:
        alike = [
            statistics.median(entry["solve_ms"])
            for entry in found
            if reach <= ALIKE * entry["depth"] and entry["depth"] <= ALIKE * reach
        ]
        spread = max(alike) / min(alike) if len(alike) > 2 else 2
        compared += bool(alike)
        if alike and time * noise * spread + noise_ms / 2 < min(alike):
            faster.append((time, min(alike)))
    if faster and 2 * len(faster) >= compared:
        yield (
            f"a solve takes {faster[0][0]:.4g} ms from a known source, and {faster[0][1]:.4g} ms or more from "
            "unforeseen ones that reach as far"
        )
